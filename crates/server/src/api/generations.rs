//! `GET` and `DELETE /api/generations`: the records of an account's edits, for their owner alone.

pub mod cancel;
pub mod change;
pub mod events;
pub(crate) mod file_name;
pub mod share;
pub mod tree;
pub mod zip;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use retouch_core::{EditId, KeyId};
use retouch_store::{Account, Deleted, EditFilter, EditRecord, EditStatus, Page, Removal, Scope};

use super::page::{ListView, PageQuery};
use super::path::Named;
use super::submission::LOOK_AGAIN_S;
use crate::app::App;
use crate::auth;
use crate::edits::{self, GenerationView, view};
use crate::error::{ApiError, ApiResult, Code, ErrorBody};

/// List the generations, newest first.
///
/// An API key without the scope `read` gets only its own generations.
#[utoipa::path(
    get,
    path = "/api/generations",
    operation_id = "list_generations",
    tag = "Generations",
    params(PageQuery),
    responses(
        (status = 200, description = "A page of generations", body = ListView<GenerationView>),
        (status = 403, description = "The API key does not have the scope", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn list_generations(
    State(app): State<Arc<App>>,
    parts: Parts,
    page: ApiResult<PageQuery>,
) -> ApiResult<Json<ListView<GenerationView>>> {
    let caller = auth::caller(&app, &parts).await?;
    let filter = EditFilter { made_by: caller.sees_only()?.cloned(), ..EditFilter::default() };
    let edits = app.store.list_edits(&caller.account.id, &filter, &page?.request()).await?;
    let data: ApiResult<Vec<_>> = edits.data.into_iter().map(|edit| view(&app, edit)).collect();
    let page = Page { data: data?, next_cursor: edits.next_cursor };
    Ok(Json(ListView::of(page, |generation| generation)))
}

/// Get a generation.
///
/// An API key without the scope `read` gets only its own generations.
#[utoipa::path(
    get,
    path = "/api/generations/{uuid}",
    operation_id = "find_generation",
    tag = "Generations",
    params(("uuid" = String, Path, description = "The generation's uuid")),
    responses(
        (
            status = 200,
            description = "The generation",
            body = GenerationView,
            headers(("Retry-After" = Option<u64>, description = "Seconds to wait before getting it again, while its status is `processing`"))
        ),
        (status = 403, description = "The API key does not have the scope", body = ErrorBody),
        (status = 404, description = "There is no such generation, or it is not yours", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn find_generation(
    State(app): State<Arc<App>>,
    Named(uuid): Named,
    parts: Parts,
) -> ApiResult<Response> {
    let caller = auth::caller(&app, &parts).await?;
    let edit = find(&app, &caller.account, caller.sees_only()?, &uuid).await?;
    let is_running = edit.status == EditStatus::Processing;
    let mut response = Json(view(&app, edit)?).into_response();
    if is_running {
        response.headers_mut().insert(header::RETRY_AFTER, LOOK_AGAIN_S.into());
    }
    Ok(response)
}

/// Delete a generation with its stored images or video.
///
/// Its credits are not refunded. An API key needs the scope `delete`; without the scope `read`, it
/// can delete only its own generations.
#[utoipa::path(
    delete,
    path = "/api/generations/{uuid}",
    operation_id = "delete_generation",
    tag = "Generations",
    params(("uuid" = String, Path, description = "The generation's uuid")),
    responses(
        (status = 204, description = "The generation has been deleted"),
        (status = 403, description = "The API key does not have the scope, or the call came from another site's page", body = ErrorBody),
        (status = 404, description = "There is no such generation, or it is not yours", body = ErrorBody),
        (status = 409, description = "The generation is still running", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn delete_generation(
    State(app): State<Arc<App>>,
    Named(uuid): Named,
    parts: Parts,
) -> ApiResult<StatusCode> {
    let caller = auth::caller(&app, &parts).await?;
    caller.require(Scope::Delete)?;
    let made_by = caller.sees_only()?;
    delete(&app, &caller.account, made_by, &uuid).await.map(|()| StatusCode::NO_CONTENT)
}

/// The generation of `account` that `uuid` names. If a key is given, only its own generations
/// count.
pub(crate) async fn find(
    app: &App,
    account: &Account,
    made_by: Option<&KeyId>,
    uuid: &str,
) -> ApiResult<EditRecord> {
    let edit = app.store.find_edit_by(&account.id, made_by, &id(uuid)?).await?;
    edit.ok_or_else(|| ApiError::not_found("generation"))
}

/// Deletes the generation of `account` that `uuid` names, with its files. If a key is given, only
/// its own generations count.
pub(crate) async fn delete(
    app: &App,
    account: &Account,
    made_by: Option<&KeyId>,
    uuid: &str,
) -> ApiResult<()> {
    let (account, id) = (account.id.clone(), id(uuid)?);
    match app.store.delete_edit_by(&account, made_by, &id).await? {
        Deleted::Gone { blobs } => {
            for blob in blobs {
                let removal = Removal { account: account.clone(), id, blob };
                edits::remove(app, &removal).await?;
            }
            Ok(())
        }
        Deleted::Running => {
            let message = "The generation is still running. Delete it when it has ended.";
            Err(ApiError::new(Code::GenerationRunning, message).retry_after_s(1))
        }
        Deleted::Unknown => Err(ApiError::not_found("generation")),
    }
}

/// The id that `text` is.
///
/// # Errors
/// 404 if it is none.
pub(crate) fn id(text: &str) -> ApiResult<EditId> {
    text.parse().map_err(|_| ApiError::not_found("generation"))
}
