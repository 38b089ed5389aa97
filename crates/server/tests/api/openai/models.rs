//! `GET /v1/models`: every name that a call can use.

use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn the_names_that_clients_insist_on_are_listed_and_found() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let list = caller.get("/v1/models").await.ok();
    assert_eq!(list["object"], "list");
    let names: Vec<&str> =
        list["data"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    for name in ["alpha-image-2-free", "alpha-image-2", "gpt-image-1", "dall-e-3", "gpt-image-1.5"]
    {
        assert!(names.contains(&name), "{name}");
        let model = caller.get(&format!("/v1/models/{name}")).await.ok();
        let expected =
            json!({ "id": name, "object": "model", "created": 0, "owned_by": "retouch" });
        assert_eq!(model, expected);
    }
    assert!(!names.contains(&"alpha-video-1"), "calls to /v1 make no videos");
    caller.get("/v1/models/alpha-video-1").await.is_error(404, "not_found", Some("model"));
    caller.get("/v1/models/nothing").await.is_error(404, "not_found", Some("model"));
    app.anon().get("/v1/models").await.is_error(401, "unauthenticated", None);
    app.anon().get("/v1/models/dall-e-3").await.is_error(401, "unauthenticated", None);
    app.check().await;
}

#[tokio::test]
async fn reading_the_models_counts_toward_the_limit_on_reads() {
    let app = TestApp::with(&[("RETOUCH_SERVER__READS_PER_MINUTE_PER_ACCOUNT", "2")]).await;
    let caller = app.caller("ada@example.com").await;
    assert_eq!(caller.get("/v1/models").await.header("x-ratelimit-limit-requests"), Some("2"));
    caller.get("/v1/models").await.ok();
    let refused = caller.get("/v1/models").await;
    refused.is_error(429, "rate_limited", None);
    let ms: u64 = refused.header("retry-after-ms").unwrap().parse().unwrap();
    let s: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert_eq!(ms, s * 1_000);
    app.check().await;
}

#[tokio::test]
async fn names_of_openai_are_for_its_protocol_only() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let asked = json!({ "instruction": "rotate left", "model": "gpt-image-2" });
    caller.edit_with(&asked).await.is_error(400, "unknown_model", Some("model"));
    app.check().await;
}
