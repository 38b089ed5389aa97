//! Every refusal of `/api` has its twin here, in the form that clients of OpenAI read.

use axum::http::Method;
use serde_json::json;

use super::{EDITS, GENERATIONS, data_url, edit};
use crate::support::TestApp;

#[tokio::test]
async fn errors_have_their_form_and_headers() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let said = edit(&caller, json!({ "prompt": "refuse" })).await;
    said.is_error(400, "content_refused", None);
    assert_eq!(said.json()["error"]["type"], "invalid_request_error");
    let failed = edit(&caller, json!({ "prompt": "fail" })).await;
    let message = failed.is_error(500, "upstream_error", None);
    assert!(!message.contains("secret"));
    assert_eq!(failed.header("x-should-retry"), None);
    edit(&caller, json!({ "prompt": "panic" })).await.is_error(500, "upstream_error", None);
    edit(&caller, json!({ "prompt": "nonsense" })).await.is_error(500, "upstream_error", None);
    let asked = json!({ "prompt": "make it look cool", "model": "gpt-image-2" });
    let said =
        edit(&caller, asked).await.is_error(400, "instruction_not_supported", Some("prompt"));
    assert!(!said.contains("`instruction`"), "{said}");
    app.anon().post(EDITS, &json!({ "prompt": "go", "images": [data_url()] })).await.is_error(
        401,
        "unauthenticated",
        None,
    );
    caller
        .clone()
        .with_header("content-type", "text/plain")
        .send(Method::POST, GENERATIONS, Some(b"go".to_vec()))
        .await
        .is_error(415, "unsupported_media_type", None);
    caller.send(Method::POST, GENERATIONS, Some(b"[]".to_vec())).await.is_error(
        400,
        "invalid_json",
        None,
    );
    caller.get(EDITS).await.is_error(405, "method_not_allowed", None);
    assert_eq!(caller.available().await, 15);
    app.check().await;
}

#[tokio::test]
async fn what_is_not_offered_is_404_in_the_same_form() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    for path in ["/v1/images/variations", "/v1/chat/completions", "/v1/files"] {
        caller.post(path, &json!({})).await.is_error(404, "not_found", None);
    }
    app.check().await;
}

#[tokio::test]
async fn credits_scopes_and_rates_are_those_of_the_account() {
    let app = TestApp::with(&[("RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ACCOUNT", "3")]).await;
    let member = app.member("ada@example.com").await;
    let reader = json!({ "name": "reader", "scopes": ["read"] });
    let key = member.post("/api/keys", &reader).await.ok();
    let bearer = format!("Bearer {}", key["key"].as_str().unwrap());
    let reader = app.anon().with_header("authorization", &bearer);
    edit(&reader, json!({ "prompt": "go" })).await.is_error(403, "missing_scope", None);
    let caller = member.with_key().await;
    let first = edit(&caller, json!({ "prompt": "go" })).await;
    assert_eq!(first.header("x-ratelimit-limit-requests"), Some("3"));
    assert_eq!(first.header("x-ratelimit-remaining-requests"), Some("2"));
    assert!(first.header("x-ratelimit-reset-requests").unwrap().ends_with('s'));
    edit(&caller, json!({ "prompt": "go" })).await.ok();
    let poor = edit(&caller, json!({ "prompt": "go" })).await;
    poor.is_error(402, "insufficient_credits", None);
    let limited = edit(&caller, json!({ "prompt": "go" })).await;
    limited.is_error(429, "rate_limited", None);
    assert!(limited.header("retry-after-ms").unwrap().ends_with("000"));
    app.check().await;
}
