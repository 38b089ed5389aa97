//! `stream: true`: server-sent events.

use axum::body::Body;
use axum::http::Method;
use base64_simd::STANDARD;
use http_body_util::BodyExt;
use serde_json::{Value, json};

use super::{EDITS, GENERATIONS, edit};
use crate::support::persona::{Answer, Persona};
use crate::support::{TestApp, scripted};

const OFTEN: (&str, &str) = ("RETOUCH_SERVER__STREAM_COMMENT_EVERY", "20 ms");

/// The comments and events of a stream, in order.
fn events(answer: &Answer) -> Vec<(String, Value)> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(answer.header("content-type").unwrap().starts_with("text/event-stream"));
    events_in(&answer.text())
}

fn events_in(text: &str) -> Vec<(String, Value)> {
    let blocks = text.split_terminator("\n\n").map(|block| match block.strip_prefix(": ") {
        Some(comment) => (comment.to_owned(), Value::Null),
        None => {
            let (event, data) = block.split_once('\n').unwrap();
            let data = data.strip_prefix("data: ").unwrap();
            let event = event.strip_prefix("event: ").unwrap().to_owned();
            (event, serde_json::from_str(data).unwrap())
        }
    });
    blocks.collect()
}

#[tokio::test]
async fn a_finished_image_is_one_event_with_every_required_field() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let asked = json!({ "prompt": "go", "stream": true, "partial_images": 2 });
    let events = events(&edit(&caller, asked).await);
    let [(name, data)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((name.as_str(), &data["type"]), ("image_edit.completed", &json!(name)));
    let file = STANDARD.decode_to_vec(data["b64_json"].as_str().unwrap()).unwrap();
    assert_eq!(file, scripted::png());
    assert_eq!(data["created_at"], 1_795_176_000);
    for (field, value) in
        [("size", "2x1"), ("quality", "auto"), ("background", "auto"), ("output_format", "png")]
    {
        assert_eq!(data[field], value, "{field}");
    }
    assert_eq!(data["usage"]["total_tokens"], 7);
    app.check().await;
}

#[tokio::test]
async fn several_images_are_several_events() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let asked = json!({
        "prompt": "a gradient from red to blue", "model": "gpt-image-1", "n": 3, "size": "64x64", "stream": true,
    });
    let events = events(&caller.post(GENERATIONS, &asked).await);
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["image_generation.completed"; 2], "15 credits pay for two");
    assert_eq!(events[0].1["usage"]["total_tokens"], 0);
    assert_eq!(caller.available().await, 3);
    app.check().await;
}

/// The stream for `prompt`, after its first comment and after the provider has been called. The
/// stream is read until then, because the call goes on with it.
async fn stream_of(app: &TestApp, caller: &Persona, prompt: &str) -> Body {
    let images = [super::data_url()];
    let asked = json!({ "prompt": prompt, "model": "gamma-2", "images": images, "stream": true });
    let asked = Some(Body::from(asked.to_string()));
    let response = caller.begin(Method::POST, EDITS, asked).await;
    assert_eq!(response.status(), 200);
    let mut body = response.into_body();
    let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
    assert_eq!(first, ": keep-alive\n\n");
    loop {
        tokio::select! {
            called = app.provider.waiting.acquire() => {
                called.unwrap().forget();
                return body;
            }
            frame = body.frame() => {
                assert_eq!(frame.unwrap().unwrap().into_data().unwrap(), ": keep-alive\n\n");
            }
        }
    }
}

async fn rest_of(body: Body) -> Vec<(String, Value)> {
    let text = body.collect().await.unwrap().to_bytes().to_vec();
    events_in(&String::from_utf8(text).unwrap())
}

#[tokio::test]
async fn comments_keep_the_connection_alive_until_the_image_is_finished() {
    let app = TestApp::with(&[OFTEN]).await;
    let caller = app.caller("ada@example.com").await;
    let mut body = stream_of(&app, &caller, "wait").await;
    let second = body.frame().await.unwrap().unwrap().into_data().unwrap();
    assert_eq!(second, ": keep-alive\n\n");
    app.provider.gate.add_permits(1);
    let events = rest_of(body).await;
    assert_eq!(events.last().unwrap().0, "image_edit.completed");
    assert_eq!(caller.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn a_stream_that_nobody_reads_changes_nothing_about_the_edit() {
    let app = TestApp::with(&[OFTEN]).await;
    let caller = app.caller("ada@example.com").await;
    drop(stream_of(&app, &caller, "wait").await);
    app.provider.gate.add_permits(1);
    app.settled().await;
    assert_eq!(caller.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn a_failure_before_the_stream_is_an_ordinary_error_and_later_an_event() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let asked = json!({ "prompt": "refuse at once", "stream": true });
    edit(&caller, asked).await.is_error(400, "content_refused", None);
    app.check().await;

    let app = TestApp::with(&[OFTEN]).await;
    let caller = app.caller("ada@example.com").await;
    let body = stream_of(&app, &caller, "wait").await;
    // The provider panics.
    app.provider.gate.close();
    let events = rest_of(body).await;
    let (name, data) = events.last().unwrap();
    assert_eq!(name, "error");
    assert_eq!(data["error"]["code"], "upstream_error");
    assert!(data["error"]["request_id"].is_string());
    assert_eq!(caller.available().await, 15);
    app.check().await;
}
