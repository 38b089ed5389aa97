//! Which web pages may call: only our own. A page that reached this server through a name of its own
//! (DNS rebinding) has another origin than the public URL, whatever `Host` says.

use axum::http::{HeaderMap, header};
use url::{Origin, Url};

use crate::error::{ApiError, ApiResult, Code};
use crate::http::host::names_loopback;

/// Checks that a call does not come from another site's page. Programs send no `Origin`.
///
/// # Errors
/// 403 if it does.
pub fn check(public_url: &Url, headers: &HeaderMap) -> ApiResult<()> {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    if origins.all(|origin| origin.to_str().is_ok_and(|text| is_ours(public_url, text))) {
        return Ok(());
    }
    let message = "This call came from a page of another site. Only this server's own pages, and \
                   programs, can call it.";
    Err(ApiError::new(Code::CrossSiteRequest, message))
}

/// Whether `origin` is that of the public URL, or this machine if the public URL is this machine too.
fn is_ours(public_url: &Url, origin: &str) -> bool {
    let Ok(url) = Url::parse(origin) else { return false };
    let is_local = |url: &Url| url.host_str().is_some_and(names_loopback);
    let is_same = matches!(url.origin(), Origin::Tuple(..)) && url.origin() == public_url.origin();
    is_same || is_local(&url) && is_local(public_url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_pages_may_call() {
        let public = |text: &str| Url::parse(text).unwrap();
        let site = public("https://edit.example.com");
        for (origin, ours) in [
            ("https://edit.example.com", true),
            ("https://edit.example.com:443", true),
            ("http://edit.example.com", false),
            ("https://edit.example.com.evil.example", false),
            ("https://evil.example", false),
            ("http://localhost:6274", false),
            ("null", false),
            ("", false),
        ] {
            assert_eq!(is_ours(&site, origin), ours, "{origin}");
        }
        let here = public("http://localhost:8080");
        assert!(is_ours(&here, "http://127.0.0.1:6274"));
        assert!(!is_ours(&here, "http://rebound.example:8080"));
    }
}
