//! What all calls have in common: request ids, headers, limits, metrics and bodies.

pub mod bodies;
pub mod compress;
pub mod guard;
pub mod host;
pub mod intake;
pub mod multipart;
pub mod observe;
pub mod pieces;
pub mod rates;
pub mod receipt;
pub mod request_id;
pub mod route;

use axum::http::HeaderName;

/// With the value `no`, tells proxies such as nginx to pass on each part of a response immediately.
pub const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The beginning of a text from a caller, so that a long one cannot bloat a response.
pub fn shown(text: &str) -> &str {
    const CHARS_SHOWN: usize = 80;
    text.char_indices().nth(CHARS_SHOWN).map_or(text, |(end, _)| &text[..end])
}
