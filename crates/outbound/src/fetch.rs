//! Calls to addresses that strangers chose: downloads of input images, events for webhooks, and what
//! programs say about themselves.
//!
//! Addresses are checked after the name is resolved, and the socket connects to exactly the checked
//! address. Each redirect starts over. There is no proxy, connection pool, cookie, referrer or
//! decompression.

mod connect;
mod document;
mod error;
mod exchange;
mod post;
mod resolve;
mod target;

pub use document::Document;
pub use error::{FetchError, SetUpError};
pub use post::{Post, Posted};
pub use resolve::{Resolve, SystemResolver};

use bytes::Bytes;
use connect::Connector;
use exchange::Answer;
use ipnet::IpNet;
use std::sync::Arc;
use std::time::Duration;
use target::Target;
use url::Url;

use crate::stock::Allowance;

/// Limits on downloads.
#[derive(Clone, Debug)]
pub struct FetchSettings {
    /// Networks that may be reached on any port although they are not public.
    pub allowed_networks: Vec<IpNet>,
    /// Largest body, in bytes.
    pub bytes_max: usize,
    /// Time limit for connecting, in milliseconds.
    pub connect_ms_max: u64,
    /// Time limit for the whole download, in milliseconds.
    pub total_ms_max: u64,
    /// Maximum number of redirects to follow.
    pub redirects_max: usize,
}

/// Limits for a download other than a caller's image.
#[derive(Clone, Copy, Debug)]
pub struct Caps {
    /// The `Accept` header.
    pub accept: &'static str,
    /// Largest body, in bytes.
    pub bytes_max: usize,
    /// Time limit for the whole download, in milliseconds.
    pub total_ms_max: u64,
}

/// Makes these calls. Share it in an `Arc`.
pub struct Fetcher {
    settings: FetchSettings,
    connector: Connector,
}

impl Fetcher {
    /// A fetcher that resolves names with the operating system.
    ///
    /// # Errors
    /// [`SetUpError`] when TLS cannot be set up.
    pub fn new(settings: FetchSettings) -> Result<Self, SetUpError> {
        Self::with_resolver(settings, Arc::new(SystemResolver::default()))
    }

    /// A fetcher with its own resolver.
    ///
    /// # Errors
    /// [`SetUpError`] when TLS cannot be set up.
    pub fn with_resolver(
        settings: FetchSettings,
        resolver: Arc<dyn Resolve>,
    ) -> Result<Self, SetUpError> {
        let connector = Connector::new(resolver)?;
        Ok(Self { settings, connector })
    }

    /// Downloads an address within the limits for callers' images, whatever media type the server
    /// declares. Memory is reserved in `allowance` as the bytes arrive.
    ///
    /// # Errors
    /// [`FetchError`], whose text is for the caller and reveals nothing about internal networks.
    pub async fn fetch(&self, url: &Url, allowance: &dyn Allowance) -> Result<Bytes, FetchError> {
        let FetchSettings { bytes_max, total_ms_max, .. } = self.settings;
        let caps = Caps { accept: "image/*", bytes_max, total_ms_max };
        self.fetch_within(url, caps, allowance).await
    }

    /// Like [`Fetcher::fetch`], but within `caps`. The rules for addresses and redirects are the
    /// same.
    ///
    /// # Errors
    /// As [`Fetcher::fetch`].
    pub async fn fetch_within(
        &self,
        url: &Url,
        caps: Caps,
        allowance: &dyn Allowance,
    ) -> Result<Bytes, FetchError> {
        let ms_max = caps.total_ms_max;
        let deadline = Duration::from_millis(ms_max);
        tokio::time::timeout(deadline, self.follow(url, caps, allowance))
            .await
            .unwrap_or(Err(FetchError::TooSlow { ms_max }))
    }

    async fn follow(
        &self,
        url: &Url,
        caps: Caps,
        allowance: &dyn Allowance,
    ) -> Result<Bytes, FetchError> {
        let mut url = url.clone();
        for _ in 0..=self.settings.redirects_max {
            match self.hop(&url, caps, allowance).await? {
                Answer::Body { bytes, .. } => return Ok(bytes),
                Answer::Redirect(location) => {
                    url = url.join(&location).map_err(|_| FetchError::BadRedirect)?;
                }
            }
        }
        Err(FetchError::TooManyRedirects { redirects_max: self.settings.redirects_max })
    }

    async fn hop(
        &self,
        url: &Url,
        caps: Caps,
        allowance: &dyn Allowance,
    ) -> Result<Answer, FetchError> {
        let target = Target::of(url)?;
        let stream = self.connector.connect(&target, &self.settings, false).await?;
        exchange::get(stream, &target, (caps, allowance)).await
    }
}

impl std::fmt::Debug for Fetcher {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Fetcher").field("settings", &self.settings).finish_non_exhaustive()
    }
}
