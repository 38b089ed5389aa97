//! Images whose caller does not wait (`Prefer: respond-async`): accepted immediately, made later,
//! charged when they are stored.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use retouch_server::app::App;
use serde_json::{Value, json};

use crate::support::persona::{Answer, Persona};
use crate::support::{TestApp, pictures, swept};

/// More memory than there is for the requests of images.
const ALL: u64 = 1 << 40;

/// The same caller, who does not wait for images.
fn patient(caller: &Persona) -> Persona {
    caller.clone().with_header("prefer", "respond-async")
}

fn keyed(caller: &Persona, key: &str) -> Persona {
    caller.clone().with_header("idempotency-key", key)
}

fn uuid(answer: &Answer) -> String {
    answer.ok()["generation"]["uuid"].as_str().unwrap().to_owned()
}

fn begun(app: &TestApp) -> (usize, usize) {
    let provider = &app.provider;
    (provider.begun.load(Ordering::SeqCst), provider.resumed.load(Ordering::SeqCst))
}

async fn idle(app: &Arc<App>) {
    app.tasks.close();
    app.tasks.wait().await;
    app.tasks.reopen();
}

#[tokio::test]
async fn an_image_is_accepted_with_its_price_held_and_charged_when_it_is_stored() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let accepted = patient(&caller).edit("wait").await;
    assert_eq!(accepted.status, 202);
    assert_eq!(accepted.header("preference-applied"), Some("respond-async"));
    assert!(accepted.header("retry-after").is_some());
    let path = format!("/api/generations/{}", uuid(&accepted));
    let location = format!("http://127.0.0.1:8080{path}");
    assert_eq!(accepted.header("location"), Some(location.as_str()));
    let body = accepted.ok();
    assert_eq!((&body["cost"], &body["model"]), (&json!(6), &json!("gamma-2")));
    assert_eq!(body["generation"]["status"], "processing");
    let credits = caller.get("/api/credits").await.ok();
    assert_eq!((&credits["available"], &credits["held"]), (&json!(9), &json!(6)));
    app.provider.gate.add_permits(1);
    app.settled().await;
    let done = caller.get(&path).await.ok();
    assert_eq!((&done["status"], &done["cost"]), (&json!("succeeded"), &json!(6)), "{done}");
    let file = done["stored_images"][0].as_str().unwrap();
    let file = app.anon().get(file.strip_prefix("http://127.0.0.1:8080").unwrap()).await;
    assert_eq!((file.status.as_u16(), file.header("content-type")), (200, Some("image/png")));
    assert_eq!(caller.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn every_charging_call_can_be_made_without_waiting_in_the_format_asked_for() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let fields = json!({ "prompt": "go", "output_format": "jpeg" });
    let made = patient(&caller).make(&fields).await;
    let edited = patient(&caller).edit_with(&json!({ "prompt": "sepia" })).await;
    let words = "RESPOND-ASYNC; x=\"y\", wait=10";
    let filmed =
        caller.clone().with_header("prefer", words).video(&json!({ "prompt": "go" })).await;
    let usual = caller.video(&json!({ "prompt": "go" })).await;
    assert_eq!(usual.header("preference-applied"), None, "it was not asked for");
    app.settled().await;
    for (answer, provider, extension) in
        [(&made, "scripted", ".jpg"), (&edited, "built-in", ".png"), (&filmed, "scripted", ".mp4")]
    {
        assert_eq!(answer.header("preference-applied"), Some("respond-async"));
        let done = caller.look(answer).await;
        assert_eq!((&done["status"], &done["provider"]), (&json!("succeeded"), &json!(provider)));
        let all = [&done["stored_images"][0], &done["stored_videos"][0]];
        assert!(all.iter().any(|one| one.to_string().contains(extension)), "{done}");
    }
    // Other preferences change nothing.
    let waiting = caller.clone().with_header("prefer", "wait=10, return=minimal").edit("go").await;
    assert_eq!((waiting.status.as_u16(), waiting.header("preference-applied")), (200, None));
    app.check().await;
}

#[tokio::test]
async fn what_is_wrong_is_said_before_anything_is_accepted() {
    let app = TestApp::new().await;
    let caller = patient(&app.caller("ada@example.com").await);
    caller.edit("").await.is_error(400, "invalid_value", Some("instruction"));
    caller.edit("refuse at once").await.is_error(400, "content_refused", None);
    let broken = json!({ "prompt": "x", "model": "gamma-2", "imageBase64": "AAAA" });
    caller.edit_with(&broken).await.is_error(400, "invalid_image", Some("imageBase64"));
    assert_eq!((caller.available().await, begun(&app)), (15, (0, 0)));
    app.check().await;
}

#[tokio::test]
async fn an_image_that_fails_is_not_charged_and_frees_its_key() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    for (instruction, code) in
        [("fail", "upstream_error"), ("panic", "upstream_error"), ("refuse", "content_refused")]
    {
        let accepted = keyed(&patient(&caller), "k").edit(instruction).await;
        assert_eq!((accepted.status.as_u16(), accepted.header("idempotent-replayed")), (202, None));
        app.settled().await;
        let failed = caller.look(&accepted).await;
        assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("failed"), &json!(code)));
        assert_eq!(caller.available().await, 15);
    }
    app.check().await;
}

#[tokio::test]
async fn calls_that_wait_and_calls_that_do_not_share_their_keys() {
    let app = TestApp::new().await;
    let waiting = keyed(&app.caller("ada@example.com").await, "k");
    let patient = patient(&waiting);
    let first = patient.edit("wait").await;
    let again = patient.edit("wait").await;
    assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (202, Some("true")));
    assert_eq!(uuid(&again), uuid(&first));
    // A call that waits is told where to look.
    let running = waiting.edit("wait").await;
    assert!(running.header("retry-after").is_some());
    let told = running.is_error(409, "idempotency_in_progress", None);
    assert!(told.contains(&uuid(&first)), "{told}");
    patient.edit("go").await.is_error(422, "idempotency_mismatch", None);
    app.provider.gate.add_permits(1);
    app.settled().await;
    let done = waiting.edit("wait").await;
    assert_eq!((done.status.as_u16(), done.header("idempotent-replayed")), (200, Some("true")));
    assert_eq!((uuid(&done), done.ok()["data"].as_array().unwrap().len()), (uuid(&first), 1));
    let late = patient.edit("wait").await;
    assert_eq!(
        (late.status.as_u16(), &late.ok()["generation"]["status"]),
        (202, &json!("succeeded"))
    );
    assert_eq!(waiting.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn so_many_are_made_at_once_and_no_more() {
    let limits =
        [("RETOUCH_EDITS__ASYNC_IMAGES_MAX", "3"), ("RETOUCH_EDITS__PER_ACCOUNT_MAX", "2")];
    let app = TestApp::with(&limits).await;
    let ada = patient(&app.rich_caller("ada@example.com").await);
    let bob = patient(&app.rich_caller("bob@example.com").await);
    for key in ["1", "2"] {
        assert_eq!(keyed(&ada, key).edit("wait").await.status, 202);
    }
    ada.edit("wait").await.is_error(429, "rate_limited", None);
    assert_eq!(keyed(&ada, "2").edit("wait").await.header("idempotent-replayed"), Some("true"));
    assert_eq!(bob.edit("wait").await.status, 202);
    bob.edit("wait").await.is_error(503, "overloaded", None);
    // Videos are counted separately.
    assert_eq!(bob.video(&json!({ "prompt": "go" })).await.status, 202);
    app.provider.gate.add_permits(3);
    app.settled().await;
    assert_eq!(ada.edit("go").await.status, 202);
    app.check().await;
}

#[tokio::test]
async fn their_requests_take_disk_space_that_is_counted() {
    let app = TestApp::with(&[("RETOUCH_EDITS__BACKGROUND_DISK_MAX", "1 MiB")]).await;
    let caller = patient(&app.caller("ada@example.com").await);
    // As large as the account's share allows.
    let large = || {
        let image = pictures::base64(4, 3) + &" ".repeat(300_000);
        json!({ "prompt": "wait", "model": "gamma-2", "imageBase64": image })
    };
    assert_eq!(caller.edit_with(&large()).await.status, 202);
    let refused = caller.edit_with(&large()).await;
    refused.is_error(503, "overloaded", None);
    assert_eq!(caller.available().await, 9, "nothing is held for it");
    app.provider.gate.add_permits(1);
    app.settled().await;
    app.provider.gate.add_permits(1);
    assert_eq!(caller.edit_with(&large()).await.status, 202);
    app.check().await;
}

#[tokio::test]
async fn an_image_that_was_never_sent_starts_again_from_its_stored_request() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    // All memory is taken, so the work waits before any provider is called.
    let memory = app.app.background.images.take(&app.app.ids.account(), ALL).await;
    let fields = json!({ "prompt": "go", "model": "gamma-2", "output_format": "jpeg" });
    let accepted = patient(&caller).edit_with(&fields).await;
    assert_eq!(app.other_files().len(), 1, "the stored request");
    app.app.ending.cancel();
    app.settled().await;
    drop(memory);
    assert_eq!(begun(&app), (0, 0));
    idle(&app.restarted().await).await;
    let done = caller.look(&accepted).await;
    assert_eq!((&done["status"], begun(&app)), (&json!("succeeded"), (1, 0)), "{done}");
    assert!(done["stored_images"][0].as_str().unwrap().ends_with(".jpg"), "{done}");
    assert_eq!(caller.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn a_named_image_is_asked_for_again_and_charged_once() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let accepted = patient(&caller).edit("name the work go").await;
    app.provider.waiting.acquire().await.unwrap().forget();
    app.app.ending.cancel();
    app.settled().await;
    idle(&app.restarted().await).await;
    let done = caller.look(&accepted).await;
    assert_eq!((&done["status"], begun(&app)), (&json!("succeeded"), (1, 1)), "{done}");
    assert_eq!(caller.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn an_image_that_was_sent_and_not_named_is_given_back_and_says_so() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let accepted = patient(&caller).edit("wait").await;
    app.provider.waiting.acquire().await.unwrap().forget();
    let next = app.restarted().await;
    idle(&next).await;
    let failed = caller.look(&accepted).await;
    assert_eq!((&failed["status"], caller.available().await), (&json!("failed"), 15));
    assert_eq!(failed["error"]["outcome_unknown"], true, "{failed}");
    app.provider.gate.add_permits(1);
    app.check().await;
}

#[tokio::test]
async fn another_server_goes_on_with_the_image_of_one_that_is_gone() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let memory = app.app.background.images.take(&app.app.ids.account(), ALL).await;
    let accepted = patient(&caller).edit("wait").await;
    let [open] = app.app.store.list_open_edits().await.unwrap().try_into().unwrap();
    app.clock.set(open.lease_until);
    let other = app.second().await;
    assert_eq!(swept(&other).await, 1);
    app.provider.waiting.acquire().await.unwrap().forget();
    // The server that was thought gone goes on, and may not send anything.
    drop(memory);
    app.settled().await;
    assert_eq!(app.provider.waiting.available_permits(), 0, "the work was sent only once");
    app.provider.gate.add_permits(1);
    idle(&other).await;
    assert_eq!(caller.look(&accepted).await["status"], "succeeded");
    assert_eq!(caller.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn a_result_is_an_input_whatever_its_size() {
    let app = TestApp::with(&[("RETOUCH_EDITS__IMAGE_SIZE_MAX", "1 KiB")]).await;
    let caller = app.rich_caller("ada@example.com").await;
    let words = "a gradient from red to blue, 640x480 pixels";
    let made = caller.post("/api/text-to-image", &json!({ "prompt": words })).await.ok();
    let address = made["generation"]["stored_images"][0].as_str().unwrap();
    let file = app.anon().get(address.strip_prefix("http://127.0.0.1:8080").unwrap()).await;
    assert!(file.bytes.len() > 1024, "{}", file.bytes.len());
    let fields = json!({ "prompt": "sepia", "imageUrl": address });
    let accepted = patient(&caller).edit_with(&fields).await;
    app.settled().await;
    let done = caller.look(&accepted).await;
    assert_eq!(done["status"], "succeeded", "{done}");
    assert_eq!(done["parent"], made["generation"]["uuid"]);
    app.check().await;
}

#[tokio::test]
async fn the_shape_of_the_response_is_documented() {
    let app = TestApp::new().await;
    let caller = patient(&app.caller("ada@example.com").await);
    let body = caller.edit("go").await.ok();
    let document = app.anon().get("/openapi.json").await.ok();
    let schema = &document["components"]["schemas"]["AcceptedResponse"]["properties"];
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let (mut sent, mut documented) = (keys(&body), keys(schema));
    sent.sort();
    documented.sort();
    assert_eq!(sent, documented);
    for call in ["image-edit", "text-to-image", "video-generation"] {
        let responses = &document["paths"][format!("/api/{call}")]["post"]["responses"];
        assert!(responses["202"]["headers"]["Location"].is_object(), "{call}");
    }
    app.check().await;
}
