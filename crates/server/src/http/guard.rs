//! The security headers of every response.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};

use crate::app::App;
use crate::auth::cookie::CookieKind;

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
/// Which sites may embed a response.
pub const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The headers that a response gets unless its handler sets them.
const DEFAULTS: [(HeaderName, &str); 7] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    (header::CACHE_CONTROL, "no-store"),
    (OPENER_POLICY, "same-origin"),
    (RESOURCE_POLICY, "same-origin"),
    // None of our pages uses these.
    (
        PERMISSIONS_POLICY,
        "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), serial=(), usb=()",
    ),
];

/// Where the paths of pages begin that an assistant's site may have opened in a window, which it waits
/// for. A stricter policy would look to it as if the user had closed the window.
const IN_WINDOWS: [&str; 3] = ["/oauth/", "/sign-in", "/sign-up"];

/// Browsers use only HTTPS for a year. Subdomains are not included, because they may not be ours.
const TRANSPORT_SECURITY: &str = "max-age=31536000";

/// Whether an assistant's site may have opened this page in a window.
pub fn is_in_window(uri: &Uri) -> bool {
    IN_WINDOWS.iter().any(|start| uri.path().starts_with(start))
}

/// Adds the headers that the handler did not set.
pub fn add_headers(app: &App, is_in_window: bool, headers: &mut HeaderMap) {
    if is_in_window {
        headers.insert(OPENER_POLICY, HeaderValue::from_static("unsafe-none"));
    }
    for (name, value) in DEFAULTS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if app.cookies() == CookieKind::Secure {
        let value = HeaderValue::from_static(TRANSPORT_SECURITY);
        headers.insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
}
