//! `Idempotency-Key`: a retry returns the first answer.

use serde_json::json;

use crate::support::{TestApp, pictures};

#[tokio::test]
async fn the_same_key_and_body_get_the_first_answer_and_are_charged_once() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await.with_header("idempotency-key", "a-1");
    let first = caller.edit("go").await;
    let again = caller.edit("go").await;
    assert_eq!(first.header("idempotent-replayed"), None);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(first.ok(), again.ok());
    assert_eq!(caller.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn bodies_are_compared_by_meaning() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await.with_header("idempotency-key", "a-1");
    let picture = pictures::base64(2, 2);
    let bodies = [
        format!(r#"{{"instruction":"go","model":"gamma-2","n":2,"imageBase64":"{picture}"}}"#),
        format!(
            r#" {{ "n": 2.0, "imageBase64": "{picture}", "model": "gamma-2", "size": null, "instruction": "g\u006f" }} "#
        ),
        format!(
            r#"{{"instruction":"go","model":"gamma-2","n":2,"imageUrls":[],"imageBase64":"{picture}"}}"#
        ),
    ];
    for body in bodies {
        let answer =
            caller.send(axum::http::Method::POST, "/api/image-edit", Some(body.into_bytes())).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    }
    assert_eq!(caller.available().await, 9);
    let other = caller.edit_with(&json!({ "instruction": "go on", "model": "gamma-2" })).await;
    other.is_error(422, "idempotency_mismatch", None);
    app.check().await;
}

#[tokio::test]
async fn a_key_belongs_to_its_account() {
    let app = TestApp::new().await;
    for email in ["ada@example.com", "bob@example.com"] {
        let caller = app.caller(email).await.with_header("idempotency-key", "same");
        assert_eq!(caller.edit("go").await.header("idempotent-replayed"), None);
        assert_eq!(caller.available().await, 9);
    }
    app.check().await;
}

#[tokio::test]
async fn a_call_that_still_runs_is_409_and_one_that_ended_uncharged_may_be_tried_again() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await.with_header("idempotency-key", "b-1");
    let waiting = caller.clone();
    let call = tokio::task::spawn(async move { waiting.edit("wait").await });
    app.provider.waiting.acquire().await.unwrap().forget();
    let twin = caller.edit("wait").await;
    twin.is_error(409, "idempotency_in_progress", None);
    assert!(twin.header("retry-after").is_some());
    app.provider.gate.add_permits(1);
    assert_eq!(call.await.unwrap().status, 200);
    let failing =
        caller.clone().without_header("idempotency-key").with_header("idempotency-key", "b-2");
    failing.edit("fail").await.is_error(500, "upstream_error", None);
    let answer = failing.edit("go").await;
    assert_eq!((answer.status.as_u16(), answer.header("idempotent-replayed")), (200, None));
    assert_eq!(caller.available().await, 3);
    failing.edit("go").await.ok();
    assert_eq!(caller.available().await, 3);
    app.check().await;
}

#[tokio::test]
async fn a_replay_needs_no_balance() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let keyed = caller.clone().with_header("idempotency-key", "c-1");
    keyed.edit("go").await.ok();
    caller.edit("go").await.ok();
    caller.edit("go").await.is_error(402, "insufficient_credits", None);
    assert_eq!(keyed.edit("go").await.header("idempotent-replayed"), Some("true"));
    app.check().await;
}

#[tokio::test]
async fn the_replay_of_a_deleted_generation_says_so_and_charges_nothing() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await.with_header("idempotency-key", "d-1");
    let body = caller.edit("go").await.ok();
    let uuid = body["generation"]["uuid"].as_str().unwrap().to_owned();
    assert_eq!(caller.delete(&format!("/api/generations/{uuid}")).await.status, 204);
    caller.edit("go").await.is_error(404, "not_found", None);
    assert_eq!(caller.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn a_key_is_1_to_255_visible_characters() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    for wrong in ["", "a b", "ü", &"x".repeat(256)] {
        let keyed = caller.clone().with_header("idempotency-key", wrong);
        keyed.edit("go").await.is_error(400, "invalid_idempotency_key", None);
    }
    let longest = caller.clone().with_header("idempotency-key", &"x".repeat(255));
    longest.edit("go").await.ok();
    let doubled = caller.with_header("idempotency-key", "a").with_header("idempotency-key", "b");
    doubled.edit("go").await.is_error(400, "invalid_idempotency_key", None);
    app.check().await;
}
