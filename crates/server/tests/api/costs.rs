//! What a call costs, before it is made (`POST /api/estimate`) and in the headers of its response.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::support::persona::{Answer, Persona};
use crate::support::{TestApp, pictures};

async fn estimate(caller: &Persona, body: &Value) -> Answer {
    caller.post("/api/estimate", body).await
}

fn receipt(answer: &Answer) -> (Option<&str>, Option<&str>) {
    (answer.header("x-retouch-cost"), answer.header("x-retouch-balance"))
}

#[tokio::test]
async fn an_estimate_says_what_a_call_would_cost_and_who_would_do_it() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let image = pictures::base64(4, 3);
    let edit =
        json!({ "prompt": "make it grayscale", "imageBase64": image, "aspect_ratio": "1:1" });
    let shown = estimate(&caller, &edit).await.ok();
    assert_eq!((&shown["cost"], &shown["available"]), (&json!(6), &json!(15)));
    assert_eq!(
        (&shown["provider"], &shown["warnings"][0]["code"]),
        (&json!("built-in"), &json!("unknown_field"))
    );
    assert!(shown["plan"]["steps"].is_array(), "{shown}");
    // The call itself has the same warnings and plan.
    let made = caller.edit_with(&edit).await.ok();
    assert_eq!(
        (&made["warnings"], &made["generation"]["plan"]),
        (&shown["warnings"], &shown["plan"])
    );
    let elsewhere = json!({ "prompt": "x odd", "model": "gamma-2", "imageBase64": image });
    let shown = estimate(&caller, &elsewhere).await.ok();
    assert_eq!((&shown["provider"], &shown["plan"]), (&json!("scripted"), &json!(null)));
    assert_eq!(shown["warnings"][0]["code"], "parameter_not_honored");
    assert_eq!(shown["available"], 9);
    assert_eq!(app.provider.begun.load(Ordering::SeqCst), 0);
    app.check().await;
}

#[tokio::test]
async fn the_fields_of_a_body_say_which_call_is_meant() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let image = pictures::base64(4, 3);
    let cases = [
        (json!({ "prompt": "sepia", "imageBase64": image }), 6),
        (json!({ "prompt": "a gradient from red to blue", "imageUrls": [] }), 6),
        (json!({ "prompt": "x", "model": "alpha-video-1" }), 21),
        (json!({ "prompt": "x", "model": "alpha-video-1", "imageBase64": image }), 21),
        (json!({ "prompt": "zoom in on a red circle", "duration_seconds": 5 }), 21),
        (json!({ "prompt": "zoom in on a red circle", "kind": "video" }), 21),
    ];
    for (body, cost) in cases {
        let shown = estimate(&caller, &body).await.ok();
        assert_eq!((&shown["cost"], &shown["warnings"]), (&json!(cost), &json!([])), "{body}");
    }
    // A kind that contradicts the fields is refused like the call itself.
    let edit = json!({ "prompt": "sepia", "kind": "image_edit" });
    estimate(&caller, &edit).await.is_error(400, "missing_field", Some("imageUrl"));
    let wrong = json!({ "prompt": "sepia", "kind": "painting" });
    estimate(&caller, &wrong).await.is_error(400, "invalid_value", Some("kind"));
    app.check().await;
}

#[tokio::test]
async fn an_estimate_refuses_what_the_call_would_refuse_and_changes_nothing() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let image = pictures::base64(4, 3);
    let vague = json!({ "prompt": "make it pop", "imageBase64": image });
    estimate(&caller, &vague).await.is_error(400, "instruction_not_supported", Some("instruction"));
    let unknown = json!({ "prompt": "sepia", "model": "none", "imageBase64": image });
    estimate(&caller, &unknown).await.is_error(400, "unknown_model", Some("model"));
    estimate(&app.anon(), &vague).await.is_error(401, "unauthenticated", None);
    // An address is not fetched.
    let far = json!({ "prompt": "sepia", "imageUrl": "http://127.0.0.1:1/a.png" });
    assert_eq!(estimate(&caller, &far).await.ok()["cost"], 6);
    // More than there is can be estimated.
    caller.edit("go").await.ok();
    let dear = json!({ "prompt": "x", "model": "alpha-video-1" });
    let shown = estimate(&caller, &dear).await.ok();
    assert_eq!((&shown["cost"], &shown["available"]), (&json!(21), &json!(9)));
    assert_eq!(caller.get("/api/generations").await.ok()["data"].as_array().unwrap().len(), 1);
    app.check().await;
}

#[tokio::test]
async fn every_charging_call_says_what_it_cost_and_what_is_left() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let keyed = caller.clone().with_header("idempotency-key", "k");
    assert_eq!(receipt(&keyed.edit("go").await), (Some("6"), Some("1009")));
    assert_eq!(receipt(&keyed.edit("go").await), (Some("6"), Some("1009")), "a replay");
    assert_eq!(receipt(&caller.make(&json!({ "prompt": "go" })).await), (Some("6"), Some("1003")));
    let accepted = caller.video(&json!({ "prompt": "wait" })).await;
    assert_eq!(receipt(&accepted), (Some("21"), Some("982")), "held");
    let later = caller.clone().with_header("prefer", "respond-async").edit("wait").await;
    assert_eq!(receipt(&later), (Some("6"), Some("976")), "held");
    for (refused, status) in [(caller.edit("fail").await, 500), (caller.edit("").await, 400)] {
        assert_eq!(refused.status, status);
        assert_eq!(receipt(&refused), (Some("0"), Some("976")));
    }
    let poor = app.caller("bob@example.com").await;
    let refused = poor.video(&json!({ "prompt": "go" })).await;
    refused.is_error(402, "insufficient_credits", None);
    assert_eq!(receipt(&refused), (Some("0"), Some("15")));
    assert_eq!(receipt(&app.anon().edit("go").await), (None, None), "nobody is known");
    app.provider.gate.add_permits(2);
    app.check().await;
}

#[tokio::test]
async fn an_outcome_that_is_not_known_has_no_cost_yet() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let waiting = caller.clone();
    let call = tokio::spawn(async move { waiting.edit("wait").await });
    app.provider.waiting.acquire().await.unwrap().forget();
    app.app.leaving.cancel();
    let pending = call.await.unwrap();
    pending.is_error(500, "outcome_pending", None);
    assert_eq!(receipt(&pending), (None, Some("9")));
    app.provider.gate.add_permits(1);
    app.check().await;
}

#[tokio::test]
async fn credits_that_have_expired_are_not_left() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let account = caller.get("/api/account").await.ok()["id"].as_str().unwrap().parse().unwrap();
    let grant = retouch_core::credits::Grant {
        kind: retouch_core::credits::BucketKind::Plan,
        credits: 100_u32.into(),
        source_key: "test:month".into(),
        expires_at: Some(crate::support::START.plus_ms(1_000)),
        priority: None,
        description: "for a test".into(),
    };
    app.app.store.grant(&account, grant).await.unwrap();
    assert_eq!(receipt(&caller.edit("").await).1, Some("115"));
    app.clock.advance_ms(1_000);
    assert_eq!(receipt(&caller.edit("").await).1, Some("15"));
    assert_eq!(caller.available().await, 15);
    app.check().await;
}
