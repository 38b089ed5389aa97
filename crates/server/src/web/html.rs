//! A page on its way to a browser.

use askama::Template;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use crate::error::{ApiError, ApiResult};

/// Everything comes from here; no script and no style stands in the page itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// Our own forms say where they come from also where a browser sends no `Sec-Fetch-Site`.
const REFERRER: &str = "same-origin";

const HEADERS: [(HeaderName, HeaderValue); 2] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::REFERRER_POLICY, HeaderValue::from_static(REFERRER)),
];

/// The page.
pub(super) fn page<T: Template>(template: &T) -> ApiResult<Response> {
    page_with(StatusCode::OK, template)
}

/// The page with this status.
pub(super) fn page_with<T: Template>(status: StatusCode, template: &T) -> ApiResult<Response> {
    let text = template.render().map_err(ApiError::internal)?;
    Ok((status, HEADERS, Html(text)).into_response())
}

/// A moment for people, where no script says it in their own zone: `2026-11-20 12:00 UTC`.
pub(crate) fn moment(at: &impl std::fmt::Display) -> String {
    let text = at.to_string();
    match (text.get(..10), text.get(11..16)) {
        (Some(day), Some(time)) => format!("{day} {time} UTC"),
        _ => text,
    }
}

/// A time that something took, for people: `850 ms`, `1.2 s`.
pub(super) fn duration(ms: i64) -> String {
    match ms {
        ..=999 => format!("{ms} ms"),
        _ => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
    }
}

/// On to another page of ours, to be got anew.
pub(super) fn see_other(path: &str) -> ApiResult<Response> {
    let place = HeaderValue::from_str(path).map_err(ApiError::internal)?;
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response())
}

/// The day of a moment, in UTC.
pub(super) fn day(at: &impl std::fmt::Display) -> String {
    let text = at.to_string();
    text.get(..10).unwrap_or(&text).to_owned()
}
