//! The rule against cross-site requests: a call that changes something and shows the cookie must
//! come from a page of our own, as the browser says.
//!
//! The rule is the one of Go's `net/http.CrossOriginProtection`, stricter in one point: a call
//! with neither header is refused, since a browser sends at least one with a cookie.

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, Method, Uri};
use thiserror::Error;
use url::Url;

/// What a browser says about the page that made a call.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Why a call with the cookie is not answered.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum CrossSite {
    /// The browser says that the page is not ours.
    #[error("the browser reports that this call came from a page of another site")]
    OtherSite,
    /// The page's origin is not the host that the call names.
    #[error("the page that made this call has a different origin than the address it called")]
    OtherOrigin,
    /// Nothing says where the call comes from.
    #[error(
        "a call with a session cookie needs a Sec-Fetch-Site or Origin header; use an API key to \
         call the API from a program"
    )]
    Unknown,
}

/// Whether a call with the cookie comes from our own pages; a call that changes nothing passes.
///
/// # Errors
/// When it comes from elsewhere, or does not say.
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

/// The header `name`, where there is exactly one and it is text.
fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    let only = all.next().filter(|_| all.next().is_none());
    only?.to_str().ok()
}

/// Whether `origin` has the host and port that `host` names. The scheme is not compared, because
/// behind a proxy that ends TLS the call does not show which one the browser used; it only says
/// which port is meant where none is written.
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

/// `text` as an address of nothing but scheme, host and port.
fn address(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let has_more = url.path() != "/"
        || url.query().is_some()
        || url.fragment().is_some()
        || !url.username().is_empty()
        || url.password().is_some();
    (!has_more).then_some(url)
}
