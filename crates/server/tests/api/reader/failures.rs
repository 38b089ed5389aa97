//! Every way in which the chat server can fail: the refusal is the one that would have come anyway.

use serde_json::{Value, json};

use super::{SPANISH, spanish, strictly};
use crate::support::language_model::{LanguageModel, sentences, settings};
use crate::support::{TestApp, persona::Persona};

/// An impatient reader, so that hanging servers don't keep the tests waiting.
const IMPATIENT: [(&str, &str); 1] = [("RETOUCH_READER__ANSWER_TIME_MAX", "400 ms")];

const FAULTS: [&str; 15] = [
    "bad_key",
    "unknown_model",
    "no_credit",
    "throttle",
    "overloaded",
    "internal_error",
    "bad_gateway_html",
    "empty_body",
    "not_json",
    "truncated_json",
    "oversized_body",
    "hang",
    "close_before_answer",
    "close_mid_body",
    "redirect_elsewhere",
];

/// Checks that an edit and a plan are refused as without a language model, and cost nothing.
async fn refused(ada: &Persona) {
    let strict = strictly(ada, SPANISH).await;
    let plan = ada.post("/api/plan", &json!({ "instruction": SPANISH })).await.ok();
    assert_eq!(plan, strict);
    let edit = ada.edit_with(&json!({ "instruction": SPANISH })).await;
    let message = edit.is_error(400, "instruction_not_supported", Some("instruction"));
    assert_eq!(json!(message), strict["refusal"]["message"]);
    assert_eq!(ada.available().await, 15);
}

#[tokio::test]
async fn a_server_that_fails_changes_nothing() {
    for fault in FAULTS {
        let model = LanguageModel::with(&IMPATIENT).await;
        let ada = model.app.caller("ada@example.com").await;
        model.fails(&json!({ "fault": fault, "times": 0 })).await;
        refused(&ada).await;
        model.app.check().await;
    }
}

#[tokio::test]
async fn a_slow_server_is_given_up() {
    let model = LanguageModel::with(&IMPATIENT).await;
    let ada = model.app.caller("ada@example.com").await;
    model.fails(&json!({ "fault": "slow", "ms": 60_000, "times": 0 })).await;
    refused(&ada).await;
    model.app.check().await;
}

#[tokio::test]
async fn an_answer_that_is_none_changes_nothing() {
    let long = vec![("hazla", "increase the brightness"); 13];
    let answers = [
        "I made it brighter for you!".to_owned(),
        "{\"outcome\": \"edit\"}".to_owned(),
        "{\"english\": \"\", \"outcome\": \"delete_all\"}".to_owned(),
        "[]".to_owned(),
        "{".repeat(100_000),
        sentences("make it brighter", &long, &[]),
        sentences("", &[(SPANISH, &"make it brighter, ".repeat(100))], &[]),
    ];
    for answer in answers {
        let model = LanguageModel::new().await;
        let ada = model.app.caller("ada@example.com").await;
        model.says(&[answer.clone(), answer]).await;
        refused(&ada).await;
        model.app.check().await;
    }
}

#[tokio::test]
async fn a_failure_is_not_remembered() {
    let model = LanguageModel::new().await;
    let ada = model.app.caller("ada@example.com").await;
    model.fails(&json!({ "fault": "internal_error" })).await;
    model.says(&[spanish()]).await;
    let words = json!({ "instruction": SPANISH });
    assert_eq!(ada.post("/api/plan", &words).await.ok()["plan"], Value::Null);
    assert!(ada.post("/api/plan", &words).await.ok()["plan"].is_object());
    model.app.check().await;
}

#[tokio::test]
async fn a_server_that_keeps_failing_is_left_alone() {
    let app = TestApp::with(&settings("http://127.0.0.1:9/v1")).await;
    let ada = app.caller("ada@example.com").await;
    for _ in 0..7 {
        ada.post("/api/plan", &json!({ "instruction": SPANISH })).await.ok();
    }
    let metrics = ada.get("/metrics").await.text();
    assert!(metrics.contains("language_readings_total{outcome=\"failed\"} 5"), "{metrics}");
    assert!(metrics.contains("language_readings_total{outcome=\"busy\"} 2"), "{metrics}");
    app.check().await;
}
