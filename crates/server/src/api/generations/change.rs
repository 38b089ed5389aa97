//! `PATCH /api/generations/{uuid}`: names a generation, and stars it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use retouch_store::{EditChange, Scope};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::id;
use crate::api::path::Named;
use crate::app::App;
use crate::edits::{GenerationView, view};
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, SMALL_BODY_BYTES_MAX, Who};

/// The maximum length of a name, in Unicode scalar values.
pub(crate) const NAME_CHARS_MAX: usize = 100;

/// A change of a generation. Fields that are absent stay as they are.
#[derive(Deserialize, ToSchema)]
pub struct GenerationChange {
    /// The new name, at most 100 characters. Null or an empty text removes it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 100, example = "Portrait, warm")]
    name: Option<Option<String>>,
    /// Whether it is starred.
    starred: Option<bool>,
}

/// Tells null from an absent field.
fn present<'de, D>(deserializer: D) -> Result<Option<Option<String>>, D::Error>
where
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

/// Name or star a generation.
///
/// An API key needs the scope `edit`; without the scope `read`, it can change only its own
/// generations.
#[utoipa::path(
    patch,
    path = "/api/generations/{uuid}",
    operation_id = "change_generation",
    tag = "Generations",
    params(("uuid" = String, Path, description = "The generation's uuid")),
    request_body = GenerationChange,
    responses(
        (status = 200, description = "The generation", body = GenerationView),
        (status = 403, description = "The API key does not have the scope, or the call came from another site's page", body = ErrorBody),
        (status = 404, description = "There is no such generation, or it is not yours", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn change_generation(
    State(app): State<Arc<App>>,
    Named(uuid): Named,
    request: Request,
) -> ApiResult<Json<GenerationView>> {
    let received = intake::receive(&app, request, Who::Caller, SMALL_BODY_BYTES_MAX).await?;
    let caller = received.caller()?;
    caller.require(Scope::Edit)?;
    let asked: GenerationChange = received.json()?;
    let name = asked.name.map(|name| name.as_deref().map_or(Ok(None), checked)).transpose()?;
    let change = EditChange { edits: vec![id(&uuid)?], name, is_starred: asked.starred };
    let (account, made_by) = (&caller.account.id, caller.sees_only()?);
    let changed = app.store.change_edits(account, made_by, change).await?;
    let edit = changed.into_iter().next().ok_or_else(|| ApiError::not_found("generation"))?;
    view(&app, edit).map(Json)
}

/// A name as it is stored: without control characters and outer spaces; none if nothing is left.
///
/// # Errors
/// 400 if it is too long.
pub(crate) fn checked(name: &str) -> ApiResult<Option<String>> {
    let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
    let name = name.trim();
    let length = name.chars().count();
    if length > NAME_CHARS_MAX {
        let message =
            format!("The name has {length} characters; the limit is {NAME_CHARS_MAX}. Shorten it.");
        return Err(ApiError::about(Code::TooLong, "name", message));
    }
    Ok(Some(name.to_owned()).filter(|name| !name.is_empty()))
}
