//! Several servers on one database: one resumes what another has lost, and neither breaks the
//! other's work.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use retouch_server::app::App;
use retouch_server::edits::{LeaseObservations, renew_leases, resume_own, sweep};
use retouch_store::OpenEditRow;
use serde_json::{Value, json};

use crate::support::persona::Persona;
use crate::support::{TestApp, looks, swept};

/// Waits until `app` has finished the work it took over.
async fn idle(app: &Arc<App>) {
    app.tasks.close();
    app.tasks.wait().await;
    app.tasks.reopen();
}

async fn only(app: &TestApp) -> OpenEditRow {
    let [row] = app.app.store.list_open_edits().await.unwrap().try_into().unwrap();
    row
}

async fn status(caller: &Persona) -> Value {
    let all = caller.get("/api/generations").await.ok();
    assert_eq!(all["data"].as_array().unwrap().len(), 1, "{all}");
    all["data"][0]["status"].clone()
}

/// A video that the provider has a name for. Its process shows no sign of life, so its lease
/// expires.
async fn silent(app: &TestApp, words: &str) -> (Persona, OpenEditRow) {
    let caller = app.rich_caller("ada@example.com").await;
    caller.video(&json!({ "instruction": words })).await.ok();
    app.provider.waiting.acquire().await.unwrap().forget();
    let row = only(app).await;
    app.clock.set(row.lease_until);
    (caller, row)
}

fn begun(app: &TestApp) -> (usize, usize) {
    let count = |number: &std::sync::atomic::AtomicUsize| number.load(Ordering::SeqCst);
    (count(&app.provider.begun), count(&app.provider.resumed))
}

#[tokio::test]
async fn live_servers_keep_their_edits_after_an_outage_longer_than_a_lease() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let waiting = caller.clone();
    let call = tokio::task::spawn(async move { waiting.edit("wait").await });
    app.provider.waiting.acquire().await.unwrap().forget();
    let other = app.second().await;
    // The database is back. The other server sweeps before this one has shown a sign of life.
    app.clock.set(only(&app).await.lease_until.plus_ms(40_000));
    let (first, second) = looks(&other);
    assert_eq!(sweep(&other, first).await.unwrap(), 0);
    renew_leases(&app.app).await.unwrap();
    assert_eq!(sweep(&other, second).await.unwrap(), 0);
    // Repeat this with a clock that is far off.
    app.clock.advance_ms(3_600_000);
    let (first, second) = (second, second + (second - first));
    assert_eq!(sweep(&other, first).await.unwrap(), 0);
    renew_leases(&app.app).await.unwrap();
    app.clock.advance_ms(3_600_000);
    assert_eq!(sweep(&other, second).await.unwrap(), 0);
    app.provider.gate.add_permits(1);
    assert_eq!(call.await.unwrap().ok()["cost"], 6);
    app.check().await;
}

#[tokio::test]
async fn a_lease_has_to_be_seen_for_long_enough_and_without_a_break() {
    let app = TestApp::new().await;
    let (_caller, row) = silent(&app, "name the work go").await;
    let (first, second) = looks(&app.app);
    let wait = second - first;
    let as_long = |_| wait;
    let (seen, rows) = (LeaseObservations::default(), std::slice::from_ref(&row));
    assert_eq!(seen.see(rows, first, as_long), []);
    assert_eq!(seen.see(rows, first + wait / 2, as_long), []);
    assert_eq!(seen.see(rows, second, as_long), [row.id]);
    // Nothing could be seen for a while, so the wait starts over.
    seen.forget();
    assert_eq!(seen.see(rows, second, as_long), []);
    assert_eq!(seen.see(rows, second + wait, as_long), [row.id]);
    // The edit was gone for a moment, or has a new lease or owner, so the wait starts over.
    assert_eq!(seen.see(&[], second + wait, as_long), []);
    assert_eq!(seen.see(rows, second + wait, as_long), []);
    let renewed = OpenEditRow { lease_until: row.lease_until.plus_ms(1), ..row.clone() };
    assert_eq!(seen.see(&[renewed], second + 2 * wait, as_long), []);
    let taken = OpenEditRow { owner: "another".into(), ..row.clone() };
    assert_eq!(seen.see(&[taken], second + 3 * wait, as_long), []);
    let other = app.second().await;
    assert_eq!(swept(&other).await, 1);
    idle(&other).await;
    renew_leases(&app.app).await.unwrap();
    app.check().await;
}

#[tokio::test]
async fn a_server_that_lost_its_edit_ends_its_work_and_releases_nothing() {
    let app = TestApp::new().await;
    let (caller, _) = silent(&app, "name the work wait").await;
    let other = app.second().await;
    assert_eq!(swept(&other).await, 1);
    app.provider.waiting.acquire().await.unwrap().forget();
    renew_leases(&app.app).await.unwrap();
    // No permit was added, so the tasks can only have ended because the edit was lost.
    app.settled().await;
    assert_eq!((status(&caller).await, app.app.running.count()), (json!("processing"), 0));
    assert_eq!(caller.available().await, 1015 - 21, "held");
    app.provider.gate.add_permits(1);
    idle(&other).await;
    assert_eq!((status(&caller).await, begun(&app)), (json!("succeeded"), (1, 1)));
    assert_eq!(caller.available().await, 1015 - 21);
    app.check().await;
}

#[tokio::test]
async fn a_result_that_cannot_be_stored_takes_away_none_that_another_server_has_stored() {
    let app = TestApp::new().await;
    app.provider.make_files();
    let (caller, row) = silent(&app, "name the work late").await;
    let other = app.second().await;
    assert_eq!(swept(&other).await, 1);
    idle(&other).await;
    assert_eq!(status(&caller).await, "succeeded");
    // A folder is in place of the file, so the result cannot be stored.
    let place = app.app.settings.store.blobs.folder().unwrap().join("files").join(&row.blob);
    std::fs::create_dir(&place).unwrap();
    app.provider.gate.add_permits(1);
    app.settled().await;
    std::fs::remove_dir(&place).unwrap();
    let record = app.app.store.find_edit(&row.account, &row.id).await.unwrap().unwrap();
    assert_eq!(app.results(), record.stored);
    assert_eq!((status(&caller).await, caller.available().await), (json!("succeeded"), 1015 - 21));
    app.check().await;
}

#[tokio::test]
async fn of_two_results_the_one_that_is_charged_is_kept() {
    let app = TestApp::new().await;
    app.provider.make_files();
    let (caller, row) = silent(&app, "name the work late").await;
    let other = app.second().await;
    assert_eq!(swept(&other).await, 1);
    idle(&other).await;
    app.provider.gate.add_permits(1);
    app.settled().await;
    let record = app.app.store.find_edit(&row.account, &row.id).await.unwrap().unwrap();
    assert_ne!(record.blob, row.blob);
    assert_eq!(app.results(), record.stored);
    assert_eq!(caller.available().await, 1015 - 21);
    let name = format!("/api/generations/{}", row.id);
    assert_eq!(caller.delete(&name).await.status, 204);
    assert_eq!(app.results(), [""; 0]);
    app.check().await;
}

#[tokio::test]
async fn a_result_of_a_server_that_lost_the_edit_counts_if_it_is_the_first() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    // One server waits at the gate. The other asks for the result and waits there too.
    caller.video(&json!({ "instruction": "name the work late" })).await.ok();
    app.provider.waiting.acquire().await.unwrap().forget();
    let row = only(&app).await;
    let waits = retouch_store::TaskRecord {
        owner: row.owner.clone(),
        provider: row.provider.clone(),
        task: row.task.clone().unwrap().replace("late", "wait"),
    };
    assert!(app.app.store.record_task(&row.account, &row.id, waits).await.unwrap());
    app.clock.set(row.lease_until);
    let other = app.second().await;
    assert_eq!(swept(&other).await, 1);
    app.provider.waiting.acquire().await.unwrap().forget();
    // Waiters are served in order, and the first server came first.
    app.provider.gate.add_permits(1);
    app.settled().await;
    assert_eq!(status(&caller).await, "succeeded");
    app.provider.gate.add_permits(1);
    idle(&other).await;
    let record = app.app.store.find_edit(&row.account, &row.id).await.unwrap().unwrap();
    assert_eq!((&record.blob, app.results()), (&row.blob, record.stored.clone()));
    assert_eq!(caller.available().await, 1015 - 21);
    app.check().await;
}

#[tokio::test]
async fn a_server_that_lost_an_edit_does_not_send_it() {
    let app = TestApp::with(&[("RETOUCH_EDITS__VIDEO_MEMORY_MAX", "1 MiB")]).await;
    let caller = app.rich_caller("ada@example.com").await;
    // All memory is taken here, so the video waits before any provider is called.
    let memory = app.app.background.videos.take(&app.app.ids.account(), 1 << 30).await;
    caller.video(&json!({ "instruction": "wait" })).await.ok();
    app.clock.set(only(&app).await.lease_until);
    let other = app.second().await;
    assert_eq!(swept(&other).await, 1);
    app.provider.waiting.acquire().await.unwrap().forget();
    // The video continues before its process learns that it has lost the edit.
    drop(memory);
    app.settled().await;
    assert_eq!(app.provider.waiting.available_permits(), 0, "the work was sent only once");
    assert_eq!(status(&caller).await, "processing");
    app.provider.gate.add_permits(1);
    idle(&other).await;
    assert_eq!((status(&caller).await, caller.available().await), (json!("succeeded"), 1015 - 21));
    app.check().await;
}

#[tokio::test]
async fn what_a_server_leaves_when_it_is_stopped_is_taken_over_at_once() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    caller.video(&json!({ "instruction": "name the work go" })).await.ok();
    app.provider.waiting.acquire().await.unwrap().forget();
    app.app.ending.cancel();
    app.settled().await;
    let other = app.second().await;
    let (first, _) = looks(&other);
    assert_eq!(sweep(&other, first).await.unwrap(), 0);
    app.app.store.leave_edits(&app.app.owner).await.unwrap();
    assert_eq!(sweep(&other, first).await.unwrap(), 1);
    idle(&other).await;
    assert_eq!((status(&caller).await, begun(&app)), (json!("succeeded"), (1, 1)));
    app.check().await;
}

#[tokio::test]
async fn a_node_that_starts_again_goes_on_with_its_own_edits_at_once() {
    let named = |name| ("RETOUCH_SERVER__NODE_NAME", name);
    let app = TestApp::with(&[named("node-1")]).await;
    let caller = app.rich_caller("ada@example.com").await;
    caller.video(&json!({ "instruction": "name the work go" })).await.ok();
    app.provider.waiting.acquire().await.unwrap().forget();
    for other in [app.second().await, app.second_with(&[named("node-10")]).await] {
        assert_eq!(resume_own(&other).await.unwrap(), 0);
    }
    let again = app.second_with(&[named("node-1")]).await;
    assert_eq!(resume_own(&again).await.unwrap(), 1);
    idle(&again).await;
    assert_eq!((status(&caller).await, begun(&app)), (json!("succeeded"), (1, 1)));
    renew_leases(&app.app).await.unwrap();
    app.check().await;
}
