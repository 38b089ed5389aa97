//! `POST /api/generations/zip`: many results as one ZIP file, written while it is sent.

use std::collections::HashSet;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use retouch_core::{AccountId, EditId, KeyId};
use retouch_store::{EditRecord, Filed};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{file_name, id};
use crate::api::schema::FileContent;
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, SMALL_BODY_BYTES_MAX, Who};

/// The maximum number of generations in a file.
pub(crate) const FILES_MAX: usize = 200;

const KIND: HeaderValue = HeaderValue::from_static("application/zip");

/// Which results to put into a ZIP file.
#[derive(Deserialize, ToSchema)]
pub struct ZipRequest {
    /// The generations' uuids, 1 to 200.
    #[schema(min_items = 1, max_items = 200)]
    uuids: Vec<String>,
}

/// Download several results as one ZIP file.
///
/// Files are named after their generations, or else after the inputs, and the names are unique.
/// Generations without a stored result are left out. An API key without the scope `read` can
/// download only its own generations.
#[utoipa::path(
    post,
    path = "/api/generations/zip",
    operation_id = "zip_generations",
    tag = "Generations",
    request_body = ZipRequest,
    responses(
        (status = 200, description = "The ZIP file", content((inline(FileContent) = "application/zip"))),
        (status = 403, description = "The API key does not have the scope, or the call came from another site's page", body = ErrorBody),
        (status = 404, description = "One of the generations does not exist or is not yours, or none has a stored result", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn zip_generations(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    let received = intake::receive(&app, request, Who::Caller, SMALL_BODY_BYTES_MAX).await?;
    let caller = received.caller()?;
    let made_by = caller.sees_only()?;
    let ZipRequest { uuids } = received.json()?;
    let uuids: ApiResult<Vec<EditId>> = uuids.iter().map(|uuid| id(uuid)).collect();
    zip(&app, &caller.account.id, made_by, uuids?).await
}

/// The results of these generations of `account` as a ZIP file. If a key is given, only its own
/// generations count.
pub(crate) async fn zip(
    app: &App,
    account: &AccountId,
    made_by: Option<&KeyId>,
    mut names: Vec<EditId>,
) -> ApiResult<Response> {
    let mut known = HashSet::new();
    names.retain(|name| known.insert(*name));
    let count = names.len();
    if !(1..=FILES_MAX).contains(&count) {
        let message = format!("Choose 1 to {FILES_MAX} generations; these are {count}.");
        return Err(ApiError::about(Code::InvalidValue, "uuids", message));
    }
    let mut edits = app.store.list_edits_named(account, names).await?;
    edits.retain(|edit| made_by.is_none_or(|key| edit.key.as_ref() == Some(key)));
    if edits.len() < count {
        return Err(ApiError::not_found("generation"));
    }
    let files = files(&edits);
    if files.is_empty() {
        let message = "None of these generations has a stored result.";
        return Err(ApiError::new(Code::NotFound, message));
    }
    let today = app.clock.now().to_string();
    let name = format!("attachment; filename=\"retouch-{}.zip\"", today.get(..10).unwrap_or(""));
    let name = HeaderValue::from_str(&name).map_err(ApiError::internal)?;
    let headers = [(header::CONTENT_TYPE, KIND), (header::CONTENT_DISPOSITION, name)];
    let archive = app.store.blobs().archive(files);
    Ok((headers, Body::from_stream(archive)).into_response())
}

/// The stored files of `edits`, with unique names.
fn files(edits: &[EditRecord]) -> Vec<Filed> {
    let mut taken = HashSet::new();
    let files = edits.iter().filter_map(|edit| {
        let blob = edit.stored.first()?;
        let (stem, extension) = (file_name::stem(edit), file_name::extension(blob));
        let numbered = (2..).map(|number| format!("{stem} ({number}){extension}"));
        let mut names = std::iter::once(format!("{stem}{extension}")).chain(numbered);
        // Folders of some systems do not tell upper from lower case.
        let name = names.find(|name| taken.insert(name.to_lowercase()))?;
        let at = edit.completed_at.unwrap_or(edit.created_at);
        Some(Filed { blob: blob.clone(), name, at })
    });
    files.collect()
}
