//! Style sheets, scripts and images of the pages, built into the program.
//!
//! All of them share one hash in their URLs. Modules import each other by relative URLs, so a
//! browser never mixes two versions of the application.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::error::{ApiError, ApiResult};

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
    "page.js" MODULE,
    "dom.js" MODULE,
    "shelf.js" MODULE,
    "studio.js" MODULE,
    "pictures.js" MODULE,
    "settings.js" MODULE,
    "instruction.js" MODULE,
    "foresee.js" MODULE,
    "runner.js" MODULE,
    "viewer.js" MODULE,
    "zoom.js" MODULE,
    "result.js" MODULE,
    "versions.js" MODULE,
    "several.js" MODULE,
    "snippets.js" MODULE,
    "passkeys.js" MODULE,
    "mark.svg" "image/svg+xml",
];

/// The sample photo.
const SAMPLE: Asset =
    ("coffee.jpg", "image/jpeg", include_bytes!("../../../../samples/coffee.jpg"));

static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut all = Sha256::new();
    for (name, kind, bytes) in ASSETS.iter().chain([&SAMPLE]) {
        all.update(name);
        all.update(kind);
        all.update(bytes);
    }
    all.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
});

static BASE: LazyLock<String> = LazyLock::new(|| format!("/assets/{}", *VERSION));

/// The modules of the studio, so that a browser preloads them.
pub(super) fn studio_modules() -> impl Iterator<Item = &'static str> {
    let modules = ASSETS.iter().filter(|(_, kind, _)| *kind == MODULE).map(|(name, ..)| *name);
    modules.filter(|name| !["studio.js", "passkeys.js"].contains(name))
}

/// The path prefix of the assets.
pub(super) fn base() -> &'static str {
    &BASE
}

/// The gzipped assets without the sample photo, compressed once at the first request.
static PACKED: LazyLock<BTreeMap<&str, Vec<u8>>> = LazyLock::new(|| {
    let texts = ASSETS.iter().map(|(name, _, bytes)| (*name, pack(bytes)));
    texts.filter_map(|(name, packed)| Some((name, packed.ok()?))).collect()
});

fn pack(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes)?;
    packer.finish()
}

/// Whether a browser accepts gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut codings = accepted.filter_map(|value| value.to_str().ok()).flat_map(|it| it.split(','));
    codings.any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let refused = weight.trim().trim_start_matches("q=").parse() == Ok(0.0);
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

/// An asset.
pub(super) async fn asset(
    Path((version, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let found = ASSETS.iter().chain([&SAMPLE]).find(|(known, ..)| *known == name);
    let (_, kind, bytes) = found.ok_or_else(|| ApiError::not_found("file"))?;
    let packed = PACKED.get(name.as_str()).filter(|_| takes_gzip(&headers));
    let suffix = if packed.is_some() { "-gzip" } else { "" };
    let tag = format!("\"{}{suffix}\"", *VERSION);
    let tag = HeaderValue::from_str(&tag).map_err(ApiError::internal)?;
    let cache = if version == *VERSION { FOR_EVER } else { NOT_KEPT };
    let has_it = headers.get(header::IF_NONE_MATCH).is_some_and(|theirs| *theirs == tag);
    let mut response = if has_it {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(kind))];
        (kind, packed.map_or(*bytes, Vec::as_slice)).into_response()
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
