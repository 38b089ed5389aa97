//! Responses with pages, and formats for people.

use askama::Template;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use crate::error::{ApiError, ApiResult};
use crate::words::number;

/// Pages load only from this server, and have no inline scripts or styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// Makes browsers without `Sec-Fetch-Site` send a referrer with our own forms.
const REFERRER: &str = "same-origin";

const HEADERS: [(HeaderName, HeaderValue); 2] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::REFERRER_POLICY, HeaderValue::from_static(REFERRER)),
];

/// A page with status 200.
pub(super) fn page<T: Template>(template: &T) -> ApiResult<Response> {
    page_with(StatusCode::OK, template)
}

/// A page with this status.
pub(super) fn page_with<T: Template>(status: StatusCode, template: &T) -> ApiResult<Response> {
    let text = template.render().map_err(ApiError::internal)?;
    Ok((status, HEADERS, Html(text)).into_response())
}

/// A time for people: `2026-11-20 12:00 UTC`. A script converts it to the reader's time zone.
pub(crate) fn moment(at: &impl std::fmt::Display) -> String {
    let text = at.to_string();
    match (text.get(..10), text.get(11..16)) {
        (Some(day), Some(time)) => format!("{day} {time} UTC"),
        _ => text,
    }
}

/// A duration for people: `0.9 s`, `1.2 s`, `2 min 5 s`.
pub(super) fn duration(ms: i64) -> String {
    let tenths = ms.saturating_add(50) / 100;
    match tenths {
        ..=0 => "under 0.1 s".to_owned(),
        1..=599 => format!("{}.{} s", tenths / 10, tenths % 10),
        _ => format!("{} min {} s", tenths / 600, tenths % 600 / 10),
    }
}

/// An amount of dollars, in millionths, for people: `$1,300.05`, `-$0.39`.
pub(super) fn usd(micros: i64) -> String {
    /// Millionths of a dollar in a cent.
    const CENT: u64 = 10_000;
    let cents = (micros.unsigned_abs() + CENT / 2) / CENT;
    let sign = if micros < 0 && cents > 0 { "-" } else { "" };
    format!("{sign}${}.{:02}", number(cents / 100), cents % 100)
}

/// A size for people: `512 B`, `1.2 MB`, `3.4 GB`.
pub(super) fn bytes(bytes: u64) -> String {
    let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)];
    let unit = units.into_iter().find(|(_, size)| bytes >= *size);
    unit.map_or_else(
        || format!("{bytes} B"),
        |(name, size)| format!("{}.{} {name}", number(bytes / size), bytes % size * 10 / size),
    )
}

/// Redirects to another of our pages, which the browser loads with GET.
pub(super) fn see_other(path: &str) -> ApiResult<Response> {
    let place = HeaderValue::from_str(path).map_err(ApiError::internal)?;
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response())
}

/// The date of a moment, in UTC.
pub(super) fn day(at: &impl std::fmt::Display) -> String {
    let text = at.to_string();
    text.get(..10).unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{bytes, duration, usd};

    #[test]
    fn durations_are_rounded_to_what_people_need() {
        let cases = [
            (0, "under 0.1 s"),
            (850, "0.9 s"),
            (1_249, "1.2 s"),
            (59_960, "1 min 0 s"),
            (125_000, "2 min 5 s"),
        ];
        for (ms, text) in cases {
            assert_eq!(duration(ms), text);
        }
    }

    #[test]
    fn money_and_sizes_are_rounded_for_people() {
        let money = [(0, "$0.00"), (390_000, "$0.39"), (-5_000, "-$0.01"), (-4_999, "$0.00")];
        for (micros, text) in money {
            assert_eq!(usd(micros), text);
        }
        for (size, text) in [(999, "999 B"), (1_250_000, "1.2 MB"), (2_000_000_000, "2.0 GB")] {
            assert_eq!(bytes(size), text);
        }
    }
}
