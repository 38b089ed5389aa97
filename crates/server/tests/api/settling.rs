//! An edit is charged if and only if its result is stored, whatever happens to the work.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::json;

use crate::support::{START, TestApp, swept};

#[tokio::test]
async fn whatever_goes_wrong_is_not_charged_and_leaves_nothing_held() {
    let app = TestApp::with(&[("RETOUCH_EDITS__PROVIDER_TIME_MAX", "100 ms")]).await;
    let caller = app.caller("ada@example.com").await;
    let cases = [
        ("fail", 500, "upstream_error"),
        ("panic", 500, "upstream_error"),
        ("nonsense", 500, "upstream_error"),
        ("hang", 500, "upstream_error"),
        ("refuse", 400, "content_refused"),
    ];
    for (number, (instruction, status, code)) in cases.iter().enumerate() {
        app.clock.advance_ms(1);
        let message = caller.edit(instruction).await.is_error(*status, code, None);
        assert!(!message.contains("secret"), "{message}");
        assert_eq!(caller.available().await, 15, "{instruction}");
        let failed = &caller.get("/api/generations").await.ok()["data"][0];
        assert_eq!((&failed["status"], &failed["cost"]), (&json!("failed"), &json!(0)));
        assert_eq!(failed["error"]["code"], *code);
        let entries = caller.get("/api/credits/entries").await.ok();
        assert_eq!(entries["data"].as_array().unwrap().len(), 1 + 2 * (number + 1));
    }
    assert_eq!(caller.edit("now do it").await.ok()["usage"]["total_tokens"], 7);
    app.check().await;
}

#[tokio::test]
async fn a_provider_of_an_operators_route_is_named_and_its_warnings_arrive() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let body = caller.edit("anything at all").await.ok();
    assert_eq!(body["generation"]["provider"], "scripted");
    assert_eq!(body["warnings"][0]["code"], "test_warning");
    let models = app.anon().get("/api/models").await.ok();
    assert_eq!(models["data"][2]["providers"], json!(["scripted"]));
    assert_eq!(models["data"][0]["providers"], json!(["built-in"]));
    app.check().await;
}

#[tokio::test]
async fn a_caller_who_hangs_up_gets_the_edit_done_and_charged_once() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let impatient = caller.clone();
    let call = tokio::task::spawn(async move { impatient.edit("wait").await.status });
    app.provider.waiting.acquire().await.unwrap().forget();
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    let running = &caller.get("/api/generations").await.ok()["data"][0];
    assert_eq!((&running["status"], &running["cost"]), (&json!("processing"), &json!(6)));
    let uuid = running["uuid"].as_str().unwrap();
    let delete = caller.delete(&format!("/api/generations/{uuid}")).await;
    delete.is_error(409, "generation_running", None);
    app.provider.gate.add_permits(1);
    app.settled().await;
    let done = caller.get(&format!("/api/generations/{uuid}")).await.ok();
    assert_eq!((&done["status"], &done["cost"]), (&json!("succeeded"), &json!(6)));
    assert_eq!(caller.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn racing_calls_never_spend_the_same_credits() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let calls: Vec<_> = (0..16)
        .map(|_| {
            let caller = caller.clone();
            tokio::task::spawn(async move { caller.edit("go").await.status.as_u16() })
        })
        .collect();
    let mut statuses = Vec::new();
    for call in calls {
        statuses.push(call.await.unwrap());
    }
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 2, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 402).count(), 14, "{statuses:?}");
    assert_eq!(caller.available().await, 3);
    assert_eq!(app.provider.begun.load(Ordering::SeqCst), 2);
    app.check().await;
}

#[tokio::test]
async fn a_clock_that_jumps_takes_no_edit_away_from_the_process_that_works_on_it() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let waiting = caller.clone();
    let call = tokio::task::spawn(async move { waiting.edit("wait").await });
    app.provider.waiting.acquire().await.unwrap().forget();
    app.clock.advance_ms(365 * 24 * 3_600_000);
    assert_eq!(swept(&app.app).await, 0);
    app.clock.set(START.plus_ms(-24 * 3_600_000));
    assert_eq!(swept(&app.app).await, 0);
    app.provider.gate.add_permits(1);
    assert_eq!(call.await.unwrap().ok()["cost"], 6);
    assert_eq!(caller.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn a_restart_settles_what_was_open_by_what_is_stored() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let keyed = caller.clone().with_header("idempotency-key", "lost");
    let (first, second) = (keyed.clone(), caller.clone());
    // Two edits are in progress, and the result of one has reached the disk.
    let calls = [
        tokio::task::spawn(async move { first.edit("wait").await.status }),
        tokio::task::spawn(async move { second.edit("wait").await.status }),
    ];
    app.provider.waiting.acquire_many(2).await.unwrap().forget();
    let open = app.app.store.list_open_edits().await.unwrap();
    assert_eq!(open.len(), 2);
    let stored = &open[0];
    app.app.store.blobs().put(&stored.blob, crate::support::scripted::png()).await.unwrap();
    calls.iter().for_each(tokio::task::JoinHandle::abort);
    // Another process takes over the folder. For it, the process that owned both edits is gone.
    let restarted = app.restarted().await;
    let listed = caller.get("/api/generations").await.ok();
    let (mut succeeded, mut failed) = (0, 0);
    for generation in listed["data"].as_array().unwrap() {
        if generation["uuid"] == stored.id.to_string() {
            assert_eq!(
                (&generation["status"], &generation["cost"]),
                (&json!("succeeded"), &json!(6))
            );
            succeeded += 1;
        } else {
            assert_eq!((&generation["status"], &generation["cost"]), (&json!("failed"), &json!(0)));
            failed += 1;
        }
    }
    assert_eq!((succeeded, failed), (1, 1));
    assert_eq!(caller.available().await, 9);
    // The process that was assumed dead finishes after all, and nothing changes any more.
    app.provider.gate.add_permits(2);
    app.settled().await;
    assert_eq!(caller.available().await, 9);
    drop(Arc::clone(&restarted));
    app.check().await;
}

#[tokio::test]
async fn a_result_that_comes_after_its_edit_was_given_up_is_neither_charged_nor_kept() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let waiting = caller.clone();
    let call = tokio::task::spawn(async move { waiting.edit("wait").await });
    app.provider.waiting.acquire().await.unwrap().forget();
    // To a second service on the same folder, the lease has not expired yet, so it does not touch
    // the edit.
    let open = app.app.store.list_open_edits().await.unwrap();
    let other = app.second().await;
    assert_eq!(swept(&other).await, 0);
    app.clock.set(open[0].lease_until);
    assert_eq!(swept(&other).await, 1);
    assert_eq!(caller.available().await, 15);
    app.provider.gate.add_permits(1);
    // The result comes too late: the hold has been released, and the response says so.
    let told = call.await.unwrap().is_error(500, "upstream_error", None);
    assert!(told.contains("Nothing was charged") && told.contains("unknown"), "{told}");
    assert_eq!(caller.available().await, 15);
    assert_eq!(app.results(), [""; 0]);
    app.check().await;
}
