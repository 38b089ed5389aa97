//! API keys: made once, listed without their secrets, revoked at once.

use serde_json::json;

use crate::support::{START, TestApp};

#[tokio::test]
async fn a_key_is_shown_once_and_works_until_it_is_revoked() {
    let app = TestApp::new().await;
    let member = app.member("ada@example.com").await;
    let made = member.post("/api/keys", &json!({ "name": "laptop" })).await;
    assert_eq!(made.status, 201);
    let made = made.ok();
    let secret = made["key"].as_str().unwrap().to_owned();
    assert!(secret.starts_with("retouch_"), "{secret}");
    let caller = app.anon().with_header("authorization", &format!("bearer {secret}"));
    assert_eq!(caller.edit("go").await.status, 200);
    let listed = member.get("/api/keys").await.ok();
    let listed = &listed["data"][0];
    assert_eq!((&listed["name"], &listed["credits_used"]), (&json!("laptop"), &json!(6)));
    assert!(listed.get("key").is_none());
    assert!(secret.starts_with(listed["start"].as_str().unwrap()));
    let id = made["id"].as_str().unwrap();
    assert_eq!(member.delete(&format!("/api/keys/{id}")).await.status, 204);
    caller.edit("go").await.is_error(401, "unauthenticated", None);
    assert!(member.get("/api/keys").await.ok()["data"][0]["revoked_at"].is_string());
    app.check().await;
}

#[tokio::test]
async fn a_mistyped_key_is_refused() {
    let app = TestApp::new().await;
    let member = app.member("ada@example.com").await;
    let secret = member.post("/api/keys", &json!({ "name": "k" })).await.ok()["key"]
        .as_str()
        .unwrap()
        .to_owned();
    for wrong in [
        secret[..secret.len() - 1].to_owned(),
        format!("{secret}x"),
        secret.to_uppercase(),
        "retouch_".into(),
        String::new(),
    ] {
        let caller = app.anon().with_header("authorization", &format!("Bearer {wrong}"));
        caller.get("/api/account").await.is_error(401, "unauthenticated", None);
    }
    app.check().await;
}

#[tokio::test]
async fn a_key_expires() {
    let app = TestApp::new().await;
    let member = app.member("ada@example.com").await;
    let fields = json!({ "name": "k", "expires_at": START.plus_ms(60_000).to_string() });
    let secret = member.post("/api/keys", &fields).await.ok()["key"].as_str().unwrap().to_owned();
    let caller = app.anon().with_header("authorization", &format!("Bearer {secret}"));
    assert_eq!(caller.get("/api/account").await.status, 200);
    app.clock.advance_ms(60_000);
    caller.get("/api/account").await.is_error(401, "unauthenticated", None);
    app.check().await;
}

#[tokio::test]
async fn a_credit_limit_counts_over_the_keys_life() {
    let app = TestApp::new().await;
    let member = app.member("ada@example.com").await;
    let secret =
        member.post("/api/keys", &json!({ "name": "k", "credit_limit": 10 })).await.ok()["key"]
            .as_str()
            .unwrap()
            .to_owned();
    let caller = app.anon().with_header("authorization", &format!("Bearer {secret}"));
    caller.edit("fail").await.is_error(500, "upstream_error", None);
    caller.edit("go").await.ok();
    let message = caller.edit("go").await.is_error(402, "key_credit_limit_reached", None);
    assert!(message.contains("10"), "{message}");
    assert_eq!(member.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn what_a_key_must_be_like_is_said() {
    let app = TestApp::new().await;
    let member = app.member("ada@example.com").await;
    let cases = [
        (json!({}), "missing_field", Some("name")),
        (json!({ "name": "" }), "invalid_value", Some("name")),
        (json!({ "name": "x".repeat(101) }), "invalid_value", Some("name")),
        (json!({ "name": "two\nlines" }), "invalid_value", Some("name")),
        (json!({ "name": 4 }), "invalid_type", Some("name")),
        (json!({ "name": "k", "credit_limit": 0 }), "invalid_value", Some("credit_limit")),
        (json!({ "name": "k", "credit_limit": -4 }), "invalid_value", Some("credit_limit")),
        (json!({ "name": "k", "credit_limit": 1.5 }), "invalid_type", Some("credit_limit")),
        (json!({ "name": "k", "expires_at": "yesterday" }), "invalid_type", Some("expires_at")),
        (
            json!({ "name": "k", "expires_at": START.to_string() }),
            "invalid_value",
            Some("expires_at"),
        ),
    ];
    for (fields, code, param) in cases {
        member.post("/api/keys", &fields).await.is_error(400, code, param);
    }
    let too_many = json!({ "name": "k", "credit_limit": i64::MAX });
    let too_many = member.post("/api/keys", &too_many).await;
    let message = too_many.is_error(400, "invalid_value", Some("credit_limit"));
    assert!(message.contains("1 to 9007199254740991"), "{message}");
    app.check().await;
}

#[tokio::test]
async fn keys_are_for_their_owner_in_a_session() {
    let app = TestApp::new().await;
    let (ada, bob) = (app.member("ada@example.com").await, app.member("bob@example.com").await);
    let id = ada.post("/api/keys", &json!({ "name": "k" })).await.ok()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    bob.delete(&format!("/api/keys/{id}")).await.is_error(404, "not_found", None);
    ada.delete("/api/keys/key_nonsense").await.is_error(404, "not_found", None);
    assert_eq!(bob.get("/api/keys").await.ok()["data"], json!([]));
    app.anon().get("/api/keys").await.is_error(401, "unauthenticated", None);
    let caller = ada.clone().with_key().await;
    caller.get("/api/keys").await.is_error(403, "session_required", None);
    caller.post("/api/keys", &json!({ "name": "k" })).await.is_error(403, "session_required", None);
    app.check().await;
}
