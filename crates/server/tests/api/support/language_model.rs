//! A service with a language model that reads what the built-in editor refuses: a simulator that
//! says what the test tells it to.

use retouch_sim::{Options, Sim};
use serde_json::{Value, json};

use super::TestApp;
use super::till::send;

const JSON: &str = "application/json";

/// A service and its chat server.
pub struct LanguageModel {
    pub app: TestApp,
    pub sim: Sim,
}

impl LanguageModel {
    pub async fn new() -> Self {
        Self::with(&[]).await
    }

    /// Like `new`, with further settings.
    pub async fn with(more: &[(&str, &str)]) -> Self {
        let sim = Sim::start(Options { key: Some("sk_test".into()), ..Options::default() });
        let sim = sim.unwrap();
        let url = sim.url("chat");
        let usual = settings(&url).into_iter();
        let usual = usual.filter(|(name, _)| more.iter().all(|(own, _)| own != name));
        let all: Vec<_> = usual.chain(more.iter().copied()).collect();
        let app = TestApp::with(&all).await;
        Self { app, sim }
    }

    /// What the model says next, one text for each call.
    pub async fn says(&self, texts: &[String]) {
        let body = json!({ "says": texts }).to_string();
        let call = ("POST", "/chat/_sim/script");
        assert_eq!(send(&self.sim.origin(), call, JSON, &body).await.0, 204);
    }

    /// Makes the next call fail.
    pub async fn fails(&self, fault: &Value) {
        let mut plan = fault.clone();
        plan["provider"] = "chat".into();
        let call = ("POST", "/_sim/faults");
        assert_eq!(send(&self.sim.origin(), call, JSON, &plan.to_string()).await.0, 201);
    }

    /// All requests so far that the server has got, without the script.
    pub async fn requests(&self) -> Vec<Value> {
        let call = ("GET", "/_sim/requests?provider=chat");
        let (_, requests) = send(&self.sim.origin(), call, JSON, "").await;
        let all = requests.as_array().unwrap().iter();
        all.filter(|one| one["path"] != "/_sim/script").cloned().collect()
    }
}

/// Settings for a chat server at this address.
pub fn settings(base_url: &str) -> [(&'static str, &str); 3] {
    [
        ("RETOUCH_READER__BASE_URL", base_url),
        ("RETOUCH_READER__API_KEY", "sk_test"),
        ("RETOUCH_READER__MODEL", "test-8b"),
    ]
}

/// An answer with sentences, each with the words that it stands for.
pub fn sentences(english: &str, steps: &[(&str, &str)], ignored: &[&str]) -> String {
    let steps = steps.iter().map(|(words, said)| json!({ "words": words, "sentence": said }));
    let steps: Vec<Value> = steps.collect();
    json!({
        "english": english, "outcome": "edit", "steps": steps, "ignored": ignored, "question": "",
    })
    .to_string()
}
