//! What a vendor answered, and reading it without trusting it.

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;

use super::Fault;
use super::words::on_one_line;

/// Most characters of a vendor's words that are kept for the log.
const SHOWN_CHARS_MAX: usize = 300;

/// A whole answer: its body has arrived to its end.
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
    /// The body as JSON of the form `T`.
    ///
    /// # Errors
    /// [`Fault::Failed`] when it is not: the vendor answered, and nobody can say what.
    pub fn json<'a, T: Deserialize<'a>>(&'a self) -> Result<T, Fault> {
        serde_json::from_slice(&self.body).map_err(|error| {
            Fault::Failed(format!(
                "status {}, not the JSON that was expected: {error}",
                self.status
            ))
        })
    }

    /// The beginning of the body as text on one line, for the operator.
    pub fn shown(&self) -> String {
        let line = on_one_line(&String::from_utf8_lossy(&self.body), SHOWN_CHARS_MAX);
        format!("status {}: {line}", self.status.as_u16())
    }

    /// The text of the header `name`.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// How long to wait, in milliseconds, as the headers say: `retry-after-ms`, or `Retry-After`
    /// in seconds (RFC 9110, 10.2.3). A date is left to the dialect's own back-off: it would need
    /// a clock that agrees with the vendor's.
    pub fn retry_after_ms(&self) -> Option<u64> {
        let precise = self.header("retry-after-ms").and_then(|text| text.trim().parse().ok());
        let seconds = || {
            let text = self.header(header::RETRY_AFTER.as_str())?;
            let seconds: f64 = text.trim().parse().ok()?;
            // Whole milliseconds, rounded up; the driver bounds what is absurdly long. What is no
            // time at all (`-1`, `NaN`, `inf` are numbers to a parser) says nothing.
            let is_a_time = seconds.is_finite() && seconds >= 0.0;
            is_a_time.then(|| (seconds * 1000.0).ceil() as u64)
        };
        precise.or_else(seconds)
    }
}
