//! Sends a message to an address that a stranger chose. The address is checked as for a download, and
//! no redirect is followed.

use std::time::Duration;

use bytes::Bytes;
use http::header::{CONNECTION, CONTENT_TYPE, HOST, RETRY_AFTER, USER_AGENT};
use http::{HeaderName, Request};
use http_body_util::Full;
use url::Url;

use super::exchange::respond;
use super::target::Target;
use super::{FetchError, Fetcher};

/// A message.
#[derive(Clone, Debug)]
pub struct Post {
    /// Its headers, besides those that every message has.
    pub headers: Vec<(HeaderName, String)>,
    /// Its body, as JSON.
    pub body: String,
    /// Time limit for the whole call, in milliseconds.
    pub total_ms_max: u64,
}

/// The response to a message. Its body is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The status.
    pub status: u16,
    /// The header `Retry-After`.
    pub retry_after: Option<String>,
}

impl Fetcher {
    /// Sends a message. Without TLS, it goes only to networks that the operator allows.
    ///
    /// # Errors
    /// [`FetchError`], if no response arrived. Its text reveals nothing about internal networks.
    pub async fn post(&self, url: &Url, post: &Post) -> Result<Posted, FetchError> {
        let ms_max = post.total_ms_max;
        let calling = tokio::time::timeout(Duration::from_millis(ms_max), self.call(url, post));
        calling.await.unwrap_or(Err(FetchError::TooSlow { ms_max }))
    }

    async fn call(&self, url: &Url, post: &Post) -> Result<Posted, FetchError> {
        let target = Target::of(url)?;
        let request = request(&target, post)?;
        let stream = self.connector.connect(&target, &self.settings, true).await?;
        respond(stream, request, async |response| {
            let retry_after = response.headers().get(RETRY_AFTER);
            let retry_after = retry_after.and_then(|value| value.to_str().ok()).map(str::to_owned);
            Ok(Posted { status: response.status().as_u16(), retry_after })
        })
        .await
    }
}

fn request(target: &Target, post: &Post) -> Result<Request<Full<Bytes>>, FetchError> {
    let mut request = Request::post(&target.path)
        .header(HOST, &target.authority)
        .header(USER_AGENT, concat!("retouch/", env!("CARGO_PKG_VERSION")))
        .header(CONTENT_TYPE, "application/json")
        .header(CONNECTION, "close");
    for (name, value) in &post.headers {
        request = request.header(name, value);
    }
    request.body(Full::new(Bytes::from(post.body.clone()))).map_err(|_| FetchError::NoHost)
}
