//! Protection against cross-site requests: a call that changes something and sends the session
//! cookie must come from one of our own pages, according to the browser.
//!
//! This follows Go's `net/http.CrossOriginProtection` but is stricter in one point: a call with
//! neither header is refused, because a browser that sends a cookie sends at least one of them.

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, Method, Uri};
use thiserror::Error;
use url::Url;

/// The header in which a browser says where a call comes from.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Why a call with the session cookie is refused.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum CrossSite {
    /// The browser reports a page of another site.
    #[error("the browser reports that this call came from a page of another site")]
    OtherSite,
    /// The page's origin is not the host of the call.
    #[error("the page that made this call has a different origin than the address it called")]
    OtherOrigin,
    /// The origin of the call is unknown.
    #[error(
        "a call with a session cookie needs a Sec-Fetch-Site or Origin header; use an API key to \
         call the API from a program"
    )]
    Unknown,
}

/// Checks that a call with the cookie comes from our own pages. Calls that change nothing pass.
///
/// # Errors
/// If it comes from elsewhere or its origin is unknown.
pub fn check(method: &Method, headers: &HeaderMap, uri: &Uri) -> Result<(), CrossSite> {
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    if headers.contains_key(SEC_FETCH_SITE) {
        let ours = |value: &[u8]| matches!(value, b"same-origin" | b"none");
        let all_ours = headers.get_all(SEC_FETCH_SITE).iter().all(|value| ours(value.as_bytes()));
        return if all_ours { Ok(()) } else { Err(CrossSite::OtherSite) };
    }
    if !headers.contains_key(ORIGIN) {
        return Err(CrossSite::Unknown);
    }
    let host = text(headers, &HOST);
    let host = uri.authority().map(axum::http::uri::Authority::as_str).or(host);
    match (text(headers, &ORIGIN), host) {
        (Some(origin), Some(host)) if is_same(origin, host) => Ok(()),
        _ => Err(CrossSite::OtherOrigin),
    }
}

/// The header `name`, if there is exactly one and it is text.
fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    let only = all.next().filter(|_| all.next().is_none());
    only?.to_str().ok()
}

/// Whether `origin` has the host and port of `host`. The scheme is not compared, because behind a
/// proxy that terminates TLS the call does not show which one the browser used. It only determines
/// the default port.
fn is_same(origin: &str, host: &str) -> bool {
    let Some((scheme @ ("http" | "https"), _)) = origin.split_once("://") else { return false };
    let named = format!("{scheme}://{host}");
    match (address(origin), address(&named)) {
        (Some(left), Some(right)) => {
            left.host() == right.host()
                && left.port_or_known_default() == right.port_or_known_default()
        }
        _ => false,
    }
}

/// Parses `text`, which must contain nothing but scheme, host and port.
fn address(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let has_more = url.path() != "/"
        || url.query().is_some()
        || url.fragment().is_some()
        || !url.username().is_empty()
        || url.password().is_some();
    (!has_more).then_some(url)
}
