//! The security headers of every response.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;

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

/// Adds the headers that the handler did not set.
pub async fn around<W: Future<Output = Response>>(
    app: &App,
    request: Request,
    next: impl FnOnce(Request) -> W,
) -> Response {
    let is_in_window = IN_WINDOWS.iter().any(|start| request.uri().path().starts_with(start));
    let mut response = next(request).await;
    let headers = response.headers_mut();
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
    response
}
