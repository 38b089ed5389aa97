//! Behavior when a provider has more work than it runs at the same time: accounts take turns, and
//! calls beyond a full queue are refused with a clear error.

use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::support::persona::{Answer, Persona};
use crate::support::{TestApp, pictures, scripted};

/// A provider that answers one call for each permit that is added.
struct Slow {
    permits: Semaphore,
    /// The prompts, in the order in which the calls arrived.
    prompts: Mutex<Vec<String>>,
}

impl Slow {
    async fn start() -> (Arc<Self>, String) {
        let slow = Arc::new(Self { permits: Semaphore::new(0), prompts: Mutex::default() });
        let router = Router::new().route("/v1/images/generations", post(generate));
        let router = router.with_state(Arc::clone(&slow));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        (slow, address)
    }

    fn prompts(&self) -> Vec<String> {
        self.prompts.lock().unwrap().clone()
    }
}

async fn generate(State(slow): State<Arc<Slow>>, Json(body): Json<Value>) -> Json<Value> {
    slow.prompts.lock().unwrap().push(body["prompt"].as_str().unwrap().to_owned());
    slow.permits.acquire().await.unwrap().forget();
    Json(json!({ "created": 0, "data": [{ "b64_json": pictures::base64(2, 1) }] }))
}

/// A service whose gamma-2 uses that provider, one call at a time, with `queue_max` places to wait.
async fn service(address: &str, queue_max: &str) -> (TestApp, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let catalogue = folder.path().join("models.toml");
    let route = "provider = \"openai\", model = \"gpt-image-2\"";
    let text = scripted::catalogue()
        .replace("provider = \"scripted\", model = \"script-1\", cost_usd = \"0.039\"", route);
    std::fs::write(&catalogue, text).unwrap();
    let app = TestApp::with(&[
        ("RETOUCH_CATALOGUE__FILE", catalogue.to_str().unwrap()),
        ("RETOUCH_PROVIDERS__OPENAI__BASE_URL", address),
        ("RETOUCH_PROVIDERS__OPENAI__API_KEY", "key"),
        ("RETOUCH_PROVIDERS__OPENAI__CONCURRENT_MAX", "1"),
        ("RETOUCH_PROVIDERS__OPENAI__QUEUE_MAX", queue_max),
    ])
    .await;
    (app, folder)
}

impl Slow {
    /// Sends a call. Returns when it is at the provider, or waits for it.
    async fn begin(&self, app: &TestApp, who: &Persona, prompt: &str) -> JoinHandle<Answer> {
        let begun = || self.prompts().len() + app.app.providers.waiting();
        let before = begun();
        let (who, body) = (who.clone(), json!({ "instruction": prompt }));
        let call = tokio::spawn(async move { who.make(&body).await });
        while begun() == before {
            assert!(!call.is_finished(), "the call has to wait");
            tokio::task::yield_now().await;
        }
        call
    }
}

#[tokio::test]
async fn a_flood_of_one_account_at_a_provider_delays_another_account_by_one_call_at_most() {
    let (slow, address) = Slow::start().await;
    let (app, _folder) = service(&address, "64").await;
    let ada = app.rich_caller("ada@example.com").await;
    let bob = app.caller("bob@example.com").await;
    let mut flood = Vec::new();
    for _ in 0..12 {
        flood.push(slow.begin(&app, &ada, "of ada").await);
    }
    let own = slow.begin(&app, &bob, "of bob").await;
    slow.permits.add_permits(100);
    assert_eq!(own.await.unwrap().status, 200);
    let before = slow.prompts().iter().position(|prompt| prompt == "of bob").unwrap();
    assert!(before <= 2, "{before} of Ada's calls were served first: {:?}", slow.prompts());
    for call in flood {
        assert_eq!(call.await.unwrap().status, 200);
    }
    app.check().await;
}

#[tokio::test]
async fn a_full_queue_at_a_provider_is_503_for_the_account_that_fills_it_and_not_for_others() {
    let (slow, address) = Slow::start().await;
    let (app, _folder) = service(&address, "4").await;
    let ada = app.rich_caller("ada@example.com").await;
    let bob = app.caller("bob@example.com").await;
    // One call is at the provider and one waits, which is a quarter of the places.
    let first = slow.begin(&app, &ada, "of ada").await;
    let second = slow.begin(&app, &ada, "of ada").await;
    let before = ada.available().await;
    for _ in 0..46 {
        let refused = ada.make(&json!({ "instruction": "of ada" })).await;
        let message = refused.is_error(503, "overloaded", None);
        assert!(message.contains("Nothing was charged"), "{message}");
        assert_eq!(refused.header("retry-after"), Some("2"));
    }
    assert_eq!(ada.available().await, before);
    let own = slow.begin(&app, &bob, "of bob").await;
    slow.permits.add_permits(100);
    for call in [first, second, own] {
        assert_eq!(call.await.unwrap().status, 200);
    }
    assert_eq!(slow.prompts(), ["of ada", "of ada", "of bob"]);
    app.check().await;
}
