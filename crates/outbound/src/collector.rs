//! A client for collectors of telemetry, such as traces.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::redirect::Policy;
use thiserror::Error;

use crate::client::ClientError;

/// Largest response that is read, in bytes. It says at most which data were rejected.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// Sends requests to a collector.
#[derive(Clone, Debug)]
pub struct Collector {
    http: reqwest::Client,
}

/// Why a request to a collector failed.
#[derive(Debug, Error)]
pub enum CollectorError {
    /// The collector could not be reached, or sent no complete response in time.
    #[error("no response: {0}")]
    NoAnswer(String),
    /// The response is too long.
    #[error("the response is larger than {ANSWER_BYTES_MAX} bytes")]
    TooLong,
}

impl Collector {
    /// A client whose calls take at most `call_ms_max` milliseconds.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn new(call_ms_max: u64) -> Result<Self, ClientError> {
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(crate::tls::config()?)
            .user_agent(concat!("retouch/", env!("CARGO_PKG_VERSION")))
            .timeout(Duration::from_millis(call_ms_max))
            .tcp_nodelay(true)
            // The collector's credentials must not follow a redirect.
            .redirect(Policy::none())
            .referer(false)
            // Ignore HTTP_PROXY and similar variables: credentials go directly to the collector.
            .no_proxy()
            .build()?;
        Ok(Self { http })
    }

    /// Sends `request` and reads the complete response, whatever its status.
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

/// The error with its causes, but without the address.
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
