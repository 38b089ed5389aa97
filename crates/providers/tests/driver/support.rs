//! An adapter for the toy protocol, an edit for it, and a journal that keeps its entries.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use retouch_core::catalogue::{Catalogue, EMBEDDED};
use retouch_core::edit::{Body, Edit, RequestLimits};
use retouch_core::{AccountId, Ids, Kind, SeededEntropy, TestClock, Timestamp};
use retouch_engine::{Picture, codec};
use retouch_outbound::client::{ClientLimits, Endpoint, Key};
use retouch_outbound::fetch::{FetchSettings, Fetcher};
use retouch_outbound::stock::Stock;
use retouch_providers::inputs::Source;
use retouch_providers::upstream::{GateLimits, Shared, Upstream, UpstreamParts};
use retouch_providers::workshop::{Workshop, WorkshopLimits};
use retouch_providers::{Job, Journal, Output, Provider, ProviderError, Reading, Task};

use crate::toy::Toy;

/// The size of the workshop.
pub const WORKSHOP: WorkshopLimits =
    WorkshopLimits { workers_max: 2, memory_bytes_max: 1 << 30, queue_max: 16 };
/// Memory for responses.
pub const ANSWERS_BYTES: u64 = 128 << 20;
/// What may be fetched.
pub const FETCH: FetchSettings = FetchSettings {
    allowed_networks: Vec::new(),
    bytes_max: 1 << 20,
    connect_ms_max: 500,
    total_ms_max: 1_000,
    redirects_max: 3,
};

/// A key that must never be logged or shown.
pub const KEY: &str = "toy-secret-0123456789";

/// An adapter for the toy protocol at `address`.
pub fn upstream(address: SocketAddr, toy: Toy) -> Upstream {
    gated(address, toy, GateLimits { concurrent_max: 4, queue_max: 4, wait_ms_max: 1_000 })
}

/// An adapter for the toy protocol at `address`, behind a gate with these limits.
pub fn gated(address: SocketAddr, toy: Toy, gate: GateLimits) -> Upstream {
    with(&shared(), parts(address, gate), toy)
}

/// An adapter for the toy protocol at `address`, with resources that it shares with other adapters.
pub fn sharing(address: SocketAddr, toy: Toy, shared: &Shared) -> Upstream {
    let gate = GateLimits { concurrent_max: 4, queue_max: 4, wait_ms_max: 1_000 };
    with(shared, parts(address, gate), toy)
}

/// An adapter for a provider at `address` that may take forever to respond.
pub fn patient(address: SocketAddr, toy: Toy) -> Upstream {
    let gate = GateLimits { concurrent_max: 4, queue_max: 4, wait_ms_max: 1_000 };
    let mut parts = parts(address, gate);
    (parts.client.answer_ms_max, parts.client.idle_ms_max) = (3_600_000, 3_600_000);
    with(&shared(), parts, toy)
}

fn with(shared: &Shared, parts: UpstreamParts, toy: Toy) -> Upstream {
    Upstream::new(parts, Box::new(toy), shared).unwrap()
}

fn parts(address: SocketAddr, gate: GateLimits) -> UpstreamParts {
    UpstreamParts {
        name: "toy".into(),
        endpoint: Endpoint {
            base: format!("http://{address}").parse().unwrap(),
            key: Some(Key::new(KEY)),
        },
        client: ClientLimits {
            connect_ms_max: 1_000,
            answer_ms_max: 300,
            idle_ms_max: 300,
            answer_bytes_max: 1 << 20,
        },
        gate,
    }
}

/// The shared resources of adapters.
pub fn shared() -> Shared {
    shared_with(FETCH)
}

/// The shared resources of adapters, including a fetcher with these settings.
pub fn shared_with(fetch: FetchSettings) -> Shared {
    Shared {
        workshop: Workshop::new(WORKSHOP).unwrap(),
        fetcher: Arc::new(Fetcher::new(fetch).unwrap()),
        inputs: codec::Limits::default(),
        results: codec::Limits { bytes_max: 96 << 20, ..codec::Limits::default() },
        answers: Stock::new(ANSWERS_BYTES),
        entropy: Arc::new(SeededEntropy::new(1)),
    }
}

/// A small image.
pub fn png() -> Vec<u8> {
    codec::encode_png(&Picture::from_rgba(2, 1, vec![255, 0, 0, 255, 0, 0, 255, 255]).unwrap())
        .unwrap()
}

/// The image of [`png`] in base64.
pub fn png_base64() -> String {
    base64_simd::STANDARD.encode_to_string(png())
}

/// An account whose ID differs by this letter.
pub fn account(name: char) -> AccountId {
    format!("acct_{name:0>26}").parse().unwrap()
}

/// An edit of one small image.
pub fn job() -> Job {
    job_of(Kind::ImageEdit)
}

/// A job of this kind for one small image.
pub fn job_of(kind: Kind) -> Job {
    let text = format!(r#"{{"instruction":"make it new","imageBase64":"{}"}}"#, png_base64());
    let limits = RequestLimits { image_bytes_max: 1 << 20 };
    let catalogue = Catalogue::parse(EMBEDDED).unwrap();
    let edit: Edit =
        catalogue.accept(kind, &Body::parse(text.as_bytes()).unwrap(), limits).unwrap();
    let bytes = bytes::Bytes::from(png());
    let header = codec::probe(&bytes, &codec::Limits::default()).unwrap();
    let clock = Arc::new(TestClock::new(Timestamp(1_795_176_000_000)));
    Job {
        id: Ids::new(clock, Arc::new(SeededEntropy::new(7))).edit(),
        account: account('a'),
        edit: Arc::new(edit),
        model: "toy-1".into(),
        reading: Arc::new(Reading::default()),
        sources: Arc::new([Source {
            param: "imageBase64".into(),
            bytes,
            header,
            limits: codec::Limits::default(),
        }]),
        end_user: None,
        is_background: kind == Kind::Video,
    }
}

/// A journal that keeps its entries, or refuses them.
#[derive(Default)]
pub struct Memory {
    pub tasks: Mutex<Vec<Task>>,
    pub refuses: bool,
}

#[async_trait]
impl Journal for Memory {
    async fn record(&self, task: &Task) -> Result<(), String> {
        if self.refuses {
            return Err("the disk is full".into());
        }
        self.tasks.lock().unwrap().push(task.clone());
        Ok(())
    }
}

/// The result of one edit through the adapter.
pub async fn perform(upstream: &Upstream) -> Result<Output, ProviderError> {
    upstream.perform(&job(), &Memory::default()).await
}
