//! `/s/{token}`: a result that its owner shares by a link, and its file. Neither reveals anything
//! else of the owner, nor the address of the stored file, which would outlive the link.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::IntoResponse;
use retouch_providers::Media;
use retouch_store::EditRecord;

use super::problem::PageResult;
use super::shell::{Here, Shell};
use super::{form, html};
use crate::api::files;
use crate::api::generations::file_name;
use crate::api::path::Named;
use crate::app::App;
use crate::edits::StoredCopy;
use crate::error::{ApiError, ApiResult, Code};
use crate::http::guard::RESOURCE_POLICY;

/// Search engines must not list what was shared with some people.
const ROBOTS: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex, nofollow"));
/// Browsers must ask each time, because the link may have ended.
const CACHE: HeaderValue = HeaderValue::from_static("private, no-cache");
/// Other sites may show a preview of the link.
const ANYWHERE: HeaderValue = HeaderValue::from_static("cross-origin");

/// The path of the page with this secret.
pub(crate) fn shared_path(token: &str) -> String {
    format!("/s/{token}")
}

#[derive(Template)]
#[template(path = "web/shared.html")]
struct SharedPage {
    shell: Shell,
    /// What its owner calls the result.
    name: Option<String>,
    is_video: bool,
    /// Width and height of the image in pixels, if they are known.
    size: Option<(u32, u32)>,
    /// The path of the file.
    file: String,
    /// The URL of a copy for screens, for previews on other sites.
    address: String,
    /// The name for a download.
    file_name: String,
}

/// The page of a shared result, for anyone.
pub(super) async fn page(
    State(app): State<Arc<App>>,
    Named(token): Named,
    parts: Parts,
) -> PageResult {
    let (edit, blob) = find(&app, &token).await?;
    let shell = Shell::of(&app, &parts, Here::Elsewhere).await?;
    let file = format!("{}/file", shared_path(&token));
    let page = SharedPage {
        shell: shell.leading_to(parts.uri.path(), "").unlisted(),
        file_name: format!("{}{}", file_name::stem(&edit), file_name::extension(&blob)),
        name: edit.name,
        is_video: Media::of(edit.kind) == Media::Mp4,
        size: edit.size,
        address: app.url_of(&format!("{file}?reduced=true")),
        file,
    };
    Ok(([ROBOTS], html::page(&page)?).into_response())
}

/// The file of a shared result, for anyone.
pub(super) async fn file(
    State(app): State<Arc<App>>,
    Named(token): Named,
    parts: Parts,
) -> PageResult {
    let (_, name) = find(&app, &token).await?;
    let media = Media::of_name(&name).ok_or_else(ended)?;
    let blob = app.store.blobs().read(&name).await?.ok_or_else(ended)?;
    let is_reduced = media.is_image() && form::query(&parts, "reduced").is_some();
    let mut response = if is_reduced {
        let tag = format!("{token}-reduced");
        files::copy(&app, (&name, StoredCopy::Screen), &tag, &parts.headers).await?
    } else {
        files::content(blob, &parts.headers, (&token, media.content_type())).await?
    };
    let answer = response.headers_mut();
    answer.insert(header::CACHE_CONTROL, CACHE);
    answer.insert(RESOURCE_POLICY, ANYWHERE);
    Ok(([ROBOTS], response).into_response())
}

/// The shared edit and the name of its stored file.
async fn find(app: &App, token: &str) -> ApiResult<(EditRecord, String)> {
    let edit = app.store.find_shared(token).await?.ok_or_else(ended)?;
    let name = edit.stored.first().cloned().ok_or_else(ended)?;
    Ok((edit, name))
}

fn ended() -> ApiError {
    ApiError::new(Code::NotFound, "This link doesn’t work. It may have been turned off.")
}
