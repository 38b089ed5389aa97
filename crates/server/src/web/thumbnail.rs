//! `/thumbnails/{name}`: a small version of a stored image. It is created at the first request, and
//! stored until the image is deleted.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use retouch_engine::codec::Format;
use retouch_providers::Media;

use crate::api::path::Named;
use crate::app::App;
use crate::edits::thumbnail_name;
use crate::error::{ApiError, ApiResult};
use crate::previews::{Small, small_copy};

/// Twice the width of the widest tile, for dense screens, and small enough for pages with 24
/// thumbnails.
const SMALL: Small = Small { side_px_max: 480, bytes_max: 40 * 1024 };
/// The same as for the image itself.
const CACHE: &str = "private, max-age=86400, immutable";
const POLICY: &str = "default-src 'none'; sandbox";

/// A thumbnail of a stored image, for anyone who has its unguessable name.
pub(super) async fn thumbnail(
    State(app): State<Arc<App>>,
    Named(name): Named,
    headers: HeaderMap,
) -> ApiResult<Response> {
    if !Media::of_name(&name).is_some_and(Media::is_image) {
        return Err(ApiError::not_found("file"));
    }
    let tag = HeaderValue::from_str(&format!("\"{name}\"")).map_err(ApiError::internal)?;
    let bytes = match app.stored(&thumbnail_name(&name)).await? {
        Some(bytes) => bytes,
        None => make(&app, &name).await?,
    };
    let mut response = if headers.get(header::IF_NONE_MATCH).is_some_and(|theirs| *theirs == tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let is_png = Format::of(&bytes) == Some(Format::Png);
        let kind = HeaderValue::from_static(if is_png { "image/png" } else { "image/jpeg" });
        ([(header::CONTENT_TYPE, kind)], bytes).into_response()
    };
    let answer = response.headers_mut();
    answer.insert(header::ETAG, tag);
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHE));
    answer.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(response)
}

/// The path of the thumbnail of the stored image `name`.
pub(crate) fn thumbnail_path(name: &str) -> String {
    format!("/thumbnails/{name}")
}

async fn make(app: &App, name: &str) -> ApiResult<Bytes> {
    let gone = || ApiError::not_found("file");
    let small = small_copy(app, name, SMALL).await?.ok_or_else(gone)?;
    app.store.blobs().put(&thumbnail_name(name), small.clone()).await?;
    // If the image was deleted meanwhile, delete the thumbnail too.
    if app.store.blobs().read(name).await?.is_none() {
        app.store.blobs().delete(&thumbnail_name(name)).await?;
        return Err(gone());
    }
    Ok(small)
}
