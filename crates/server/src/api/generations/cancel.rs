//! `POST /api/generations/{uuid}/cancel`: stops work that no provider has yet.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_store::Scope;

use super::find;
use crate::api::path::Named;
use crate::app::App;
use crate::auth;
use crate::edits::{self, GenerationView, view};
use crate::error::{ApiResult, ErrorBody};

/// Cancel a generation.
///
/// This works as long as no provider has the work: while it waits, or while the built-in editor does
/// it. The reserved credits are refunded, and the generation ends with the status `failed` and the
/// error code `canceled`. Canceling it again does nothing. An API key needs the scope `edit`; without
/// the scope `read`, it can cancel only its own generations.
#[utoipa::path(
    post,
    path = "/api/generations/{uuid}/cancel",
    operation_id = "cancel_generation",
    tag = "Generations",
    params(("uuid" = String, Path, description = "The generation's uuid")),
    responses(
        (status = 200, description = "The generation has been canceled, now or before", body = GenerationView),
        (status = 403, description = "The API key does not have the scope, or the call came from another site's page", body = ErrorBody),
        (status = 404, description = "There is no such generation, or it is not yours", body = ErrorBody),
        (status = 409, description = "The generation has ended, or a provider may have the work already", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn cancel_generation(
    State(app): State<Arc<App>>,
    Named(uuid): Named,
    parts: Parts,
) -> ApiResult<Json<GenerationView>> {
    let caller = auth::caller(&app, &parts).await?;
    caller.require(Scope::Edit)?;
    let edit = find(&app, &caller.account, caller.sees_only()?, &uuid).await?;
    let canceled = edits::cancel(&app, &caller.account.id, &edit.id).await?;
    view(&app, canceled).map(Json)
}
