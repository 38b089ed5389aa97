//! `GET /files/{name}`: a stored image, for whoever has its unguessable address.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio_util::io::ReaderStream;

use super::path::Named;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};

/// A file of a name never changes: caches may keep it, privately and for a day, so that a deleted
/// picture does not live on.
const CACHE: &str = "private, max-age=86400, immutable";
/// Nothing in a stored file may act on a reader's behalf.
const POLICY: &str = "default-src 'none'; sandbox";

/// Get a stored image.
#[utoipa::path(
    get,
    path = "/files/{name}",
    operation_id = "find_file",
    tag = "Generations",
    params(("name" = String, Path, description = "The last part of a stored image's address")),
    responses(
        (status = 200, description = "The image", body = Vec<u8>, content_type = "image/png"),
        (status = 304, description = "The caller has it already"),
        (status = 404, description = "There is no such file", body = ErrorBody),
    )
)]
pub async fn file(
    State(app): State<Arc<App>>,
    Named(name): Named,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let found = app.store.blobs().read(&name).await?;
    let blob = found.ok_or_else(|| ApiError::not_found("file"))?;
    let tag = HeaderValue::from_str(&format!("\"{name}\"")).map_err(ApiError::internal)?;
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|theirs| *theirs == tag);
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let length = [(header::CONTENT_LENGTH, HeaderValue::from(blob.bytes))];
        (length, Body::from_stream(ReaderStream::new(blob.file))).into_response()
    };
    let answer = response.headers_mut();
    answer.insert(header::ETAG, tag);
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/png"));
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHE));
    answer.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(response)
}
