//! `/thumbnails/{name}`: a small version of a stored image.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use retouch_providers::Media;

use crate::api::files;
use crate::api::path::Named;
use crate::app::App;
use crate::edits::StoredCopy;
use crate::error::{ApiError, ApiResult};

/// A thumbnail of a stored image, for anyone who has its unguessable name.
pub(super) async fn thumbnail(
    State(app): State<Arc<App>>,
    Named(name): Named,
    headers: HeaderMap,
) -> ApiResult<Response> {
    if !Media::of_name(&name).is_some_and(Media::is_image) {
        return Err(ApiError::not_found("file"));
    }
    files::copy(&app, (&name, StoredCopy::Thumbnail), &name, &headers).await
}

/// The path of the thumbnail of the stored image `name`.
pub(crate) fn thumbnail_path(name: &str) -> String {
    format!("/thumbnails/{name}")
}
