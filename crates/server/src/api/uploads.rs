//! `/api/uploads`: images that are sent once and then used as inputs by their URL.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use retouch_core::Timestamp;
use retouch_store::{Scope, Upload};
use serde::Serialize;
use utoipa::ToSchema;

use super::files;
use super::path::Named;
use super::schema::{FileContent, UploadForm};
use crate::app::App;
use crate::auth;
use crate::error::{ApiResult, ErrorBody};
use crate::http::intake;
use crate::{previews, uploads};

/// Only its owner may see an upload, and it can be deleted, so browsers ask each time.
const CACHE: HeaderValue = HeaderValue::from_static("private, no-cache");

/// An uploaded image.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadView {
    /// Its id.
    #[schema(example = "upld_01jd8x0c2vhhfm6ccm3w4sw8dz")]
    pub id: String,
    /// Its URL, for `imageUrl` and `imageUrls` of its owner's calls.
    pub url: String,
    /// Width of the upright image in pixels.
    pub width: u32,
    /// Height of the upright image in pixels.
    pub height: u32,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// When it is deleted.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

/// Upload an image, to use it in any number of calls.
///
/// Send the file as the body, or as the field `file` of a form. It is kept for 24 hours and costs
/// nothing. Only your own calls can use its `url`, in `imageUrl` and `imageUrls`.
#[utoipa::path(
    post,
    path = "/api/uploads",
    operation_id = "upload_image",
    tag = "Editing",
    request_body(
        content(
            (inline(FileContent) = "application/octet-stream"),
            (inline(FileContent) = "image/*"),
            (UploadForm = "multipart/form-data"),
        )
    ),
    responses(
        (status = 201, description = "The upload", body = UploadView),
        (status = 400, description = "The file is not an image that edits can use", body = ErrorBody),
        (status = 403, description = "The API key does not have the scope `edit`, or the call came from another site's page", body = ErrorBody),
        (status = 409, description = "The account has as many uploads, or as many bytes of them, as it may have", body = ErrorBody),
        (status = 415, description = "The body is neither a file nor a form", body = ErrorBody),
        (status = 429, description = "Too many uploads", body = ErrorBody),
        (status = 500, description = "The image could not be stored", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn upload_image(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    let received = intake::receive_file(&app, request).await?;
    let caller = received.caller()?;
    let (account, is_studio) = (caller.account.id.clone(), caller.key_id().is_none());
    let upload = uploads::create(&app, &account, received.body.clone()).await?;
    if is_studio {
        previews::prepare(&app, upload.blob.clone(), received.body, received.memory);
    }
    Ok((StatusCode::CREATED, Json(view(&app, &upload))).into_response())
}

/// Get an uploaded image.
#[utoipa::path(
    get,
    path = "/api/uploads/{id}",
    operation_id = "find_upload",
    tag = "Editing",
    params(("id" = String, Path, description = "The upload's id")),
    responses(
        (status = 200, description = "The file, as it was uploaded", content((inline(FileContent) = "image/*"))),
        (status = 206, description = "The part of the file that `Range` asks for", content((inline(FileContent) = "image/*"))),
        (status = 304, description = "You already have the file"),
        (status = 403, description = "The API key has neither the scope `edit` nor `read`", body = ErrorBody),
        (status = 404, description = "There is no such upload, it has expired, or it is not yours", body = ErrorBody),
        (status = 416, description = "The file has no such bytes", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn find_upload(
    State(app): State<Arc<App>>,
    Named(id): Named,
    parts: Parts,
) -> ApiResult<Response> {
    let caller = auth::caller(&app, &parts).await?;
    caller.require_any([Scope::Edit, Scope::Read])?;
    let (upload, blob) = uploads::open(&app, &caller.account.id, &id).await?;
    let content = (upload.id.as_str(), upload.media_type.as_str());
    let mut response = files::content(blob, &parts.headers, content).await?;
    response.headers_mut().insert(header::CACHE_CONTROL, CACHE);
    Ok(response)
}

/// Delete an upload before it expires.
#[utoipa::path(
    delete,
    path = "/api/uploads/{id}",
    operation_id = "delete_upload",
    tag = "Editing",
    params(("id" = String, Path, description = "The upload's id")),
    responses(
        (status = 204, description = "The upload has been deleted"),
        (status = 403, description = "The API key does not have the scope `edit`, or the call came from another site's page", body = ErrorBody),
        (status = 404, description = "There is no such upload, it has expired, or it is not yours", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn delete_upload(
    State(app): State<Arc<App>>,
    Named(id): Named,
    parts: Parts,
) -> ApiResult<StatusCode> {
    let caller = auth::caller(&app, &parts).await?;
    caller.require(Scope::Edit)?;
    let account = &caller.account.id;
    let upload = uploads::find(&app, account, &id).await?;
    uploads::remove(&app, account, &upload).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An upload as shown to its owner.
pub(crate) fn view(app: &App, upload: &Upload) -> UploadView {
    UploadView {
        url: app.upload_url(upload.id.as_str()),
        id: upload.id.to_string(),
        width: upload.width,
        height: upload.height,
        bytes: upload.bytes,
        expires_at: upload.expires_at,
    }
}
