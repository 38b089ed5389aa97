//! Style sheets, scripts and images of the pages, built into the program.
//!
//! All of them share one hash in their URLs. Modules import each other by relative URLs, so a
//! browser never mixes two versions of the application.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use sha2::{Digest, Sha256};

use crate::error::{ApiError, ApiResult};
use crate::http::compress;

/// The content behind a URL with the current hash never changes.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// A URL with another hash comes from a page of another version.
const NOT_KEPT: &str = "no-store";

const CSS: &str = "text/css; charset=utf-8";
const MODULE: &str = "text/javascript; charset=utf-8";

/// A file: name, content type, content.
type Asset = (&'static str, &'static str, &'static [u8]);

macro_rules! assets {
    ($($name:literal $kind:expr),* $(,)?) => {
        &[$(($name, $kind, include_bytes!(concat!("../../assets/web/", $name)))),*]
    };
}

const ASSETS: &[Asset] = assets![
    "app.css" CSS,
    "lists.css" CSS,
    "admin.css" CSS,
    "studio.css" CSS,
    "composer.css" CSS,
    "page.js" MODULE,
    "dom.js" MODULE,
    "shelf.js" MODULE,
    "studio.js" MODULE,
    "stage.js" MODULE,
    "pictures.js" MODULE,
    "strip.js" MODULE,
    "files.js" MODULE,
    "thumbnails.js" MODULE,
    "uploads.js" MODULE,
    "settings.js" MODULE,
    "instruction.js" MODULE,
    "foresee.js" MODULE,
    "plan.js" MODULE,
    "steps.js" MODULE,
    "controls.js" MODULE,
    "reduced.js" MODULE,
    "refusal.js" MODULE,
    "problems.js" MODULE,
    "request.js" MODULE,
    "repeat.js" MODULE,
    "runner.js" MODULE,
    "viewer.js" MODULE,
    "compare.js" MODULE,
    "register.js" MODULE,
    "zoom.js" MODULE,
    "result.js" MODULE,
    "actions.js" MODULE,
    "versions.js" MODULE,
    "tree.js" MODULE,
    "batch.js" MODULE,
    "bulk.js" MODULE,
    "several.js" MODULE,
    "snippets.js" MODULE,
    "passkeys.js" MODULE,
    "history.js" MODULE,
    "landing.css" CSS,
    "landing.js" MODULE,
    "docs.css" CSS,
    "docs.js" MODULE,
    "mark.svg" "image/svg+xml",
];

const JPEG: &str = "image/jpeg";

/// The sample photo, and what the landing page's first instruction makes of it.
const SAMPLES: [Asset; 2] = [
    ("coffee.jpg", JPEG, include_bytes!("../../../../samples/coffee.jpg")),
    ("coffee-edited.jpg", JPEG, include_bytes!("../../../../samples/coffee-edited.jpg")),
];

/// The stable address of the sample photo, for examples of API calls.
pub(super) const SAMPLE_PATH: &str = "/sample.jpg";
/// How long browsers keep the sample photo: an hour.
const SAMPLE_KEPT: &str = "public, max-age=3600";
/// What search engines should leave alone: calls, and images that belong to someone. Shared pages are
/// not here, because search engines have to read them to learn that they may not list them.
const ROBOTS: &str = "User-agent: *
Disallow: /api/
Disallow: /files/
Disallow: /thumbnails/
Disallow: /v1/
";
/// What the names of the handbook's pictures begin with.
const OPERATION: &str = "op-";

static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut all = Sha256::new();
    for (name, kind, bytes) in ASSETS.iter().chain(&SAMPLES) {
        all.update(name);
        all.update(kind);
        all.update(bytes);
    }
    for bytes in super::docs::pictures() {
        all.update(bytes);
    }
    all.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
});

static BASE: LazyLock<String> = LazyLock::new(|| format!("/assets/{}", *VERSION));

/// The modules that the studio does not import, and the one that imports the others.
const ELSEWHERE: [&str; 5] = ["studio.js", "passkeys.js", "landing.js", "docs.js", "history.js"];

/// The modules of the studio, so that a browser preloads them.
pub(super) fn studio_modules() -> impl Iterator<Item = &'static str> {
    let modules = ASSETS.iter().filter(|(_, kind, _)| *kind == MODULE).map(|(name, ..)| *name);
    modules.filter(|name| !ELSEWHERE.contains(name))
}

/// The path prefix of the assets.
pub(super) fn base() -> &'static str {
    &BASE
}

/// The gzipped assets without the sample photo, compressed once at the first request.
static PACKED: LazyLock<BTreeMap<&str, Vec<u8>>> = LazyLock::new(|| {
    let texts =
        ASSETS.iter().map(|(name, _, bytes)| (*name, compress::gzip(bytes, Compression::best())));
    texts.filter_map(|(name, packed)| Some((name, packed.ok()?))).collect()
});

/// An asset.
pub(super) async fn asset(
    Path((version, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let found = ASSETS.iter().chain(&SAMPLES).find(|(known, ..)| *known == name);
    let found = found.map(|(_, kind, bytes)| (*kind, *bytes));
    let (kind, bytes) =
        found.or_else(|| operation(&name)).ok_or_else(|| ApiError::not_found("file"))?;
    let packed = PACKED.get(name.as_str()).filter(|_| compress::takes_gzip(&headers));
    let suffix = if packed.is_some() { "-gzip" } else { "" };
    let tag = format!("\"{}{suffix}\"", *VERSION);
    let tag = HeaderValue::from_str(&tag).map_err(ApiError::internal)?;
    let cache = if version == *VERSION { FOR_EVER } else { NOT_KEPT };
    let has_it = headers.get(header::IF_NONE_MATCH).is_some_and(|theirs| *theirs == tag);
    let mut response = if has_it {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(kind))];
        (kind, packed.map_or(bytes, Vec::as_slice)).into_response()
    };
    let answer = response.headers_mut();
    if packed.is_some() && !has_it {
        answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    answer.insert(header::ETAG, tag);
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    Ok(response)
}

/// A picture of the handbook.
fn operation(name: &str) -> Option<(&'static str, &'static [u8])> {
    let name = name.strip_prefix(OPERATION)?.strip_suffix(".jpg")?;
    Some((JPEG, super::docs::picture(name)?))
}

/// The sample photo at an address that stays the same.
pub(super) async fn sample() -> Response {
    let headers = [(header::CONTENT_TYPE, JPEG), (header::CACHE_CONTROL, SAMPLE_KEPT)];
    let [(_, _, bytes), _] = &SAMPLES;
    (headers, *bytes).into_response()
}

/// `/robots.txt`, for search engines.
pub(super) async fn robots() -> &'static str {
    ROBOTS
}
