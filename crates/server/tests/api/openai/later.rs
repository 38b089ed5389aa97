//! `Prefer: respond-async`: the answer comes before the image.

use axum::http::Method;
use retouch_engine::codec;
use retouch_sim::{Options, Sim};
use serde_json::{Value, json};

use super::{BOUNDARY, EDITS, FILE, GENERATIONS, edit, file, form};
use crate::support::persona::{Answer, Persona};
use crate::support::{TestApp, pictures, scripted, till};

/// More memory than there is for the requests of images.
const ALL: u64 = 1 << 40;

/// The same caller, who does not wait for images.
fn patient(caller: &Persona) -> Persona {
    caller.clone().with_header("prefer", "respond-async")
}

async fn send_form(caller: &Persona, body: Vec<u8>) -> Answer {
    let kind = format!("multipart/form-data; boundary=\"{BOUNDARY}\"");
    patient(caller).with_header("content-type", &kind).send(Method::POST, EDITS, Some(body)).await
}

#[tokio::test]
async fn a_call_is_answered_with_its_generation_and_repeated_for_the_image() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await.with_header("idempotency-key", "one");
    let asked = || json!({ "prompt": "wait", "response_format": "b64_json" });
    let accepted = edit(&patient(&caller), asked()).await;
    assert_eq!(accepted.status, 202, "{}", accepted.text());
    assert_eq!(accepted.header("preference-applied"), Some("respond-async"));
    assert!(accepted.header("retry-after").is_some());
    let body = accepted.ok();
    let path = format!("/api/generations/{}", body["generation"]["uuid"].as_str().unwrap());
    let location = format!("http://127.0.0.1:8080{path}");
    assert_eq!(accepted.header("location"), Some(location.as_str()));
    assert_eq!((&body["cost"], &body["generation"]["status"]), (&json!(6), &json!("processing")));
    let early = edit(&caller, asked()).await;
    early.is_error(409, "idempotency_in_progress", None);
    app.provider.gate.add_permits(1);
    app.settled().await;
    let done = caller.get(&path).await.ok();
    assert_eq!((&done["status"], &done["cost"]), (&json!("succeeded"), &json!(6)), "{done}");
    // Without the preference, the same call gets the image as if it had waited.
    let answer = edit(&caller, asked()).await;
    assert_eq!(answer.header("idempotent-replayed"), Some("true"));
    assert_eq!(file(&answer.ok()), scripted::png());
    let again = edit(&patient(&caller), asked()).await;
    assert_eq!((again.status.as_u16(), &again.ok()["generation"]), (202, &done));
    assert_eq!(caller.available().await, 9, "charged once");
    app.check().await;
}

#[tokio::test]
async fn attached_images_are_kept_until_the_work_is_done() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    // All memory is taken, so the work waits, and the next process does it.
    let memory = app.app.background.images.take(&app.app.ids.account(), ALL).await;
    let parts = form(&[
        ("image[]", FILE, &pictures::png(4, 3)),
        ("image[]", FILE, &pictures::png(5, 3)),
        ("prompt", "", b"put the images side by side"),
        ("style", "", b"natural"),
    ]);
    let accepted = send_form(&caller, parts).await;
    assert_eq!(accepted.status, 202, "{}", accepted.text());
    assert_eq!(app.other_files().len(), 1, "the stored request");
    app.app.ending.cancel();
    app.settled().await;
    drop(memory);
    let next = app.restarted().await;
    next.tasks.close();
    next.tasks.wait().await;
    let done = caller.look(&accepted).await;
    assert_eq!(done["status"], "succeeded", "{done}");
    assert_eq!(done["warnings"][0]["param"], "style", "{done}");
    let address = done["stored_images"][0].as_str().unwrap();
    let result = app.anon().get(address.strip_prefix("http://127.0.0.1:8080").unwrap()).await;
    let size = codec::probe(&result.bytes, &codec::Limits::default()).unwrap().size();
    assert_eq!(size, (9, 3));
    assert_eq!(caller.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn a_mask_and_a_long_prompt_reach_the_provider() {
    let sim = Sim::start(Options::default()).unwrap();
    let url = sim.url("openai");
    let app = TestApp::with(&[
        ("RETOUCH_PROVIDERS__OPENAI__BASE_URL", &url),
        ("RETOUCH_PROVIDERS__OPENAI__API_KEY", "sk-test"),
    ])
    .await;
    let caller = app.caller("ada@example.com").await;
    let prompt = "a hat ".repeat(300);
    let parts = form(&[
        ("image", FILE, &pictures::png(64, 64)),
        ("mask", FILE, &pictures::png(64, 64)),
        ("model", "", b"gpt-image-1.5"),
        ("prompt", "", prompt.as_bytes()),
    ]);
    let accepted = send_form(&caller, parts).await;
    assert_eq!(accepted.status, 202, "{}", accepted.text());
    app.settled().await;
    let done = caller.look(&accepted).await;
    assert_eq!((&done["status"], &done["provider"]), (&json!("succeeded"), &json!("openai")));
    let path = "/_sim/requests?provider=openai";
    let (_, requests) = till::send(&sim.origin(), ("GET", path), "application/json", "").await;
    let sent = requests.as_array().unwrap().iter().find(|it| it["method"] == "POST").unwrap();
    let names: Vec<&Value> =
        sent["body"]["form"].as_array().unwrap().iter().map(|part| &part["name"]).collect();
    assert!(names.contains(&&json!("mask")), "{names:?}");
    app.check().await;
}

#[tokio::test]
async fn several_images_and_streams_cannot_be_had_later() {
    let app = TestApp::new().await;
    let caller = patient(&app.caller("ada@example.com").await);
    let two = json!({ "prompt": "go", "n": 2 });
    edit(&caller, two).await.is_error(400, "invalid_value", Some("n"));
    let stream = json!({ "prompt": "go", "stream": true });
    edit(&caller, stream).await.is_error(400, "invalid_value", Some("stream"));
    let wrong = json!({ "prompt": "refuse at once", "model": "gamma-2" });
    let refused = caller.post(GENERATIONS, &wrong).await;
    refused.is_error(400, "content_refused", None);
    assert_eq!(caller.available().await, 15);
    app.check().await;
}
