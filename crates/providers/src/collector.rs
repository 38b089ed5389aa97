//! Whoever takes what the service tells of itself, such as a collector of traces: here because only
//! this crate calls out.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::redirect::Policy;
use thiserror::Error;

use crate::upstream::ClientError;

/// Largest answer that is read, in bytes: it says at most what was not taken.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// Speaks to a collector.
#[derive(Clone, Debug)]
pub struct Collector {
    http: reqwest::Client,
}

/// Why a collector has taken nothing.
#[derive(Debug, Error)]
pub enum CollectorError {
    /// It was not reached, or gave no whole answer in time.
    #[error("no answer: {0}")]
    NoAnswer(String),
    /// It answered more than is read.
    #[error("the answer is longer than {ANSWER_BYTES_MAX} bytes")]
    TooLong,
}

impl Collector {
    /// A client whose calls take at most `call_ms_max` milliseconds each.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn new(call_ms_max: u64) -> Result<Self, ClientError> {
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(crate::tls::config()?)
            .user_agent(concat!("retouch/", env!("CARGO_PKG_VERSION")))
            .timeout(Duration::from_millis(call_ms_max))
            .tcp_nodelay(true)
            // What opens the collector must not travel.
            .redirect(Policy::none())
            .referer(false)
            // HTTP_PROXY and its like are for other programs: a key goes to its provider alone.
            .no_proxy()
            .build()?;
        Ok(Self { http })
    }

    /// Sends `request` and takes the whole answer, whatever its status.
    ///
    /// # Errors
    /// [`CollectorError`].
    pub async fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> Result<http::Response<Bytes>, CollectorError> {
        let request = reqwest::Request::try_from(request).map_err(no_answer)?;
        let mut response = self.http.execute(request).await.map_err(no_answer)?;
        let mut body = BytesMut::new();
        while let Some(piece) = response.chunk().await.map_err(no_answer)? {
            if body.len() + piece.len() > ANSWER_BYTES_MAX {
                return Err(CollectorError::TooLong);
            }
            body.extend_from_slice(&piece);
        }
        let mut answer = http::Response::new(body.freeze());
        *answer.status_mut() = response.status();
        *answer.headers_mut() = std::mem::take(response.headers_mut());
        Ok(answer)
    }
}

/// With everything that caused it, and without the address.
fn no_answer(error: reqwest::Error) -> CollectorError {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    CollectorError::NoAnswer(text)
}
