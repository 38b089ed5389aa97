//! Responses, and how to read them without trusting them.

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use thiserror::Error;

/// Maximum number of characters of a provider's response that are kept for the log.
const SHOWN_CHARS_MAX: usize = 300;

/// A complete response, including its body.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

/// The body of a response is not the JSON that was expected.
#[derive(Debug, Error)]
#[error("status {status}, unexpected JSON: {cause}")]
pub struct UnexpectedJson {
    status: StatusCode,
    cause: serde_json::Error,
}

impl Answer {
    /// The body as JSON of type `T`.
    ///
    /// # Errors
    /// [`UnexpectedJson`] when it is something else.
    pub fn json<'a, T: Deserialize<'a>>(&'a self) -> Result<T, UnexpectedJson> {
        let status = self.status;
        serde_json::from_slice(&self.body).map_err(|cause| UnexpectedJson { status, cause })
    }

    /// The beginning of the body on one line, for the operator.
    pub fn shown(&self) -> String {
        let line = on_one_line(&String::from_utf8_lossy(&self.body), SHOWN_CHARS_MAX);
        format!("status {}: {line}", self.status.as_u16())
    }

    /// The value of the header `name`, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// How long to wait, in milliseconds, according to the headers `retry-after-ms` or
    /// `Retry-After` in seconds (RFC 9110, 10.2.3). Dates are ignored, because they would require a
    /// clock that agrees with the server's.
    pub fn retry_after_ms(&self) -> Option<u64> {
        let precise = self.header("retry-after-ms").and_then(|text| text.trim().parse().ok());
        let seconds = || {
            let text = self.header(header::RETRY_AFTER.as_str())?;
            let seconds: f64 = text.trim().parse().ok()?;
            // Rounded up to whole milliseconds. Callers limit absurd values. Values that are not
            // durations (`-1`, `NaN` and `inf` all parse as numbers) are ignored.
            let is_a_time = seconds.is_finite() && seconds >= 0.0;
            is_a_time.then(|| (seconds * 1000.0).ceil() as u64)
        };
        precise.or_else(seconds)
    }
}

/// The first `chars_max` characters of `text`, on one line.
pub fn on_one_line(text: &str, chars_max: usize) -> String {
    let plain = |character: char| if character.is_control() { ' ' } else { character };
    text.chars().map(plain).take(chars_max).collect()
}
