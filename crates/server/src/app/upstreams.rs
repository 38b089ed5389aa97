//! The configured providers, created from the settings.

use std::sync::Arc;
use std::time::Duration;

use retouch_core::Entropy;
use retouch_engine::codec;
use retouch_outbound::client::{ClientError, ClientLimits, Endpoint, Key};
use retouch_outbound::fetch::{FetchSettings, Fetcher};
use retouch_outbound::stock::Stock;
use retouch_providers::upstream::{GateLimits, Shared, Upstream, UpstreamParts};
use retouch_providers::workshop::{Workshop, WorkshopLimits};
use thiserror::Error;
use tokio::time::{Instant, timeout};

use super::BuildError;
use crate::config::{ProviderSettings, ProviderUnusable, Secret, Settings};

/// The maximum wait for a free slot at a provider, in milliseconds. After that, another route is
/// better.
const TURN_MS_MAX: u64 = 60_000;
/// The maximum size of a provider's response, in bytes: enough for the largest result in base64.
const ANSWER_BYTES_MAX: usize = 128 << 20;
/// The maximum size of a provider's result as a file, in bytes.
const RESULT_BYTES_MAX: usize = 96 << 20;

/// Time limit for a provider's answer to a test, in milliseconds.
pub(crate) const PROBE_MS_MAX: u64 = 10_000;

/// Why a configured provider cannot be created.
#[derive(Debug, Error)]
pub enum UpstreamError {
    /// Its settings are invalid.
    #[error(transparent)]
    Unusable(#[from] ProviderUnusable),
    /// Its client cannot be created.
    #[error("the provider {name}: {cause}")]
    Client {
        /// Its name.
        name: String,
        /// Why.
        cause: ClientError,
    },
}

/// What all providers share.
///
/// # Errors
/// If the operating system refuses to start threads, or the client for image URLs cannot be
/// created.
pub(crate) fn shared(settings: &Settings, entropy: Arc<dyn Entropy>) -> Result<Shared, BuildError> {
    let inputs = codec::Limits {
        bytes_max: settings.edits.image_bytes_max,
        pixels_max: settings.edits.image_pixels_max,
        ..codec::Limits::default()
    };
    Ok(Shared {
        workshop: Workshop::new(workshop_limits(settings))?,
        fetcher: Arc::new(Fetcher::new(fetch_settings(settings))?),
        inputs,
        results: codec::Limits { bytes_max: RESULT_BYTES_MAX, ..inputs },
        answers: Stock::new(settings.server.bodies_bytes_max as u64),
        entropy,
    })
}

/// The configured providers, ordered by name.
///
/// # Errors
/// If one of them cannot be created.
pub(crate) fn build(settings: &Settings, shared: &Shared) -> Result<Vec<Upstream>, UpstreamError> {
    let all = settings.providers.iter();
    all.map(|(name, provider)| one(name, provider, settings, shared)).collect()
}

/// The configured provider `name`.
///
/// # Errors
/// If it cannot be created.
pub(crate) fn one(
    name: &str,
    provider: &ProviderSettings,
    settings: &Settings,
    shared: &Shared,
) -> Result<Upstream, UpstreamError> {
    let dialect = provider.dialect(name)?;
    let parts = UpstreamParts {
        name: name.to_owned(),
        endpoint: Endpoint {
            base: provider.base_url.clone(),
            key: provider.api_key.as_ref().map(Secret::reveal).map(Key::new),
        },
        client: ClientLimits {
            connect_ms_max: provider.connect_ms_max,
            answer_ms_max: settings.edits.provider_ms_max,
            idle_ms_max: provider.idle_ms_max,
            answer_bytes_max: ANSWER_BYTES_MAX,
        },
        gate: GateLimits {
            concurrent_max: provider.concurrent_max,
            queue_max: provider.queue_max,
            wait_ms_max: TURN_MS_MAX,
        },
    };
    let made = Upstream::new(parts, dialect, shared);
    made.map_err(|cause| UpstreamError::Client { name: name.to_owned(), cause })
}

/// Asks `provider` whether it is reachable and accepts its key, which costs nothing. The result has
/// the time that it took.
///
/// # Errors
/// What is wrong.
pub(crate) async fn probe(provider: &Upstream) -> Result<String, String> {
    let began = Instant::now();
    let said = timeout(Duration::from_millis(PROBE_MS_MAX), provider.probe()).await;
    let ms = began.elapsed().as_millis();
    match said {
        Ok(Ok(said)) => Ok(format!("{said} ({ms} ms)")),
        Ok(Err(problem)) => Err(format!("{problem} ({ms} ms)")),
        Err(_) => Err(format!("no response within {PROBE_MS_MAX} ms; check base_url")),
    }
}

pub(super) fn fetch_settings(settings: &Settings) -> FetchSettings {
    let fetch = &settings.fetch;
    FetchSettings {
        allowed_networks: fetch.allowed_networks.clone(),
        bytes_max: fetch.bytes_max,
        connect_ms_max: fetch.connect_ms_max,
        total_ms_max: fetch.total_ms_max,
        redirects_max: fetch.redirects_max,
    }
}

fn workshop_limits(settings: &Settings) -> WorkshopLimits {
    WorkshopLimits {
        workers_max: settings.edits.workers_max,
        memory_bytes_max: settings.edits.memory_bytes_max,
        queue_max: settings.edits.queue_max,
    }
}
