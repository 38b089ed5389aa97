//! `/thumbnails/{name}`: a small version of a stored image. It is created at the first request, and
//! stored until the image is deleted.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use retouch_engine::codec::{self, FitRules, Format};
use retouch_providers::{Media, ProviderError};

use crate::api::path::Named;
use crate::app::App;
use crate::edits::thumbnail_name;
use crate::error::{ApiError, ApiResult, overloaded};

/// Twice the width of the widest tile, for dense screens.
const SIDE_PX_MAX: u32 = 480;
/// Small enough for pages with 24 thumbnails.
const BYTES_MAX: usize = 40 * 1024;
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
    let blob = app.store.blobs().read(name).await?.ok_or_else(gone)?;
    // Anyone can send any number of requests, and each holds a whole image in memory.
    let _memory = app.bodies.try_take(blob.bytes).ok_or_else(overloaded)?;
    let picture = app.stored(name).await?.ok_or_else(gone)?;
    let small = shrunk(app, picture).await?;
    app.store.blobs().put(&thumbnail_name(name), small.clone()).await?;
    // If the image was deleted meanwhile, delete the thumbnail too.
    if app.store.blobs().read(name).await?.is_none() {
        app.store.blobs().delete(&thumbnail_name(name)).await?;
        return Err(gone());
    }
    Ok(small)
}

async fn shrunk(app: &App, picture: Bytes) -> ApiResult<Bytes> {
    let rules = FitRules {
        formats: &[Format::Png, Format::Jpeg],
        bytes_max: BYTES_MAX,
        side_px_min: 1,
        side_px_max: SIDE_PX_MAX,
        pixels_max: u64::from(SIDE_PX_MAX) * u64::from(SIDE_PX_MAX),
    };
    // A result of a provider may be larger than the limit for uploads.
    let limits = codec::Limits { bytes_max: usize::MAX, ..codec::Limits::default() };
    let header = codec::probe(&picture, &limits).map_err(ApiError::internal)?;
    let admitted = app.workshop.admit(codec::fit_bytes(&header, &rules)).await;
    let permit = admitted.map_err(ProviderError::from)?;
    let work = permit.run(move || {
        let fitted = codec::fit(&picture, &limits, &rules);
        fitted.map(|fitted| fitted.map_or(picture, |fitted| fitted.bytes.into()))
    });
    work.await.map_err(ApiError::internal)?.map_err(ApiError::internal)
}
