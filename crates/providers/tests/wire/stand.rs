//! An adapter in front of a simulator, and a way to see what the simulator received.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use retouch_core::catalogue::{Catalogue, EMBEDDED};
use retouch_core::edit::{Body as RequestBody, Edit, RequestLimits};
use retouch_core::{Ids, Kind, SeededEntropy, TestClock, Timestamp};
use retouch_engine::{Picture, codec};
use retouch_outbound::client::{Auth, Body, Call, Client, ClientLimits, Endpoint, Key};
use retouch_outbound::fetch::{FetchSettings, Fetcher};
use retouch_outbound::stock::Stock;
use retouch_providers::inputs::Source;
use retouch_providers::upstream::{Dialect, GateLimits, Shared, Upstream, UpstreamParts};
use retouch_providers::workshop::{Workshop, WorkshopLimits};
use retouch_providers::{Job, Journal, Output, Provider, ProviderError, Reading, Task};
use retouch_sim::{Options, Sim};
use serde_json::{Value, json};

/// A key that must never be logged or shown.
pub(crate) const KEY: &str = "sk-very-secret-0123456789";

const LIMITS: ClientLimits = ClientLimits {
    connect_ms_max: 1_000,
    answer_ms_max: 2_000,
    idle_ms_max: 1_000,
    answer_bytes_max: 32 << 20,
};

/// A simulator, and an adapter that calls it.
pub(crate) struct Stand {
    provider: &'static str,
    /// Calls the simulator's controls. It is not part of what is tested.
    control: Client,
    pub(crate) upstream: Upstream,
    _sim: Sim,
}

impl Stand {
    /// An adapter that calls `provider`'s simulator with `dialect`.
    pub(crate) fn new(provider: &'static str, dialect: impl Dialect + 'static) -> Self {
        Self::with_key(provider, dialect, KEY)
    }

    /// An adapter whose key differs from the one that the simulator accepts.
    pub(crate) fn with_key(
        provider: &'static str,
        dialect: impl Dialect + 'static,
        key: &str,
    ) -> Self {
        let options = Options { key: Some(KEY.into()), poll_rounds: 1, ..Options::default() };
        let sim = Sim::start(options).unwrap();
        let endpoint =
            Endpoint { base: sim.url(provider).parse().unwrap(), key: Some(Key::new(key)) };
        let gate = GateLimits { concurrent_max: 4, queue_max: 4, wait_ms_max: 1_000 };
        let parts = UpstreamParts { name: provider.into(), endpoint, client: LIMITS, gate };
        let upstream = Upstream::new(parts, Box::new(dialect), &shared()).unwrap();
        let endpoint = Endpoint { base: sim.origin().parse().unwrap(), key: None };
        let control = Client::new(endpoint, Auth::Bearer, LIMITS).unwrap();
        Self { provider, control, upstream, _sim: sim }
    }

    /// Schedules a fault of this provider.
    pub(crate) async fn plan(&self, mut fault: Value) {
        fault["provider"] = self.provider.into();
        let call = Call::post("/_sim/faults", Body::json(&fault));
        let answer = self.control.send(&call, false).await.unwrap();
        assert!(answer.status.is_success(), "{fault}: {}", answer.shown());
    }

    /// The latest request to the simulator whose path ends in `path`.
    pub(crate) async fn asked(&self, path: &str) -> Value {
        let requests = self.look("/_sim/requests").await;
        let mut requests = requests.as_array().unwrap().iter().rev();
        let ends = |request: &&Value| request["path"].as_str().unwrap().ends_with(path);
        requests.find(ends).unwrap_or_else(|| panic!("there was no request to {path}")).clone()
    }

    /// How many submissions of `prompt` were valid, and how many may have been charged.
    pub(crate) async fn submissions(&self, prompt: &str) -> (u64, u64) {
        let counts = self.look("/_sim/counts").await;
        let row = counts.as_array().unwrap().iter().find(|row| row["prompt"] == prompt);
        let count = |name| row.map_or(0, |row| row[name].as_u64().unwrap());
        (count("received"), count("worked"))
    }

    async fn look(&self, path: &str) -> Value {
        self.control.send(&Call::get(path), false).await.unwrap().json().unwrap()
    }

    /// The result of `job` through the adapter.
    pub(crate) async fn perform(&self, job: &Job) -> Result<Output, ProviderError> {
        self.upstream.perform(job, &Nowhere).await
    }
}

/// A journal that discards its entries.
pub(crate) struct Nowhere;

#[async_trait]
impl Journal for Nowhere {
    async fn record(&self, _task: &Task) -> Result<(), String> {
        Ok(())
    }
}

fn shared() -> Shared {
    let workshop = WorkshopLimits { workers_max: 2, memory_bytes_max: 1 << 30, queue_max: 16 };
    let fetch = FetchSettings {
        allowed_networks: Vec::new(),
        bytes_max: 1 << 20,
        connect_ms_max: 500,
        total_ms_max: 1_000,
        redirects_max: 3,
    };
    Shared {
        workshop: Workshop::new(workshop).unwrap(),
        fetcher: Arc::new(Fetcher::new(fetch).unwrap()),
        inputs: codec::Limits::default(),
        results: codec::Limits::default(),
        answers: Stock::new(128 << 20),
        entropy: Arc::new(SeededEntropy::new(1)),
    }
}

/// An image of one color.
pub(crate) fn png((width, height): (u32, u32), colour: [u8; 4]) -> Bytes {
    let pixels = colour.repeat((width * height) as usize);
    codec::encode_png(&Picture::from_rgba(width, height, pixels).unwrap()).unwrap().into()
}

/// A job for `model` with these fields and images. Without images, it creates an image from text.
pub(crate) fn job(model: &str, mut fields: Value, pictures: &[Bytes]) -> Job {
    let kind = if pictures.is_empty() { Kind::TextToImage } else { Kind::ImageEdit };
    if kind == Kind::ImageEdit {
        // These URLs are never fetched, because the images are given below.
        let addresses = (0..pictures.len()).map(|index| format!("https://there.example/{index}"));
        fields["imageUrls"] = addresses.collect();
    }
    let clock = Arc::new(TestClock::new(Timestamp(1_795_176_000_000)));
    Job {
        id: Ids::new(clock, Arc::new(SeededEntropy::new(7))).edit(),
        account: "acct_0000000000000000000000000a".parse().unwrap(),
        edit: Arc::new(edit(kind, &fields)),
        model: model.into(),
        reading: Arc::new(Reading::default()),
        sources: pictures.iter().map(source).collect(),
        end_user: None,
        is_background: false,
    }
}

/// A job with only an instruction and one small image.
pub(crate) fn simple(model: &str, instruction: &str) -> Job {
    job(model, json!({ "instruction": instruction }), &[png((64, 48), [200, 0, 0, 255])])
}

fn edit(kind: Kind, fields: &Value) -> Edit {
    let text = fields.to_string();
    let body = RequestBody::parse(text.as_bytes()).unwrap();
    let limits = RequestLimits { image_bytes_max: 1 << 20 };
    Catalogue::parse(EMBEDDED).unwrap().accept(kind, &body, limits).unwrap()
}

fn source(bytes: &Bytes) -> Source {
    let header = codec::probe(bytes, &codec::Limits::default()).unwrap();
    Source {
        param: "imageUrls".into(),
        bytes: bytes.clone(),
        header,
        limits: codec::Limits::default(),
    }
}
