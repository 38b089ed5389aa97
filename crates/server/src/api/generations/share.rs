//! `POST` and `DELETE /api/generations/{uuid}/share`: the link that shows a result to anyone.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use retouch_core::KeyId;
use retouch_store::{Account, Scope, Shared};
use serde::Serialize;
use utoipa::ToSchema;

use super::id;
use crate::api::path::Named;
use crate::app::App;
use crate::auth;
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::web::shared_path;

/// A link to a result.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShareView {
    /// The URL of the page that shows the result. Anyone who has it can open it.
    #[schema(example = "https://edit.example.com/s/3q2-7wEBAgMEBQYHCAkKCw")]
    pub url: String,
}

/// Share a result.
///
/// Creates a link to a page that shows the stored image or video, and the name if you gave it one,
/// to anyone who has the link. Search engines are asked not to list it. The link works until you
/// end it, delete the generation, or the result expires. A generation has one link: sharing it
/// again returns the same. An API key needs the scope `edit`.
#[utoipa::path(
    post,
    path = "/api/generations/{uuid}/share",
    operation_id = "share_generation",
    tag = "Generations",
    params(("uuid" = String, Path, description = "The generation's uuid")),
    responses(
        (status = 200, description = "The link that it already had", body = ShareView),
        (status = 201, description = "The new link", body = ShareView),
        (status = 403, description = "The API key does not have the scope, or the call came from another site's page", body = ErrorBody),
        (status = 404, description = "There is no such generation, it is not yours, or it has no stored result", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn share_generation(
    State(app): State<Arc<App>>,
    Named(uuid): Named,
    parts: Parts,
) -> ApiResult<(StatusCode, Json<ShareView>)> {
    let caller = auth::caller(&app, &parts).await?;
    caller.require(Scope::Edit)?;
    let (status, token) = share(&app, &caller.account, caller.sees_only()?, &uuid).await?;
    Ok((status, Json(ShareView { url: app.url_of(&shared_path(&token)) })))
}

/// End the link to a result.
///
/// The page and the image at the link can no longer be opened. An API key needs the scope `edit`.
#[utoipa::path(
    delete,
    path = "/api/generations/{uuid}/share",
    operation_id = "unshare_generation",
    tag = "Generations",
    params(("uuid" = String, Path, description = "The generation's uuid")),
    responses(
        (status = 204, description = "There is no link any more"),
        (status = 403, description = "The API key does not have the scope, or the call came from another site's page", body = ErrorBody),
        (status = 404, description = "There is no such generation, or it is not yours", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn unshare_generation(
    State(app): State<Arc<App>>,
    Named(uuid): Named,
    parts: Parts,
) -> ApiResult<StatusCode> {
    let caller = auth::caller(&app, &parts).await?;
    caller.require(Scope::Edit)?;
    unshare(&app, &caller.account, caller.sees_only()?, &uuid).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Shares the generation of `account` that `uuid` names. Returns the secret in the link, and the
/// status that says whether it is new. If a key is given, only its own generations count.
pub(crate) async fn share(
    app: &App,
    account: &Account,
    made_by: Option<&KeyId>,
    uuid: &str,
) -> ApiResult<(StatusCode, String)> {
    match app.store.share_edit(&account.id, made_by, &id(uuid)?).await? {
        Shared::New { token } => Ok((StatusCode::CREATED, token)),
        Shared::Already { token } => Ok((StatusCode::OK, token)),
        Shared::NoResult => {
            let message = "The generation has no stored result to share.";
            Err(ApiError::new(Code::NotFound, message))
        }
        Shared::Unknown => Err(ApiError::not_found("generation")),
    }
}

/// Ends the link to the generation of `account` that `uuid` names.
pub(crate) async fn unshare(
    app: &App,
    account: &Account,
    made_by: Option<&KeyId>,
    uuid: &str,
) -> ApiResult<()> {
    let is_known = app.store.unshare_edit(&account.id, made_by, &id(uuid)?).await?;
    is_known.then_some(()).ok_or_else(|| ApiError::not_found("generation"))
}
