//! API keys: their secret is shown once, and revoking them takes effect immediately.

use serde_json::{Value, json};

use crate::support::persona::Persona;
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
    assert_eq!(caller.get("/api/credits").await.status, 200);
    app.clock.advance_ms(60_000);
    caller.get("/api/credits").await.is_error(401, "unauthenticated", None);
    app.check().await;
}

#[tokio::test]
async fn a_credit_limit_counts_over_the_keys_life() {
    let app = TestApp::new().await;
    let member = app.member("ada@example.com").await;
    let secret =
        // JSON has one kind of number, so 10.0 is a whole one.
        member.post("/api/keys", &json!({ "name": "k", "credit_limit": 10.0 })).await.ok()["key"]
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

/// What the newest key of `member` has used: in total, today and this month.
async fn used(member: &Persona) -> [Value; 3] {
    let key = member.get("/api/keys").await.ok()["data"][0].clone();
    ["credits_used", "credits_used_today", "credits_used_this_month"].map(|it| key[it].clone())
}

#[tokio::test]
async fn credit_limits_on_days_and_months_start_again() {
    const DAY_MS: i64 = 24 * 3_600_000;
    let app = TestApp::new().await;
    for (field, period, wait_ms) in
        [("credit_limit_per_day", "day", DAY_MS), ("credit_limit_per_month", "month", 11 * DAY_MS)]
    {
        let member = app.member(&format!("{period}@example.com")).await;
        let made = member.post("/api/keys", &json!({ "name": "k", field: 10 })).await.ok();
        assert_eq!((&made[field], &made["credit_limit"]), (&json!(10), &json!(null)));
        let bearer = format!("Bearer {}", made["key"].as_str().unwrap());
        let caller = app.anon().with_header("authorization", &bearer);
        caller.edit("fail").await.is_error(500, "upstream_error", None);
        caller.edit("go").await.ok();
        assert_eq!(used(&member).await, [6, 6, 6]);
        let told = caller.edit("go").await.is_error(402, "key_credit_limit_reached", None);
        assert!(told.contains(&format!("10 credits a {period}, 6 of which")), "{told}");
        app.clock.advance_ms(wait_ms);
        assert_eq!(used(&member).await[..2], [6, 0]);
        caller.edit("go").await.ok();
        assert_eq!(used(&member).await[..2], [12, 6]);
    }
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
        (json!({ "name": "k", "scopes": [] }), "invalid_value", Some("scopes")),
        (json!({ "name": "k", "scopes": ["admin"] }), "invalid_value", Some("scopes")),
        (json!({ "name": "k", "scopes": "edit" }), "invalid_type", Some("scopes")),
        (json!({ "name": "k", "credit_limit": 0 }), "invalid_value", Some("credit_limit")),
        (json!({ "name": "k", "credit_limit": -4 }), "invalid_value", Some("credit_limit")),
        (json!({ "name": "k", "credit_limit": 1.5 }), "invalid_type", Some("credit_limit")),
        (
            json!({ "name": "k", "credit_limit_per_day": 0 }),
            "invalid_value",
            Some("credit_limit_per_day"),
        ),
        (
            json!({ "name": "k", "credit_limit_per_month": -1 }),
            "invalid_value",
            Some("credit_limit_per_month"),
        ),
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

#[tokio::test]
async fn a_key_reads_and_deletes_only_what_its_scopes_say() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let key = async |scopes: &[&str]| {
        let made = ada.post("/api/keys", &json!({ "name": "k", "scopes": scopes })).await.ok();
        assert_eq!(made["scopes"], json!(scopes));
        let bearer = format!("Bearer {}", made["key"].as_str().unwrap());
        app.anon().with_header("authorization", &bearer)
    };
    let path =
        |made: &Value| format!("/api/generations/{}", made["generation"]["uuid"].as_str().unwrap());
    let (edits, reads) = (key(&["edit"]).await, key(&["read"]).await);
    let (tidies, deletes) = (key(&["edit", "delete"]).await, key(&["read", "delete"]).await);
    let (by_key, by_session) = (edits.edit("go").await.ok(), ada.edit("go").await.ok());

    let seen = edits.get("/api/generations").await.ok();
    assert_eq!(seen["data"].as_array().unwrap().len(), 1, "only its own records");
    assert_eq!(edits.get(&path(&by_key)).await.status, 200);
    edits.get(&path(&by_session)).await.is_error(404, "not_found", None);
    assert_eq!(edits.get("/api/credits").await.status, 200);
    for path in ["/api/account", "/api/credits/entries"] {
        let message = edits.get(path).await.is_error(403, "missing_scope", None);
        assert!(message.contains("`read`"), "{message}");
        assert_eq!(reads.get(path).await.status, 200);
    }
    edits.delete(&path(&by_key)).await.is_error(403, "missing_scope", None);

    assert_eq!(reads.get("/api/generations").await.ok()["data"].as_array().unwrap().len(), 2);
    let message = reads.edit("go").await.is_error(403, "missing_scope", None);
    assert!(message.contains("`edit`"), "{message}");
    reads.delete(&path(&by_session)).await.is_error(403, "missing_scope", None);

    tidies.delete(&path(&by_session)).await.is_error(404, "not_found", None);
    assert_eq!(deletes.delete(&path(&by_session)).await.status, 204);
    assert_eq!(deletes.delete(&path(&by_key)).await.status, 204);
    app.check().await;
}

#[tokio::test]
async fn a_key_asks_for_the_password_when_the_sign_in_is_long_ago() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    app.clock.advance_ms(10 * 60_000);
    let bare = json!({ "name": "k" });
    ada.post("/api/keys", &bare).await.is_error(403, "sign_in_again", None);
    let with = |password: &str| json!({ "name": "k", "current_password": password });
    let wrong = ada.post("/api/keys", &with("wrong horse")).await;
    wrong.is_error(401, "invalid_credentials", Some("current_password"));
    assert_eq!(ada.post("/api/keys", &with("correct horse")).await.status, 201);
    assert_eq!(ada.post("/api/keys", &bare).await.status, 201, "the password was given just now");
    app.check().await;
}
