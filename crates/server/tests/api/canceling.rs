//! Canceling: the credits come back as long as no provider has the work.

use retouch_server::edits::renew_leases;
use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::persona::{Answer, Persona};

/// More memory than there is.
const ALL: u64 = 1 << 40;

async fn cancel(caller: &Persona, accepted: &Answer) -> Answer {
    let uuid = accepted.ok()["generation"]["uuid"].as_str().unwrap().to_owned();
    cancel_named(caller, &uuid).await
}

async fn cancel_named(caller: &Persona, uuid: &str) -> Answer {
    caller.post(&format!("/api/generations/{uuid}/cancel"), &json!({})).await
}

/// An account whose images and videos are made without waiting for them.
async fn patient(app: &TestApp) -> Persona {
    app.rich_caller("ada@example.com").await.with_header("prefer", "respond-async")
}

fn is_canceled(generation: &Value) -> bool {
    (&generation["status"], &generation["error"]["code"]) == (&json!("failed"), &json!("canceled"))
}

#[tokio::test]
async fn work_that_waits_is_canceled_and_never_sent() {
    let app = TestApp::new().await;
    let caller = patient(&app).await;
    let other = app.app.ids.account();
    let background = &app.app.background;
    let memory =
        (background.images.take(&other, ALL).await, background.videos.take(&other, ALL).await);
    let image = caller.clone().with_header("idempotency-key", "k").edit("go").await;
    let video = caller.video(&json!({ "prompt": "go" })).await;
    assert_eq!((caller.available().await, app.other_files().len()), (1015 - 27, 2));
    for accepted in [&image, &video] {
        let canceled = cancel(&caller, accepted).await.ok();
        assert!(is_canceled(&canceled), "{canceled}");
        assert_eq!(
            (&canceled["cost"], &canceled["error"]["outcome_unknown"]),
            (&json!(0), &json!(false))
        );
        // Once more changes nothing.
        assert_eq!(cancel(&caller, accepted).await.ok(), canceled);
    }
    let credits = caller.get("/api/credits").await.ok();
    assert_eq!((&credits["available"], &credits["held"]), (&json!(1015), &json!(0)));
    assert!(app.other_files().is_empty(), "the stored requests are gone");
    // The tasks end although there is still no memory.
    app.settled().await;
    drop(memory);
    assert_eq!(app.provider.begun.load(std::sync::atomic::Ordering::SeqCst), 0);
    // The key is free again.
    let again = caller.clone().with_header("idempotency-key", "k").edit("go").await;
    assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (202, None));
    app.settled().await;
    assert_eq!(caller.available().await, 1009);
    app.check().await;
}

#[tokio::test]
async fn work_that_a_provider_may_have_is_not_canceled() {
    let app = TestApp::new().await;
    let caller = patient(&app).await;
    let image = caller.edit("wait").await;
    let video = caller.video(&json!({ "prompt": "wait" })).await;
    for _ in 0..2 {
        app.provider.waiting.acquire().await.unwrap().forget();
    }
    for accepted in [&image, &video] {
        let told = cancel(&caller, accepted).await.is_error(409, "not_cancelable", None);
        assert!(told.contains("scripted"), "{told}");
    }
    app.provider.gate.add_permits(2);
    app.settled().await;
    for accepted in [&image, &video] {
        assert_eq!(caller.look(accepted).await["status"], "succeeded");
        let told = cancel(&caller, accepted).await.is_error(409, "not_cancelable", None);
        assert!(told.contains("succeeded"), "{told}");
    }
    let failing = caller.edit("fail").await;
    app.settled().await;
    cancel(&caller, &failing).await.is_error(409, "not_cancelable", None);
    assert_eq!(caller.available().await, 1015 - 27);
    app.check().await;
}

#[tokio::test]
async fn a_call_that_waits_can_be_canceled_while_the_built_in_editor_has_it() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let mut turns = Vec::new();
    for _ in 0..app.app.settings.edits.built_in_turns() {
        turns.push(app.app.built_in_turns.turn(&app.app.ids.account(), usize::MAX).await);
    }
    let waiting = caller.clone();
    let call = tokio::spawn(async move { waiting.edit_with(&json!({ "prompt": "sepia" })).await });
    while app.app.built_in_turns.waiting() == 0 {
        tokio::task::yield_now().await;
    }
    let open = caller.get("/api/generations").await.ok()["data"][0].clone();
    let canceled = cancel_named(&caller, open["uuid"].as_str().unwrap()).await;
    assert!(is_canceled(&canceled.ok()));
    // Whoever waits is told, although there is still no turn.
    call.await.unwrap().is_error(409, "canceled", None);
    assert_eq!(caller.available().await, 15);
    drop(turns);
    app.check().await;
}

#[tokio::test]
async fn a_call_that_waits_for_a_provider_is_not_canceled() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let waiting = caller.clone();
    let call = tokio::spawn(async move { waiting.edit("wait").await });
    app.provider.waiting.acquire().await.unwrap().forget();
    let open = caller.get("/api/generations").await.ok()["data"][0].clone();
    let refused = cancel_named(&caller, open["uuid"].as_str().unwrap()).await;
    refused.is_error(409, "not_cancelable", None);
    app.provider.gate.add_permits(1);
    assert_eq!(call.await.unwrap().status, 200);
    app.check().await;
}

#[tokio::test]
async fn another_server_cancels_what_this_one_is_about_to_send() {
    let app = TestApp::new().await;
    let caller = patient(&app).await;
    let memory = app.app.background.images.take(&app.app.ids.account(), ALL).await;
    let accepted = caller.edit("go").await;
    let other = app.second().await;
    let there = caller.clone().at(retouch_server::api::router(std::sync::Arc::clone(&other)));
    assert!(is_canceled(&cancel(&there, &accepted).await.ok()));
    // This server does not know yet, and goes on: it may not send anything.
    drop(memory);
    app.settled().await;
    renew_leases(&app.app).await.unwrap();
    assert!(is_canceled(&caller.look(&accepted).await));
    assert!(app.results().is_empty());
    assert_eq!(caller.available().await, 1015);
    app.check().await;
}

#[tokio::test]
async fn a_server_that_ends_in_the_middle_of_canceling_leaves_work_that_goes_on() {
    let app = TestApp::new().await;
    let caller = patient(&app).await;
    let memory = app.app.background.images.take(&app.app.ids.account(), ALL).await;
    let accepted = caller.edit("go").await;
    let [row] = app.app.store.list_open_edits().await.unwrap().try_into().unwrap();
    app.app.ending.cancel();
    app.settled().await;
    let adoption = retouch_store::Adoption {
        owner: "gone-cancel".into(),
        until: row.lease_until,
        blob: row.blob.replace(".png", "-2.png"),
    };
    assert!(app.app.store.adopt_edit(&row, adoption).await.unwrap());
    drop(memory);
    let next = app.restarted().await;
    next.tasks.close();
    next.tasks.wait().await;
    assert_eq!(caller.look(&accepted).await["status"], "succeeded");
    assert_eq!(caller.available().await, 1009);
    app.check().await;
}

#[tokio::test]
async fn only_the_owner_cancels() {
    let app = TestApp::new().await;
    let caller = patient(&app).await;
    let memory = app.app.background.images.take(&app.app.ids.account(), ALL).await;
    let accepted = caller.edit("go").await;
    let bob = app.caller("bob@example.com").await;
    cancel(&bob, &accepted).await.is_error(404, "not_found", None);
    cancel(&app.anon(), &accepted).await.is_error(401, "unauthenticated", None);
    cancel_named(&caller, "nothing").await.is_error(404, "not_found", None);
    drop(memory);
    app.settled().await;
    assert_eq!(caller.look(&accepted).await["status"], "succeeded");
    app.check().await;
}
