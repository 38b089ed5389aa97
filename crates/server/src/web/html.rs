//! Responses with pages, and formats for people.

use askama::Template;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use crate::error::{ApiError, ApiResult};

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

/// A number for people, with separators: `1,300`.
pub(crate) fn number(value: impl std::fmt::Display + Copy) -> String {
    let text = value.to_string();
    let (sign, digits) = text.split_at(usize::from(text.starts_with('-')));
    let mut grouped = sign.to_owned();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
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
    use super::{duration, number};

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
    fn numbers_have_a_separator_every_three_digits() {
        let cases = [(0, "0"), (999, "999"), (1_300, "1,300"), (-1_234_567, "-1,234,567")];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
    }
}
