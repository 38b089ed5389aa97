//! Watching a generation: a stream of events that ends when the generation has ended.

use axum::body::Body;
use axum::http::Method;
use http_body_util::BodyExt;
use retouch_server::edits::notice_ended;
use serde_json::{Value, json};

use crate::support::persona::{Answer, Persona};
use crate::support::{TestApp, swept};

/// A stream of events, as a client reads it.
struct Events(Body);

impl Events {
    async fn of(caller: &Persona, path: &str) -> Self {
        let response = caller.begin(Method::GET, path, None).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-cache");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        Self(response.into_body())
    }

    /// The next event; none at the end of the stream.
    async fn next(&mut self) -> Option<Value> {
        let frame = self.0.frame().await?.unwrap().into_data().unwrap();
        let text = String::from_utf8(frame.to_vec()).unwrap();
        let field = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.trim().to_owned()
        };
        assert_eq!(field("event:"), "generation");
        let data: Value = serde_json::from_str(&field("data:")).unwrap();
        assert_eq!(field("id:"), data["status"].as_str().unwrap());
        Some(data)
    }
}

fn path(answer: &Answer) -> String {
    format!("/api/generations/{}/events", answer.ok()["generation"]["uuid"].as_str().unwrap())
}

async fn patient(app: &TestApp) -> Persona {
    app.rich_caller("ada@example.com").await.with_header("prefer", "respond-async")
}

#[tokio::test]
async fn a_stream_has_the_current_state_and_the_final_one_and_ends() {
    let app = TestApp::new().await;
    let caller = patient(&app).await;
    let accepted = caller.edit("wait").await;
    let mut events = Events::of(&caller, &path(&accepted)).await;
    assert_eq!(events.next().await.unwrap()["status"], "processing");
    app.provider.gate.add_permits(1);
    let done = events.next().await.unwrap();
    assert_eq!((&done["status"], &done["cost"]), (&json!("succeeded"), &json!(6)));
    assert_eq!(events.next().await, None);
    assert_eq!(done, caller.look(&accepted).await, "the data is the generation");
    // A stream of an ended generation has one event.
    let mut events = Events::of(&caller, &path(&accepted)).await;
    assert_eq!(events.next().await, Some(done));
    assert_eq!(events.next().await, None);
    // A browser that connects again with the final state is told to stop.
    let again =
        caller.clone().with_header("last-event-id", "succeeded").get(&path(&accepted)).await;
    assert_eq!((again.status.as_u16(), again.bytes.len()), (204, 0));
    app.check().await;
}

#[tokio::test]
async fn comments_keep_a_stream_open_as_often_as_the_operator_says() {
    let often = [("RETOUCH_SERVER__STREAM_COMMENT_EVERY", "20 ms")];
    let app = TestApp::with(&often).await;
    let caller = patient(&app).await;
    let accepted = caller.edit("wait").await;
    let mut events = Events::of(&caller, &path(&accepted)).await;
    assert_eq!(events.next().await.unwrap()["status"], "processing");
    for _ in 0..2 {
        let comment = events.0.frame().await.unwrap().unwrap().into_data().unwrap();
        assert!(comment.starts_with(b":"), "{comment:?}");
    }
    app.provider.gate.add_permits(1);
    app.check().await;
}

#[tokio::test]
async fn failures_cancels_and_videos_are_seen_too() {
    let app = TestApp::new().await;
    let caller = patient(&app).await;
    let memory = app.app.background.images.take(&app.app.ids.account(), 1 << 40).await;
    let waiting = caller.edit("go").await;
    let mut events = Events::of(&caller, &path(&waiting)).await;
    assert_eq!(events.next().await.unwrap()["status"], "processing");
    let cancel = path(&waiting).replace("/events", "/cancel");
    caller.post(&cancel, &json!({})).await.ok();
    assert_eq!(events.next().await.unwrap()["error"]["code"], "canceled");
    drop(memory);
    let video = caller.video(&json!({ "prompt": "wait" })).await;
    let mut events = Events::of(&caller, &path(&video)).await;
    assert_eq!(events.next().await.unwrap()["kind"], "video");
    app.provider.gate.add_permits(1);
    assert!(events.next().await.unwrap()["stored_videos"][0].is_string());
    app.check().await;
}

#[tokio::test]
async fn what_another_server_ends_is_seen() {
    let app = TestApp::new().await;
    let caller = patient(&app).await;
    let memory = app.app.background.images.take(&app.app.ids.account(), 1 << 40).await;
    let accepted = caller.edit("go").await;
    let mut events = Events::of(&caller, &path(&accepted)).await;
    events.next().await.unwrap();
    notice_ended(&app.app).await.unwrap();
    let [open] = app.app.store.list_open_edits().await.unwrap().try_into().unwrap();
    app.clock.set(open.lease_until);
    let other = app.second().await;
    assert_eq!(swept(&other).await, 1);
    other.tasks.close();
    other.tasks.wait().await;
    notice_ended(&app.app).await.unwrap();
    assert_eq!(events.next().await.unwrap()["status"], "succeeded");
    drop(memory);
    app.check().await;
}

#[tokio::test]
async fn streams_are_counted_and_end_when_the_server_stops() {
    let limits = [
        ("RETOUCH_SERVER__EVENT_STREAMS_MAX", "3"),
        ("RETOUCH_SERVER__EVENT_STREAMS_PER_ACCOUNT_MAX", "2"),
    ];
    let app = TestApp::with(&limits).await;
    let ada = patient(&app).await;
    let bob = app.caller("bob@example.com").await.with_header("prefer", "respond-async");
    let (hers, his) = (ada.edit("wait").await, bob.edit("wait").await);
    let mut first = Events::of(&ada, &path(&hers)).await;
    let second = Events::of(&ada, &path(&hers)).await;
    ada.get(&path(&hers)).await.is_error(429, "rate_limited", None);
    let third = Events::of(&bob, &path(&his)).await;
    bob.get(&path(&his)).await.is_error(503, "overloaded", None);
    // A closed stream makes room, and so does one that was refused.
    drop(second);
    bob.get(&path(&hers)).await.is_error(404, "not_found", None);
    let fourth = Events::of(&ada, &path(&hers)).await;
    drop((third, fourth));
    first.next().await.unwrap();
    // What has not been sent by then is left to the next process.
    app.provider.waiting.acquire_many(2).await.unwrap().forget();
    app.app.ending.cancel();
    assert_eq!(first.next().await, None);
    app.provider.gate.add_permits(2);
    app.check().await;
}

#[tokio::test]
async fn only_the_owner_watches() {
    let app = TestApp::new().await;
    let caller = patient(&app).await;
    let accepted = caller.edit("go").await;
    let bob = app.caller("bob@example.com").await;
    bob.get(&path(&accepted)).await.is_error(404, "not_found", None);
    app.anon().get(&path(&accepted)).await.is_error(401, "unauthenticated", None);
    caller.get("/api/generations/nothing/events").await.is_error(404, "not_found", None);
    app.check().await;
}
