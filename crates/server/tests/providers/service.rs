//! A service whose one model is served by a simulator.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use retouch_core::catalogue::EMBEDDED;
use retouch_core::{SeededEntropy, SystemClock};
use retouch_engine::{Picture, codec};
use retouch_server::api;
use retouch_server::app::{App, Parts};
use retouch_server::config::{Settings, Sources};
use retouch_sim::{FaultName, Options, Sim};
use retouch_store::Context;
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

use crate::table::TestedProvider;

/// The key that the simulators accept.
pub const KEY: &str = "sim-key-0123456789";
/// The setting that says how long a provider may take.
pub const PROVIDER_TIME_MAX: &str = "RETOUCH_EDITS__PROVIDER_TIME_MAX";
/// Hanging calls are given up after that.
const TIME_MAX: &str = "6 s";

/// A service and its provider.
pub struct Service {
    pub app: Arc<App>,
    pub sim: Sim,
    router: Router,
    key: String,
    _folder: TempDir,
}

impl Service {
    /// A service with an account that has credits, whose model `gamma-2` is served by `providers`,
    /// in this order.
    pub async fn new(providers: &[&TestedProvider]) -> Self {
        Self::with(providers, &[]).await
    }

    /// The same with these settings, by the names of their variables.
    pub async fn with(providers: &[&TestedProvider], changes: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { key: Some(KEY.into()), poll_rounds: 1, ..Options::default() };
        let sim = Sim::start(options).unwrap();
        let settings = settings(&folder, &sim, providers, changes);
        let context =
            Context { clock: Arc::new(SystemClock), entropy: Arc::new(SeededEntropy::new(11)) };
        let parts = Parts { settings, context, providers: Vec::new() };
        let app = App::build(parts, SocketAddr::from(([127, 0, 0, 1], 8080))).await.unwrap();
        let router = api::router(Arc::clone(&app));
        let mut service = Self { app, sim, router, key: String::new(), _folder: folder };
        service.key = service.sign_up().await;
        service
    }

    async fn sign_up(&self) -> String {
        let credentials = json!({ "email": "ada@example.com", "password": "correct horse" });
        let (status, _, cookie) = self.call(Method::POST, "/api/auth/sign-up", &credentials).await;
        assert_eq!(status, StatusCode::CREATED);
        let cookie = cookie.unwrap();
        let request = Request::post("/api/keys")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::HOST, "127.0.0.1:8080")
            .header("sec-fetch-site", "same-origin")
            .header(header::COOKIE, cookie.split(';').next().unwrap())
            .body(Body::from(r#"{"name":"test"}"#))
            .unwrap();
        let (_, key, _) = self.send(request).await;
        key["key"].as_str().unwrap().to_owned()
    }

    /// Edits a small image. Returns status and body.
    pub async fn edit(&self, instruction: &str) -> (StatusCode, Value) {
        self.edit_with(instruction, json!({})).await
    }

    /// The same with more fields.
    pub async fn edit_with(&self, instruction: &str, mut body: Value) -> (StatusCode, Value) {
        body["model"] = "gamma-2".into();
        body["instruction"] = instruction.into();
        body["imageBase64"] = base64_simd::STANDARD.encode_to_string(picture()).into();
        let (status, body, _) = self.call(Method::POST, "/api/image-edit", &body).await;
        (status, body)
    }

    /// The available and the held credits.
    pub async fn credits(&self) -> (i64, i64) {
        let (_, body, _) = self.call(Method::GET, "/api/credits", &Value::Null).await;
        (body["available"].as_i64().unwrap(), body["held"].as_i64().unwrap())
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        body: &Value,
    ) -> (StatusCode, Value, Option<String>) {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "127.0.0.1:8080")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key));
        let request = if self.key.is_empty() {
            Request::post(path)
                .header(header::HOST, "127.0.0.1:8080")
                .header(header::CONTENT_TYPE, "application/json")
        } else {
            request
        };
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    async fn send(&self, mut request: Request<Body>) -> (StatusCode, Value, Option<String>) {
        let from = SocketAddr::from(([127, 0, 0, 1], 50_000));
        request.extensions_mut().insert(ConnectInfo(from));
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let cookie = parts.headers.get("set-cookie").map(|it| it.to_str().unwrap().to_owned());
        let bytes = body.collect().await.unwrap().to_bytes();
        (parts.status, serde_json::from_slice(&bytes).unwrap_or_default(), cookie)
    }

    /// Schedules one fault in the simulator. A fault of a task that never ends stays until
    /// `forget`.
    pub fn plan(&self, tested: &TestedProvider, fault: FaultName) {
        let times = u32::from(fault != FaultName::TaskNeverEnds);
        let plan =
            json!({ "provider": tested.protocol, "fault": fault, "times": times, "ms": 300 });
        let status = self.control("POST", "/_sim/faults", &plan.to_string()).0;
        assert_eq!(status, 201, "{fault:?}");
    }

    /// Removes scheduled faults that have not happened.
    pub fn forget(&self) {
        self.control("DELETE", "/_sim/faults", "");
    }

    /// How often providers did the work of a prompt that contains `words`, or may have done it:
    /// each time may have cost money.
    pub fn worked(&self, words: &str) -> u64 {
        let counts: Vec<Value> =
            serde_json::from_str(&self.control("GET", "/_sim/counts", "").1).unwrap();
        let ours = counts.iter().filter(|row| row["prompt"].as_str().unwrap().contains(words));
        ours.map(|row| row["worked"].as_u64().unwrap()).sum()
    }

    fn control(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let origin = self.sim.origin();
        let host = origin.trim_start_matches("http://");
        let mut stream = TcpStream::connect(host).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    /// Checks at the end of a test that the ledger is correct and no edit is open.
    pub async fn check(&self) {
        self.app.tasks.close();
        self.app.tasks.wait().await;
        let report = self.app.store.verify().await.unwrap();
        assert!(report.disagreements.is_empty(), "{:?}", report.disagreements);
        assert!(self.app.store.list_open_edits().await.unwrap().is_empty());
    }
}

fn settings(
    folder: &TempDir,
    sim: &Sim,
    providers: &[&TestedProvider],
    changes: &[(&str, &str)],
) -> Settings {
    let catalogue = folder.path().join("models.toml");
    std::fs::write(&catalogue, routed(providers)).unwrap();
    let mut sources = Sources::none()
        .with("RETOUCH_STORE__DATA_DIR", folder.path().join("data").to_str().unwrap())
        .with("RETOUCH_CATALOGUE__FILE", catalogue.to_str().unwrap())
        .with("RETOUCH_FETCH__ALLOWED_NETWORKS", "127.0.0.0/8")
        .with("RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ACCOUNT", "0")
        .with("RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ADDRESS", "0")
        .with("RETOUCH_EDITS__FAILURES_PER_MINUTE_PER_ACCOUNT", "0")
        .with("RETOUCH_SERVER__READS_PER_MINUTE_PER_ACCOUNT", "0")
        .with("RETOUCH_SERVER__READS_PER_MINUTE_PER_ADDRESS", "0")
        .with(PROVIDER_TIME_MAX, TIME_MAX);
    for tested in providers {
        let name = tested.provider.to_uppercase();
        sources = sources
            .with(&format!("RETOUCH_PROVIDERS__{name}__BASE_URL"), &sim.url(tested.protocol))
            .with(&format!("RETOUCH_PROVIDERS__{name}__API_KEY"), KEY);
        if tested.provider == "comfyui" {
            let workflow = folder.path().join("edit.json");
            std::fs::write(&workflow, WORKFLOW).unwrap();
            let path = workflow.to_str().unwrap();
            sources = sources.with("RETOUCH_PROVIDERS__COMFYUI__WORKFLOWS", path);
        }
    }
    let sources = changes.iter().fold(sources, |all, (name, value)| all.with(name, value));
    Settings::load(&sources).unwrap()
}

/// A workflow that edits one image.
const WORKFLOW: &str = include_str!("workflow.json");

/// The catalogue of the repository with the routes of `gamma-2` replaced by those to `providers`.
fn routed(providers: &[&TestedProvider]) -> String {
    let mut catalogue: toml::Table = EMBEDDED.parse().unwrap();
    let routes: Vec<toml::Value> = providers
        .iter()
        .map(|tested| {
            let cost = ("cost_usd", "0.03");
            let route = [("provider", tested.provider), ("model", tested.model), cost];
            std::collections::BTreeMap::from(route).into()
        })
        .collect();
    let models = catalogue["models"].as_array_mut().unwrap();
    let model = models.iter_mut().find(|model| model["id"].as_str() == Some("gamma-2")).unwrap();
    model.as_table_mut().unwrap().insert("routes".into(), routes.into());
    toml::to_string(&catalogue).unwrap()
}

/// An image that no provider finds too small.
fn picture() -> Vec<u8> {
    let pixels = (0..512_u32 * 512).flat_map(|at| {
        let [low, high, ..] = at.to_le_bytes();
        [low, high, low ^ high, 255]
    });
    codec::encode_png(&Picture::from_rgba(512, 512, pixels.collect()).unwrap()).unwrap()
}
