//! Downloads what a provider made.

use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use retouch_outbound::fetch::{Caps, FetchError};
use url::Url;

use super::driver::Upstream;
use super::{Artefact, Call, CallUrl};
use crate::error::ProviderError;
use crate::provider::Media;

/// How many times a result is requested. It exists and is paid for, so a transient error must not
/// lose it.
const TRIES_MAX: u32 = 4;
/// Pause before the second try, in milliseconds. It doubles.
const PAUSE_MS: u64 = 250;
/// Time limit for downloading a video from another host, in milliseconds. At 6.4 Mbit/s, this is
/// enough for the maximum of 96 MiB. Callers' images only get seconds, but a video is already paid
/// for.
const VIDEO_MS_MAX: u64 = 120_000;
/// Maximum number of redirects to follow from a call to the provider.
const REDIRECTS_MAX: usize = 3;

impl Upstream {
    /// Downloads `artefact`, which should be of type `media`.
    pub(super) async fn collect(
        &self,
        artefact: Artefact,
        media: Media,
    ) -> Result<Bytes, ProviderError> {
        let (call, mut pause_ms) = match artefact {
            Artefact::Bytes(bytes) => return Ok(bytes),
            Artefact::Address(text) if text.starts_with("data:") => {
                return super::text::decode_base64(&text).map_err(|fault| self.explain(fault));
            }
            Artefact::Address(text) => (Call::get_url(self.address(&text)?), PAUSE_MS),
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
        Err(ProviderError::Failed(format!("could not fetch the result: {problem}")))
    }

    /// Parses an address from a response. Providers behind a proxy may leave out the host.
    fn address(&self, text: &str) -> Result<Url, ProviderError> {
        let url = self.client.base().join(text);
        url.map_err(|error| ProviderError::Failed(format!("the result has no valid URL: {error}")))
    }

    /// Downloads from another host: images within the limits for callers' images, videos within the
    /// larger limits for results.
    async fn fetch(&self, url: &Url, media: Media) -> Result<Bytes, FetchError> {
        let caps = Caps {
            accept: "video/*",
            bytes_max: self.images.results.bytes_max,
            total_ms_max: VIDEO_MS_MAX,
        };
        let bytes_max = match media {
            Media::Mp4 => caps.bytes_max,
            _ => self.images.inputs.bytes_max,
        };
        let memory = self.answers.take(bytes_max as u64).await;
        let fetched = match media {
            Media::Mp4 => self.fetcher.fetch_within(url, caps, &()).await,
            _ => self.fetcher.fetch(url, &()).await,
        }?;
        Ok(match memory {
            Some(memory) => memory.tied_to(fetched),
            None => fetched,
        })
    }

    /// Downloads once. The provider's own hosts are called with its client. Any other address
    /// follows the rules for callers' addresses.
    async fn download(&self, call: &Call, media: Media) -> Result<Bytes, String> {
        let mut call = call.clone();
        for _ in 0..=REDIRECTS_MAX {
            if let CallUrl::Absolute(url) = &call.url
                && !self.may_have_key(url)
            {
                return self.fetch(url, media).await.map_err(|error| error.to_string());
            }
            let answer = self.ask(&call).await.map_err(|error| error.to_string())?;
            match answer.status {
                StatusCode::OK => return Ok(answer.body),
                status if status.is_redirection() => {
                    let to = answer.header("location").ok_or("a redirect without a target")?;
                    let from = match &call.url {
                        CallUrl::Absolute(url) => url.clone(),
                        CallUrl::Path(_) => self.client.base().clone(),
                    };
                    let to = from.join(to).map_err(|error| error.to_string())?;
                    call = Call::get_url(to);
                }
                status => return Err(format!("status {}", status.as_u16())),
            }
        }
        Err(format!("more than {REDIRECTS_MAX} redirects"))
    }
}
