//! `GET /files/{name}`: a stored image or video, for anyone who has its unguessable address. Video
//! players ask for parts of a file.

mod download;
mod range;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use retouch_core::AccountId;
use retouch_providers::Media;
use retouch_store::Blob;

use super::path::Named;
use super::schema::{FileContent, OutputFormatName};
use crate::app::App;
use crate::auth::client;
use crate::auth::throttle::address_account;
use crate::edits::StoredCopy;
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::guard;
use crate::previews::stored_copy;
use download::Wanted;
use range::{Part, Span};

/// A file never changes, so browsers may cache it, but for a day at most: a deleted image must not
/// stay in caches for long.
const CACHE: &str = "private, max-age=86400, immutable";
/// A redirect leads to an address that soon expires, so it must not be cached.
const ONCE: HeaderValue = HeaderValue::from_static("no-store");
/// Any page that knows the address of a file may show it.
const ANYWHERE: HeaderValue = HeaderValue::from_static("cross-origin");
/// The header in which browsers say which page makes the request.
const FETCH_SITE: &str = "sec-fetch-site";
/// Nothing in a stored file may run scripts or load anything.
const POLICY: &str = "default-src 'none'; sandbox";
/// The policy for a video. Browsers show it in a page that they generate, which has to load it.
const VIDEO_POLICY: &str =
    "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/// Get a stored image or video.
#[utoipa::path(
    get,
    path = "/files/{name}",
    operation_id = "find_file",
    tag = "Generations",
    params(
        ("name" = String, Path, description = "The last part of the file's URL"),
        ("format" = Option<OutputFormatName>, Query, description = "Converts an image. A converted image is always sent as a whole."),
        ("reduced" = Option<bool>, Query, description = "Set to `true` for a copy of an image for screens: at most 1280 pixels wide and high, as JPEG or PNG."),
        ("download" = Option<String>, Query, description = "The name to save the file under. It gets the extension of its format."),
        ("Range" = Option<String>, Header, description = "One range of bytes, such as `bytes=0-1023`. If you ask for several, you get the whole file."),
        ("If-Range" = Option<String>, Header, description = "The `ETag` of the file that `Range` is for."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the file that you already have."),
    ),
    responses(
        (status = 200, description = "The file", content((inline(FileContent) = "image/png"), (inline(FileContent) = "image/jpeg"), (inline(FileContent) = "image/webp"), (inline(FileContent) = "video/mp4"))),
        (status = 206, description = "A part of the file", content((inline(FileContent) = "image/png"), (inline(FileContent) = "image/jpeg"), (inline(FileContent) = "image/webp"), (inline(FileContent) = "video/mp4"))),
        (status = 302, description = "The file is at this URL for a short time, if the operator has enabled that"),
        (status = 304, description = "You already have the file"),
        (status = 400, description = "The file can't have this format", body = ErrorBody),
        (status = 404, description = "There is no such file", body = ErrorBody),
        (status = 410, description = "The file was kept as long as its owner's plan allows, and has been removed", body = ErrorBody),
        (status = 503, description = "The server is overloaded", body = ErrorBody),
        (status = 416, description = "The file has no such bytes", body = ErrorBody),
    )
)]
pub async fn file(
    State(app): State<Arc<App>>,
    Named(name): Named,
    parts: Parts,
) -> ApiResult<Response> {
    let headers = &parts.headers;
    // The store also has files that are not results, such as the requests of videos.
    let media = Media::of_name(&name).ok_or_else(|| ApiError::not_found("file"))?;
    let wanted = Wanted::read(&parts.uri, media)?;
    let Some(blob) = app.store.blobs().read(&name).await? else {
        return Err(gone(&app, &name).await?);
    };
    if wanted.is_plain(media)
        && let Some(elsewhere) = redirect(&app, &name, headers).await?
    {
        return Ok(elsewhere);
    }
    let mut response = if wanted.is_reduced {
        copy(&app, (&name, StoredCopy::Screen), &format!("{name}-reduced"), headers).await?
    } else if wanted.media == media {
        content(blob, headers, (&name, media.content_type())).await?
    } else {
        let tag = format!("{name}{}", wanted.media.extension());
        let whose = address_account(client::of_call(&app, &parts));
        converted(&app, blob, (&tag, wanted.media), (headers, &whose)).await?
    };
    let answer = response.headers_mut();
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHE));
    answer.insert(guard::RESOURCE_POLICY, ANYWHERE);
    wanted.name(&mut response);
    Ok(response)
}

/// The content of a stored file, or the part of it that `headers` ask for. `tag` identifies the
/// content to browsers that may have it already.
pub(crate) async fn content(
    blob: Blob,
    headers: &HeaderMap,
    (tag, media_type): (&str, &str),
) -> ApiResult<Response> {
    let tag = value(&format!("\"{tag}\""))?;
    let bytes = blob.bytes;
    let mut response = match range::asked(headers, &tag, bytes) {
        _ if has_already(headers, &tag) => StatusCode::NOT_MODIFIED.into_response(),
        Part::Whole => send(blob, Span { first: 0, length: bytes }).await?,
        Part::Some(span) => {
            let mut part = send(blob, span).await?;
            *part.status_mut() = StatusCode::PARTIAL_CONTENT;
            part.headers_mut().insert(header::CONTENT_RANGE, value(&span.of(bytes))?);
            part
        }
        Part::None => return outside(bytes),
    };
    response.headers_mut().insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    describe(&mut response, tag, media_type)?;
    Ok(response)
}

/// A smaller copy of the stored image `name`, always as a whole. `tag` identifies it to browsers that
/// may have it already.
pub(crate) async fn copy(
    app: &App,
    (name, copy): (&str, StoredCopy),
    tag: &str,
    headers: &HeaderMap,
) -> ApiResult<Response> {
    let bytes = stored_copy(app, name, copy).await?.ok_or_else(|| ApiError::not_found("file"))?;
    let media = if Media::Png.is_of(&bytes) { Media::Png } else { Media::Jpeg };
    let tag = value(&format!("\"{tag}\""))?;
    let mut response = if has_already(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        bytes.into_response()
    };
    describe(&mut response, tag, media.content_type())?;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHE));
    Ok(response)
}

/// A stored image in another format, always as a whole.
async fn converted(
    app: &Arc<App>,
    blob: Blob,
    (tag, media): (&str, Media),
    (headers, whose): (&HeaderMap, &AccountId),
) -> ApiResult<Response> {
    let tag = value(&format!("\"{tag}\""))?;
    let mut response = if has_already(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        download::converted(app, blob, media, whose).await?
    };
    describe(&mut response, tag, media.content_type())?;
    Ok(response)
}

fn has_already(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    headers.get(header::IF_NONE_MATCH).is_some_and(|theirs| theirs == tag)
}

/// Adds the headers that say what the content is.
fn describe(response: &mut Response, tag: HeaderValue, media_type: &str) -> ApiResult<()> {
    let is_video = media_type == Media::Mp4.content_type();
    let policy = if is_video { VIDEO_POLICY } else { POLICY };
    let answer = response.headers_mut();
    answer.insert(header::ETAG, tag);
    answer.insert(header::CONTENT_TYPE, value(media_type)?);
    answer.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    Ok(())
}

/// Why there is no file of this name.
async fn gone(app: &App, name: &str) -> ApiResult<ApiError> {
    let expired = app.store.find_expiry(name).await?.map(ApiError::expired);
    Ok(expired.unwrap_or_else(|| ApiError::not_found("file")))
}

/// Redirects the caller to the bucket, if the operator has enabled that. Our own pages get files
/// from here, because their content security policy allows no other origin.
async fn redirect(app: &App, name: &str, headers: &HeaderMap) -> ApiResult<Option<Response>> {
    let valid_ms = app.settings.store.presigned_ms;
    let is_our_page = headers.get(FETCH_SITE).is_some_and(|site| site == "same-origin");
    if valid_ms == 0 || is_our_page {
        return Ok(None);
    }
    let Some(address) = app.store.blobs().address(name, valid_ms).await? else { return Ok(None) };
    let headers = [
        (header::LOCATION, value(&address)?),
        (header::CACHE_CONTROL, ONCE),
        (guard::RESOURCE_POLICY, ANYWHERE),
    ];
    Ok(Some((StatusCode::FOUND, headers).into_response()))
}

async fn send(blob: Blob, span: Span) -> ApiResult<Response> {
    let length = [(header::CONTENT_LENGTH, HeaderValue::from(span.length))];
    let pieces = blob.into_pieces(span.first..span.first + span.length).await?;
    Ok((length, Body::from_stream(pieces)).into_response())
}

fn outside(bytes: u64) -> ApiResult<Response> {
    let message = format!("The file has {bytes} bytes, none of them in the requested `Range`.");
    let mut response = ApiError::new(Code::RangeNotSatisfiable, message).into_response();
    response.headers_mut().insert(header::CONTENT_RANGE, value(&format!("bytes */{bytes}"))?);
    Ok(response)
}

fn value(text: &str) -> ApiResult<HeaderValue> {
    HeaderValue::from_str(text).map_err(ApiError::internal)
}
