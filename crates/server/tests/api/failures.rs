//! What failed calls cost an attacker and leave behind, and the rate limit on reads.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::persona::Answer;

fn told(answer: &Answer) -> [Option<&str>; 3] {
    ["ratelimit-policy", "ratelimit", "x-ratelimit-remaining-requests"]
        .map(|name| answer.header(name))
}

#[tokio::test]
async fn an_account_whose_calls_keep_failing_is_told_to_fix_them_and_let_in_later() {
    let settings = [("RETOUCH_EDITS__FAILURES_PER_MINUTE_PER_ACCOUNT", "3")];
    let app = TestApp::with(&settings).await;
    let ada = app.caller("ada@example.com").await;
    let bob = app.caller("bob@example.com").await;
    let first = ada.edit("fail").await;
    first.is_error(500, "upstream_error", None);
    assert_eq!(told(&first), [Some("\"failures\";q=3;w=60"), Some("\"failures\";r=2;t=20"), None]);
    // An invalid request counts as a failure. A successful one does not count.
    ada.edit_with(&json!({ "model": "gamma-2" })).await.is_error(
        400,
        "missing_field",
        Some("instruction"),
    );
    assert_eq!(told(&ada.edit("go").await), [None; 3]);
    ada.edit("refuse").await.is_error(400, "content_refused", None);
    for _ in 0..5 {
        let refused = ada.edit("go").await;
        let message = refused.is_error(429, "rate_limited", None);
        assert!(message.contains("have failed: the limit is 3 a minute"), "{message}");
        assert!(message.contains("fix the requests"), "{message}");
        assert_eq!(refused.header("retry-after"), Some("20"));
    }
    assert_eq!(ada.available().await, 9, "refused calls are not charged, and reads still work");
    assert_eq!(bob.edit("go").await.status, 200);
    app.clock.advance_ms(20_000);
    assert_eq!(ada.edit("go").await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn a_video_that_fails_after_its_call_was_answered_counts_as_a_failure() {
    let settings = [("RETOUCH_EDITS__FAILURES_PER_MINUTE_PER_ACCOUNT", "1")];
    let app = TestApp::with(&settings).await;
    let ada = app.rich_caller("ada@example.com").await;
    assert_eq!(ada.video(&json!({ "instruction": "fail" })).await.status, 202);
    app.settled().await;
    ada.edit("go").await.is_error(429, "rate_limited", None);
    app.check().await;
}

#[tokio::test]
async fn a_call_that_only_came_too_early_is_no_failure() {
    let settings = [
        ("RETOUCH_EDITS__FAILURES_PER_MINUTE_PER_ACCOUNT", "1"),
        ("RETOUCH_EDITS__PER_ACCOUNT_MAX", "1"),
    ];
    let app = TestApp::with(&settings).await;
    let ada = app.caller("ada@example.com").await.with_header("idempotency-key", "k");
    let first = ada.clone();
    let first = tokio::spawn(async move { first.edit("wait").await });
    app.provider.waiting.acquire().await.unwrap().forget();
    for _ in 0..3 {
        ada.edit("wait").await.is_error(409, "idempotency_in_progress", None);
        let other = ada.clone().without_header("idempotency-key");
        other.edit("go").await.is_error(429, "rate_limited", None);
    }
    app.provider.gate.add_permits(1);
    assert_eq!(first.await.unwrap().status, 200);
    app.clock.advance_ms(60_000);
    assert_eq!(ada.edit("wait").await.header("idempotent-replayed"), Some("true"));
    app.check().await;
}

#[tokio::test]
async fn reading_is_limited_for_an_account_and_pages_and_edits_are_not_reading() {
    let settings = [("RETOUCH_SERVER__READS_PER_MINUTE_PER_ACCOUNT", "3")];
    let app = TestApp::with(&settings).await;
    let member = app.member("ada@example.com").await;
    let (key, bob) = (member.clone().with_key().await, app.member("bob@example.com").await);
    let first = key.get("/api/credits").await;
    assert_eq!(told(&first), [Some("\"reads\";q=3;w=60"), Some("\"reads\";r=2;t=20"), Some("2")]);
    assert_eq!(member.send(Method::HEAD, "/api/account", None).await.status, 200);
    let plan = json!({ "instruction": "make it gray", "pictures": 1 });
    assert_eq!(key.post("/api/plan", &plan).await.status, 200);
    for path in ["/api/credits", "/api/generations", "/api/keys"] {
        let refused = member.get(path).await;
        let message = refused.is_error(429, "rate_limited", None);
        assert!(message.contains("each account can make 3 calls a minute that read"), "{message}");
        assert_eq!((refused.header("retry-after"), told(&refused)[2]), (Some("20"), Some("0")));
    }
    key.post("/api/plan", &plan).await.is_error(429, "rate_limited", None);
    assert_eq!(key.edit("go").await.status, 200);
    for path in ["/history", "/", "/healthz", "/openapi.json", "/docs"] {
        assert_eq!(member.get(path).await.status, 200, "{path}");
    }
    assert_eq!(bob.get("/api/credits").await.status, 200);
    app.clock.advance_ms(20_000);
    assert_eq!(member.get("/api/credits").await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn reading_without_an_account_is_limited_for_a_client_address() {
    let settings = [("RETOUCH_SERVER__READS_PER_MINUTE_PER_ADDRESS", "2")];
    let app = TestApp::with(&settings).await;
    let (near, away) = (app.anon(), app.anon().calling_from([192, 0, 2, 2]));
    assert_eq!(told(&near.get("/api/models").await)[2], Some("1"));
    // A call with an invalid key counts toward its address, not toward an account.
    let wrong = near.clone().with_header("authorization", "Bearer retouch_nonsense");
    wrong.get("/api/credits").await.is_error(401, "unauthenticated", None);
    let message = near.get("/api/plans").await.is_error(429, "rate_limited", None);
    assert!(message.contains("each client address can make 2 calls a minute"), "{message}");
    wrong.get("/api/credits").await.is_error(429, "rate_limited", None);
    assert_eq!(away.get("/api/plans").await.status, 200);
    let ada = app.caller("ada@example.com").await;
    for _ in 0..3 {
        assert_eq!(ada.get("/api/credits").await.status, 200);
    }
    app.check().await;
}

#[tokio::test]
async fn a_refused_address_leaves_its_beginning_and_none_of_its_secrets() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let address = |number| {
        let (path, query) = ("p".repeat(4_000), "s".repeat(4_000));
        format!("http://ada:secret@127.0.0.1/{number}/{path}?signature={query}")
    };
    let addresses: Vec<String> = (0..4).map(address).collect();
    let fields = json!({ "instruction": "go", "imageUrls": addresses, "model": "gamma-2" });
    ada.edit_with(&fields).await.is_error(400, "image_fetch_failed", Some("imageUrls[0]"));
    // The order of edits from the same millisecond is not defined.
    app.clock.advance_ms(1);
    let plain = json!({
        "instruction": "go", "model": "gamma-2",
        "imageUrl": "http://127.0.0.1/a.png?signature=secret",
    });
    ada.edit_with(&plain).await.is_error(400, "image_fetch_failed", Some("imageUrl"));
    let listed = ada.get("/api/generations").await;
    let body = listed.ok();
    assert_eq!(body["data"][0]["request"]["pictures"], json!(["http://127.0.0.1/a.png…"]));
    let kept = body["data"][1]["request"]["pictures"].as_array().unwrap();
    for (number, picture) in kept.iter().enumerate() {
        let text = picture.as_str().unwrap();
        assert!(text.starts_with(&format!("http://127.0.0.1/{number}/ppp")), "{text}");
        assert!(text.ends_with('…') && text.chars().count() == 301, "{text}");
    }
    let text = listed.text();
    assert!(!text.contains("secret") && !text.contains("signature"), "{text}");
    // The whole record stays small, although the call sent 32 KB of addresses.
    let record = serde_json::to_string::<Value>(&body["data"][1]).unwrap();
    assert!(record.len() < 3_000, "{} bytes", record.len());
    app.check().await;
}

#[tokio::test]
async fn an_account_has_fifty_keys_that_work() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    for _ in 0..50 {
        assert_eq!(ada.post("/api/keys", &json!({ "name": "k" })).await.status, 201);
    }
    let refused = ada.post("/api/keys", &json!({ "name": "k" })).await;
    let message = refused.is_error(409, "limit_reached", None);
    assert!(message.contains("50 active API keys"), "{message}");
    let page = ada.submit("/keys", &[("name", "k"), ("scope_edit", "1")]).await;
    assert!(page.status == 400 && page.text().contains("50 active API keys"), "{}", page.status);
    app.check().await;
}
