//! Reads a document that says something about its own address, so it must be exactly there: no
//! redirect is followed. Without TLS, it comes only from networks that the operator allows.

use std::time::Duration;

use bytes::Bytes;
use url::Url;

use super::exchange::{self, Answer};
use super::target::Target;
use super::{Caps, FetchError, Fetcher};

/// A document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its content.
    pub bytes: Bytes,
    /// How long its server lets it be used without asking again.
    pub fresh_for: Duration,
}

impl Fetcher {
    /// Reads the document at `url`.
    ///
    /// # Errors
    /// As [`Fetcher::fetch`].
    pub async fn document(&self, url: &Url, caps: Caps) -> Result<Document, FetchError> {
        let ms_max = caps.total_ms_max;
        let reading = tokio::time::timeout(Duration::from_millis(ms_max), self.read(url, caps));
        reading.await.unwrap_or(Err(FetchError::TooSlow { ms_max }))
    }

    async fn read(&self, url: &Url, caps: Caps) -> Result<Document, FetchError> {
        let target = Target::of(url)?;
        let stream = self.connector.connect(&target, &self.settings, true).await?;
        match exchange::get(stream, &target, (caps, &())).await? {
            Answer::Body { bytes, fresh_for } => Ok(Document { bytes, fresh_for }),
            Answer::Redirect(_) => Err(FetchError::TooManyRedirects { redirects_max: 0 }),
        }
    }
}
