//! Fetching an input picture from an address that a stranger chose.
//!
//! The address is checked after resolving and the socket goes to exactly what was checked; every
//! redirect starts over. There is no proxy, no pool, no cookie, no referrer and no decompression.

mod connect;
mod error;
mod exchange;
mod resolve;
mod target;

pub use error::{FetchError, SetUpError};
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

/// What a fetch may reach and cost.
#[derive(Clone, Debug)]
pub struct FetchSettings {
    /// Networks that may be reached although they are not public, on any port.
    pub allowed_networks: Vec<IpNet>,
    /// Bytes of the body.
    pub bytes_max: usize,
    /// Milliseconds for one connection.
    pub connect_ms_max: u64,
    /// Milliseconds for everything.
    pub total_ms_max: u64,
    /// Redirects that are followed.
    pub redirects_max: usize,
}

/// What one fetch is for and may cost, where it is not a caller's picture.
#[derive(Clone, Copy, Debug)]
pub struct Caps {
    /// The type that is asked for, as `Accept` says it.
    pub accept: &'static str,
    /// Bytes of the body.
    pub bytes_max: usize,
    /// Milliseconds for everything.
    pub total_ms_max: u64,
}

/// Fetches pictures; cheap to share behind an `Arc`.
pub struct Fetcher {
    settings: FetchSettings,
    connector: Connector,
}

impl Fetcher {
    /// A fetcher that asks the system for addresses.
    ///
    /// # Errors
    /// [`SetUpError`] when encryption cannot be set up.
    pub fn new(settings: FetchSettings) -> Result<Self, SetUpError> {
        Self::with_resolver(settings, Arc::new(SystemResolver::default()))
    }

    /// A fetcher with its own way from names to addresses.
    ///
    /// # Errors
    /// [`SetUpError`] when encryption cannot be set up.
    pub fn with_resolver(
        settings: FetchSettings,
        resolver: Arc<dyn Resolve>,
    ) -> Result<Self, SetUpError> {
        let connector = Connector::new(resolver)?;
        Ok(Self { settings, connector })
    }

    /// The bytes at an address, whatever type their server says they are, within the caps for
    /// callers' pictures and in memory out of `allowance`, which is taken as they come.
    ///
    /// # Errors
    /// [`FetchError`], whose text is for the caller and tells nothing of inner networks.
    pub async fn fetch(&self, url: &Url, allowance: &dyn Allowance) -> Result<Bytes, FetchError> {
        let FetchSettings { bytes_max, total_ms_max, .. } = self.settings;
        let caps = Caps { accept: "image/*", bytes_max, total_ms_max };
        self.fetch_within(url, caps, allowance).await
    }

    /// The same within `caps`: addresses and redirects are held to the same rules.
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
                Answer::Body(bytes) => return Ok(bytes),
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
        let stream = self.connector.connect(&target, &self.settings).await?;
        exchange::get(stream, &target, (caps, allowance)).await
    }
}

impl std::fmt::Debug for Fetcher {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Fetcher").field("settings", &self.settings).finish_non_exhaustive()
    }
}
