//! Fetching what a vendor made, wherever it put it.

use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use url::Url;

use super::client::counted;
use super::driver::Upstream;
use super::{Artefact, Call, Place};
use crate::error::ProviderError;
use crate::fetch::{Caps, FetchError};
use crate::provider::Media;

/// How often a result is asked for: it exists and is paid for, so a hiccup must not lose it.
const TRIES_MAX: u32 = 4;
/// Pause before the second try, in milliseconds; it doubles.
const PAUSE_MS: u64 = 250;
/// How long a video at a stranger's address may take to arrive, in milliseconds: the 96 MiB that it
/// may have come in that time at 6.4 Mbit/s. A caller's picture gets seconds; a video is paid for.
const VIDEO_MS_MAX: u64 = 120_000;
/// Redirects that are followed from a call to the vendor.
const REDIRECTS_MAX: usize = 3;

impl Upstream {
    /// The file of `artefact`, which should be a `media`.
    pub(super) async fn collect(
        &self,
        artefact: Artefact,
        media: Media,
    ) -> Result<Bytes, ProviderError> {
        let (call, mut pause_ms) = match artefact {
            Artefact::Bytes(bytes) => return Ok(bytes),
            Artefact::Address(text) if text.starts_with("data:") => {
                return super::words::decode_base64(&text).map_err(|fault| self.explain(fault));
            }
            Artefact::Address(text) => (Call::get_address(self.address(&text)?), PAUSE_MS),
            Artefact::Call(call) => (call, PAUSE_MS),
        };
        let mut problem = String::new();
        for number in 0..TRIES_MAX {
            if number > 0 {
                tokio::time::sleep(Duration::from_millis(pause_ms)).await;
                pause_ms *= 2;
            }
            match self.download(&call, media).await {
                Ok(bytes) => return Ok(bytes),
                Err(reason) => problem = reason,
            }
        }
        Err(ProviderError::Failed(format!("its result could not be fetched: {problem}")))
    }

    /// An address in an answer; vendors behind a proxy may leave its host out.
    fn address(&self, text: &str) -> Result<Url, ProviderError> {
        let url = self.client.base().join(text);
        url.map_err(|error| ProviderError::Failed(format!("its result has no address: {error}")))
    }

    /// What lies at a stranger's address: a picture within the caps for callers' pictures, a video
    /// within those for results, which are larger.
    async fn fetch(&self, url: &Url, media: Media) -> Result<Bytes, FetchError> {
        let caps = Caps {
            accept: "video/*",
            bytes_max: self.kitchen.results.bytes_max,
            total_ms_max: VIDEO_MS_MAX,
        };
        let bytes_max = match media {
            Media::Png => self.kitchen.inputs.bytes_max,
            Media::Mp4 => caps.bytes_max,
        };
        let memory = self.answers.take(bytes_max as u64).await;
        let fetched = match media {
            Media::Png => self.fetcher.fetch(url, &()).await,
            Media::Mp4 => self.fetcher.fetch_within(url, caps, &()).await,
        }?;
        Ok(match memory {
            Some(memory) => counted(fetched, memory),
            None => fetched,
        })
    }

    /// One download. The vendor's own hosts are asked by the vendor's client; any other address is
    /// a stranger's, and is fetched under the rules for callers' addresses.
    async fn download(&self, call: &Call, media: Media) -> Result<Bytes, String> {
        let mut call = call.clone();
        for _ in 0..=REDIRECTS_MAX {
            if let Place::Address(url) = &call.place
                && !self.may_have_key(url)
            {
                return self.fetch(url, media).await.map_err(|error| error.to_string());
            }
            let answer = self.ask(&call).await.map_err(|error| error.to_string())?;
            match answer.status {
                StatusCode::OK => return Ok(answer.body),
                status if status.is_redirection() => {
                    let to = answer.header("location").ok_or("a redirect to nowhere")?;
                    let from = match &call.place {
                        Place::Address(url) => url.clone(),
                        Place::Path(_) => self.client.base().clone(),
                    };
                    let to = from.join(to).map_err(|error| error.to_string())?;
                    call = Call::get_address(to);
                }
                status => return Err(format!("status {}", status.as_u16())),
            }
        }
        Err(format!("more than {REDIRECTS_MAX} redirects"))
    }
}
