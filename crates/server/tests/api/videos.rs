//! Videos: accepted immediately, made later, charged when they are stored.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::support::{TestApp, persona::Persona, pictures};

fn wait() -> Value {
    json!({ "instruction": "wait" })
}

#[tokio::test]
async fn a_video_is_accepted_with_its_price_held_and_charged_when_it_is_stored() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let accepted =
        caller.video(&json!({ "prompt": "wait", "seconds": 5, "quality": "auto" })).await;
    assert_eq!(accepted.status, 202);
    let body = accepted.ok();
    assert_eq!((&body["cost"], &body["model"]), (&json!(21), &json!("alpha-video-1")));
    let codes: Vec<&Value> =
        body["warnings"].as_array().unwrap().iter().map(|one| &one["code"]).collect();
    assert_eq!(codes, ["unknown_field"]);
    let generation = &body["generation"];
    assert_eq!(
        (&generation["kind"], &generation["status"]),
        (&json!("video"), &json!("processing"))
    );
    assert_eq!((&generation["cost"], &generation["stored_videos"]), (&json!(21), &json!([])));
    let path = format!("/api/generations/{}", generation["uuid"].as_str().unwrap());
    let location = format!("http://127.0.0.1:8080{path}");
    assert_eq!(accepted.header("location"), Some(location.as_str()));
    assert!(accepted.header("retry-after").is_some());
    let looking = caller.get(&path).await;
    assert!(looking.header("retry-after").is_some(), "{:?}", looking.headers);
    let credits = caller.get("/api/credits").await.ok();
    assert_eq!((&credits["available"], &credits["held"]), (&json!(994), &json!(21)));
    caller.delete(&path).await.is_error(409, "generation_running", None);
    app.provider.gate.add_permits(1);
    app.settled().await;
    let done = caller.get(&path).await;
    assert_eq!(done.header("retry-after"), None);
    let done = done.ok();
    assert_eq!((&done["status"], &done["cost"]), (&json!("succeeded"), &json!(21)));
    assert_eq!(
        (&done["provider"], &done["usage"]["total_tokens"]),
        (&json!("scripted"), &json!(7))
    );
    assert_eq!(done["warnings"].as_array().unwrap().len(), 2, "{done}");
    assert_eq!(done["stored_images"], json!([]));
    let file = done["stored_videos"][0].as_str().unwrap();
    assert!(file.ends_with(".mp4"), "{file}");
    assert_eq!(caller.available().await, 994);
    assert_eq!(caller.delete(&path).await.status, 204);
    let gone = file.strip_prefix("http://127.0.0.1:8080").unwrap();
    app.anon().get(gone).await.is_error(404, "not_found", None);
    app.check().await;
}

#[tokio::test]
async fn a_video_that_fails_is_not_charged_and_its_record_says_why() {
    let app = TestApp::with(&[("RETOUCH_EDITS__BACKGROUND_TIME_MAX", "100 ms")]).await;
    let caller = app.rich_caller("ada@example.com").await;
    for (instruction, code) in [
        ("fail", "upstream_error"),
        ("panic", "upstream_error"),
        ("nonsense", "upstream_error"),
        ("refuse", "content_refused"),
        ("hang", "upstream_error"),
    ] {
        let accepted = caller.video(&json!({ "instruction": instruction })).await;
        assert_eq!(accepted.status, 202);
        app.settled().await;
        let failed = caller.look(&accepted).await;
        assert_eq!((&failed["status"], &failed["cost"]), (&json!("failed"), &json!(0)), "{failed}");
        assert_eq!(failed["error"]["code"], code, "{instruction}");
        assert!(!failed.to_string().contains("secret"), "{failed}");
        assert_eq!(caller.available().await, 1015);
    }
    app.check().await;
}

#[tokio::test]
async fn what_is_wrong_with_a_request_for_a_video_is_said_before_anything_is_accepted() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let picture = pictures::base64(2, 2);
    let cases = [
        (json!({}), "missing_field", "instruction"),
        (json!({ "prompt": "x", "duration_seconds": 7 }), "invalid_value", "duration_seconds"),
        (json!({ "prompt": "x", "duration_seconds": "5" }), "invalid_type", "duration_seconds"),
        (json!({ "prompt": "x", "model": "gamma-2" }), "unknown_model", "model"),
        (
            json!({ "prompt": "x", "imageUrls": ["data:,a"], "imageBase64": picture }),
            "too_many_images",
            "imageBase64",
        ),
        (json!({ "prompt": "x", "imageBase64": "AAAA" }), "invalid_image", "imageBase64"),
        (
            json!({ "prompt": "x", "imageUrl": "http://127.0.0.1:1/a.png" }),
            "image_fetch_failed",
            "imageUrl",
        ),
    ];
    for (fields, code, param) in cases {
        caller.video(&fields).await.is_error(400, code, Some(param));
        assert_eq!(caller.available().await, 1015, "{fields}");
    }
    caller.video(&json!({ "instruction": "refuse at once" })).await.is_error(
        400,
        "content_refused",
        None,
    );
    let poor = app.caller("bob@example.com").await;
    poor.video(&json!({ "prompt": "x" })).await.is_error(402, "insufficient_credits", None);
    app.anon().video(&json!({ "prompt": "x" })).await.is_error(401, "unauthenticated", None);
    assert_eq!(app.provider.begun.load(Ordering::SeqCst), 0);
    app.check().await;
}

#[tokio::test]
async fn the_same_key_gets_the_same_video_however_far_it_is() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await.with_header("idempotency-key", "v-1");
    let uuid = |answer: &crate::support::persona::Answer| answer.ok()["generation"]["uuid"].clone();
    let first = caller.video(&wait()).await;
    let again = caller.video(&wait()).await;
    assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (202, Some("true")));
    assert_eq!((uuid(&again), again.header("location")), (uuid(&first), first.header("location")));
    caller.video(&json!({ "prompt": "fail" })).await.is_error(422, "idempotency_mismatch", None);
    app.provider.gate.add_permits(1);
    app.settled().await;
    let done = caller.video(&wait()).await;
    assert_eq!((done.status.as_u16(), done.header("idempotent-replayed")), (202, Some("true")));
    assert_eq!(done.ok()["generation"]["status"], "succeeded");
    assert_eq!((uuid(&done), caller.available().await), (uuid(&first), 994));
    let path = format!("/api/generations/{}", uuid(&first).as_str().unwrap());
    assert_eq!(caller.delete(&path).await.status, 204);
    caller.video(&wait()).await.is_error(404, "not_found", None);
    // An attempt that was not charged frees its key.
    let failing = caller.without_header("idempotency-key").with_header("idempotency-key", "v-2");
    failing.video(&json!({ "prompt": "fail" })).await.ok();
    app.settled().await;
    let answer = failing.video(&json!({ "prompt": "go" })).await;
    assert_eq!((answer.status.as_u16(), answer.header("idempotent-replayed")), (202, None));
    app.check().await;
}

#[tokio::test]
async fn so_many_videos_are_made_at_once_and_no_more() {
    let limits =
        [("RETOUCH_EDITS__VIDEOS_PER_ACCOUNT_MAX", "2"), ("RETOUCH_EDITS__VIDEOS_MAX", "3")];
    let app = TestApp::with(&limits).await;
    let ada = app.rich_caller("ada@example.com").await;
    let bob = app.rich_caller("bob@example.com").await;
    let keyed = |persona: &Persona, key: &str| persona.clone().with_header("idempotency-key", key);
    for key in ["1", "2"] {
        assert_eq!(keyed(&ada, key).video(&wait()).await.status, 202);
    }
    let booked = ada.get("/api/credits/entries").await.ok();
    for third in [ada.clone(), keyed(&ada, "3")] {
        let refused = third.video(&wait()).await;
        refused.is_error(429, "rate_limited", None);
        assert!(refused.header("retry-after").is_some());
    }
    assert_eq!(ada.get("/api/credits/entries").await.ok(), booked, "nothing was held for them");
    // A repeated call is answered all the same.
    assert_eq!(keyed(&ada, "2").video(&wait()).await.header("idempotent-replayed"), Some("true"));
    assert_eq!(bob.video(&wait()).await.status, 202);
    bob.video(&wait()).await.is_error(503, "overloaded", None);
    keyed(&bob, "b").video(&wait()).await.is_error(503, "overloaded", None);
    // Images do not wait for videos.
    assert_eq!(ada.edit("go").await.status, 200);
    assert_eq!((ada.available().await, bob.available().await), (1015 - 48, 1015 - 21));
    app.provider.gate.add_permits(3);
    app.settled().await;
    assert_eq!(ada.video(&json!({ "prompt": "go" })).await.status, 202);
    app.check().await;
}

#[tokio::test]
async fn the_record_and_the_metrics_name_the_provider_that_made_the_video() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let fields =
        json!({ "prompt": "go", "model": "gamma-video-1", "imageBase64": pictures::base64(2, 2) });
    let accepted = caller.video(&fields).await;
    app.settled().await;
    let done = caller.look(&accepted).await;
    assert_eq!((&done["status"], &done["provider"]), (&json!("succeeded"), &json!("scripted")));
    let page = String::from_utf8(app.anon().get("/metrics").await.bytes).unwrap();
    for line in [
        r#"retouch_edits_total{model="gamma-video-1",provider="scripted",outcome="done"} 1"#,
        r#"retouch_credits_captured_total{model="gamma-video-1"} 21"#,
        r#"provider="unwilling",provider_model="no-1",outcome="not_accepted"} 1"#,
    ] {
        assert!(page.contains(line), "{line} in\n{page}");
    }
    app.check().await;
}

#[tokio::test]
async fn the_shapes_of_a_video_are_those_that_are_documented() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let body = caller.video(&json!({ "prompt": "go" })).await.ok();
    let document = app.anon().get("/openapi.json").await.ok();
    let schema = &document["components"]["schemas"]["AcceptedResponse"]["properties"];
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let (mut sent, mut documented) = (keys(&body), keys(schema));
    sent.sort();
    documented.sort();
    assert_eq!(sent, documented);
    app.check().await;
}
