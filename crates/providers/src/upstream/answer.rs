//! Responses of providers, and how to read them without trusting them.

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;

use super::Fault;
use super::text::on_one_line;

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

impl Answer {
    /// The body as JSON of type `T`.
    ///
    /// # Errors
    /// [`Fault::Failed`] when it is something else: the provider answered, but the outcome cannot
    /// be read.
    pub fn json<'a, T: Deserialize<'a>>(&'a self) -> Result<T, Fault> {
        serde_json::from_slice(&self.body).map_err(|error| {
            Fault::Failed(format!("status {}, unexpected JSON: {error}", self.status))
        })
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
    /// clock that agrees with the provider's.
    pub fn retry_after_ms(&self) -> Option<u64> {
        let precise = self.header("retry-after-ms").and_then(|text| text.trim().parse().ok());
        let seconds = || {
            let text = self.header(header::RETRY_AFTER.as_str())?;
            let seconds: f64 = text.trim().parse().ok()?;
            // Rounded up to whole milliseconds. The driver limits absurd values. Values that are
            // not durations (`-1`, `NaN` and `inf` all parse as numbers) are ignored.
            let is_a_time = seconds.is_finite() && seconds >= 0.0;
            is_a_time.then(|| (seconds * 1000.0).ceil() as u64)
        };
        precise.or_else(seconds)
    }
}
