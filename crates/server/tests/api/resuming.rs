//! What a restart does with unfinished work: it starts work that was never sent, fetches work that
//! the provider has a name for, and fails work whose outcome is unknown.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use retouch_server::app::App;
use serde_json::{Value, json};

use crate::support::{TestApp, persona::Persona, scripted, swept};

/// Waits until `app` has finished the work it took over.
async fn idle(app: &Arc<App>) {
    app.tasks.close();
    app.tasks.wait().await;
    app.tasks.reopen();
}

/// Stops the process and waits until it has ended.
async fn ended(app: &TestApp) {
    app.app.ending.cancel();
    app.settled().await;
}

async fn only(caller: &Persona) -> Value {
    let all = caller.get("/api/generations").await.ok();
    assert_eq!(all["data"].as_array().unwrap().len(), 1, "{all}");
    all["data"][0].clone()
}

fn begun(app: &TestApp) -> (usize, usize) {
    let count = |number: &std::sync::atomic::AtomicUsize| number.load(Ordering::SeqCst);
    (count(&app.provider.begun), count(&app.provider.resumed))
}

#[tokio::test]
async fn a_named_video_is_asked_for_again_and_charged_once() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    caller.video(&json!({ "instruction": "name the work go" })).await.ok();
    app.provider.waiting.acquire().await.unwrap().forget();
    ended(&app).await;
    assert_eq!((only(&caller).await["status"].clone(), begun(&app)), (json!("processing"), (1, 0)));
    // The next process resumes from the recorded ticket and does not order the work again.
    let next = app.restarted().await;
    idle(&next).await;
    assert_eq!(begun(&app), (1, 1));
    let done = only(&caller).await;
    assert_eq!((&done["status"], &done["cost"]), (&json!("succeeded"), &json!(21)));
    assert_eq!((&done["usage"]["total_tokens"], caller.available().await), (&json!(7), 994));
    app.check().await;
}

#[tokio::test]
async fn a_second_restart_in_the_middle_changes_nothing() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    caller.video(&json!({ "instruction": "name the work wait" })).await.ok();
    app.provider.waiting.acquire().await.unwrap().forget();
    ended(&app).await;
    let second = app.restarted().await;
    app.provider.waiting.acquire().await.unwrap().forget();
    assert_eq!(second.running.count(), 1);
    second.ending.cancel();
    idle(&second).await;
    let third = app.restarted().await;
    app.provider.waiting.acquire().await.unwrap().forget();
    // A process that was assumed dead takes nothing from the one that is working on it.
    assert_eq!(swept(&second).await, 0);
    app.provider.gate.add_permits(1);
    idle(&third).await;
    assert_eq!((only(&caller).await["status"].clone(), begun(&app)), (json!("succeeded"), (1, 2)));
    assert_eq!(caller.available().await, 994);
    app.check().await;
}

#[tokio::test]
async fn a_named_picture_is_asked_for_again_too() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let keyed = caller.clone().with_header("idempotency-key", "k");
    let waiting = keyed.clone();
    let call = tokio::task::spawn(async move { waiting.edit("name the work go").await });
    app.provider.waiting.acquire().await.unwrap().forget();
    call.abort();
    let next = app.restarted().await;
    idle(&next).await;
    let done = only(&caller).await;
    assert_eq!(
        (&done["status"], &done["stored_images"].as_array().unwrap().len()),
        (&json!("succeeded"), &1)
    );
    assert_eq!((begun(&app), caller.available().await), ((1, 1), 9));
    let replayed = keyed.edit("name the work go").await;
    assert_eq!(replayed.header("idempotent-replayed"), Some("true"));
    assert_eq!(replayed.ok()["data"].as_array().unwrap().len(), 1);
    app.skip_check("the first process never gets its answer, so it never ends");
}

#[tokio::test]
async fn a_picture_that_may_have_been_sent_says_so_and_its_repetition_warns() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let keyed = caller.clone().with_header("idempotency-key", "k");
    let waiting = keyed.clone();
    let call = tokio::task::spawn(async move { waiting.edit("wait").await });
    app.provider.waiting.acquire().await.unwrap().forget();
    call.abort();
    app.restarted().await;
    let failed = only(&caller).await;
    let error = &failed["error"];
    assert_eq!((&failed["status"], &error["code"]), (&json!("failed"), &json!("upstream_error")));
    assert_eq!((&error["outcome_unknown"], caller.available().await), (&json!(true), 15));
    let told = error["message"].as_str().unwrap();
    assert!(told.contains("scripted") && told.contains("unknown"), "{told}");
    // The first process may still finish, but its result no longer counts.
    app.provider.gate.add_permits(2);
    let again = keyed.edit("wait").await.ok();
    assert_eq!(codes(&again), ["test_warning", "repeated_after_unknown"], "{again}");
    let told = again["warnings"][1]["message"].as_str().unwrap();
    assert!(told.contains(failed["uuid"].as_str().unwrap()), "{told}");
    assert_eq!(again["warnings"], again["generation"]["warnings"]);
    assert_eq!(caller.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn a_stop_that_waits_no_longer_tells_its_callers_where_to_look() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let waiting = caller.clone();
    let call = tokio::task::spawn(async move { waiting.edit("wait").await });
    app.provider.waiting.acquire().await.unwrap().forget();
    app.app.leaving.cancel();
    let told = call.await.unwrap().is_error(500, "outcome_pending", None);
    let open = only(&caller).await;
    let address = format!("/api/generations/{}", open["uuid"].as_str().unwrap());
    assert!(told.contains(&address) && open["status"] == "processing", "{told}");
    app.provider.gate.add_permits(1);
    app.settled().await;
    assert_eq!(only(&caller).await["status"], "succeeded");
    app.check().await;
}

#[tokio::test]
async fn work_that_the_provider_no_longer_has_is_given_back() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    caller.video(&json!({ "instruction": "name the work expire" })).await.ok();
    app.provider.waiting.acquire().await.unwrap().forget();
    ended(&app).await;
    idle(&app.restarted().await).await;
    let failed = only(&caller).await;
    assert_eq!(
        (&failed["status"], &failed["error"]["code"]),
        (&json!("failed"), &json!("upstream_error"))
    );
    assert_eq!(caller.available().await, 1015);
    app.check().await;
}

#[tokio::test]
async fn a_video_that_was_sent_and_not_named_is_given_back_and_says_so() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    caller.video(&json!({ "instruction": "wait" })).await.ok();
    app.provider.waiting.acquire().await.unwrap().forget();
    // Stopping the process does not interrupt this work; only a crash does. Another process finds
    // it.
    app.app.ending.cancel();
    let next = app.restarted().await;
    idle(&next).await;
    let failed = only(&caller).await;
    assert_eq!(
        (&failed["status"], &failed["error"]["code"]),
        (&json!("failed"), &json!("upstream_error"))
    );
    let told = failed["error"]["message"].as_str().unwrap();
    assert!(told.contains("scripted") && told.contains("unknown"), "{told}");
    assert_eq!((begun(&app), caller.available().await), ((1, 0), 1015));
    app.provider.gate.add_permits(1);
    app.check().await;
}

#[tokio::test]
async fn a_video_that_was_never_sent_starts_again_from_its_stored_request() {
    let app = TestApp::with(&[("RETOUCH_EDITS__VIDEO_MEMORY_MAX", "1 MiB")]).await;
    let caller = app.rich_caller("ada@example.com").await;
    // All memory is taken, so the video waits before any provider is called.
    let memory = app.app.background.videos.take(&app.app.ids.account(), 1 << 30).await;
    let stored = caller.edit("go").await.ok()["generation"]["stored_images"][0].clone();
    let uuid = caller.get("/api/generations").await.ok()["data"][0]["uuid"].clone();
    app.clock.advance_ms(1);
    let accepted = caller.video(&json!({ "prompt": "go", "imageUrl": stored })).await;
    assert_eq!(accepted.status, 202);
    // The fetched input is kept, because its address may be gone by the time of the restart.
    let path = format!("/api/generations/{}", uuid.as_str().unwrap());
    assert_eq!(caller.delete(&path).await.status, 204);
    ended(&app).await;
    drop(memory);
    assert_eq!((app.other_files().len(), begun(&app)), (1, (1, 0)));
    idle(&app.restarted().await).await;
    let done = caller.look(&accepted).await;
    assert_eq!((&done["status"], begun(&app)), (&json!("succeeded"), (2, 0)), "{done}");
    assert_eq!(caller.available().await, 1015 - 6 - 21);
    app.check().await;
}

#[tokio::test]
async fn a_video_whose_request_did_not_get_to_the_disk_is_given_back() {
    let app = TestApp::with(&[("RETOUCH_EDITS__VIDEO_MEMORY_MAX", "1 MiB")]).await;
    let caller = app.rich_caller("ada@example.com").await;
    let memory = app.app.background.videos.take(&app.app.ids.account(), 1 << 30).await;
    let kept = async |seconds: i64| {
        caller.video(&json!({ "prompt": "go" })).await.ok();
        app.clock.advance_ms(seconds * 1_000);
        app.other_files()
    };
    // One video has lost its request. The other has waited longer than a video may take.
    let [lost] = kept(1_300).await.try_into().unwrap();
    kept(1_300).await;
    app.app.store.blobs().delete(&lost).await.unwrap();
    ended(&app).await;
    drop(memory);
    idle(&app.restarted().await).await;
    for failed in caller.get("/api/generations").await.ok()["data"].as_array().unwrap() {
        assert_eq!(
            (&failed["status"], &failed["error"]["code"]),
            (&json!("failed"), &json!("server_error"))
        );
    }
    assert_eq!((begun(&app), caller.available().await), ((0, 0), 1015));
    app.check().await;
}

#[tokio::test]
async fn of_two_processes_one_goes_on_with_an_edit() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    caller.video(&json!({ "instruction": "name the work go" })).await.ok();
    app.provider.waiting.acquire().await.unwrap().forget();
    ended(&app).await;
    let open = app.app.store.list_open_edits().await.unwrap();
    app.clock.set(open[0].lease_until);
    let (one, two): (Arc<App>, Arc<App>) = (app.second().await, app.second().await);
    let taken = tokio::join!(swept(&one), swept(&two));
    assert_eq!(taken.0 + taken.1, 1);
    idle(&one).await;
    idle(&two).await;
    assert_eq!((begun(&app), caller.available().await), ((1, 1), 994));
    app.check().await;
}

/// A video whose work has a name at the provider of the second route, and whose process has ended.
async fn with_a_further_route(app: &TestApp) -> Persona {
    let caller = app.rich_caller("ada@example.com").await;
    let fields = json!({ "model": "gamma-video-1", "instruction": "name the work odd" });
    let warnings = caller.video(&fields).await.ok()["warnings"].clone();
    assert_eq!(warnings, json!([]), "the first route supports everything in the request");
    app.provider.waiting.acquire().await.unwrap().forget();
    ended(app).await;
    caller
}

fn codes(generation: &Value) -> Vec<&str> {
    let warnings = generation["warnings"].as_array().unwrap();
    warnings.iter().map(|warning| warning["code"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn what_a_further_route_does_otherwise_is_said_after_a_restart_too() {
    let app = TestApp::new().await;
    let caller = with_a_further_route(&app).await;
    idle(&app.restarted().await).await;
    let done = only(&caller).await;
    assert_eq!((&done["status"], begun(&app)), (&json!("succeeded"), (1, 1)));
    assert_eq!(codes(&done), ["parameter_not_honored", "test_warning"], "{done}");
    app.check().await;
}

#[tokio::test]
async fn what_a_further_route_did_otherwise_is_said_of_a_result_that_is_found() {
    let app = TestApp::new().await;
    let caller = with_a_further_route(&app).await;
    let open = app.app.store.list_open_edits().await.unwrap();
    app.app.store.blobs().put(&open[0].blob, scripted::mp4()).await.unwrap();
    idle(&app.restarted().await).await;
    let done = only(&caller).await;
    assert_eq!((&done["status"], begun(&app)), (&json!("succeeded"), (1, 0)));
    assert_eq!(codes(&done), ["parameter_not_honored"], "{done}");
    app.check().await;
}
