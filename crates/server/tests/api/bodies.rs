//! The memory for requests and responses, of which each caller gets only a share.

use std::convert::Infallible;
use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::http::Method;
use axum::routing::get;
use bytes::Bytes;
use futures_util::stream;
use http_body_util::BodyExt;
use retouch_server::http::bodies::ANSWER_BYTES;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::support::persona::{Answer, Persona};
use crate::support::{TestApp, pictures};

/// One body may be as large as a share, which is a quarter of the total.
const LIMITS: [(&str, &str); 3] = [
    ("RETOUCH_SERVER__BODY_SIZE_MAX", "1 MiB"),
    ("RETOUCH_SERVER__BODIES_MEMORY_MAX", "4 MiB"),
    ("RETOUCH_FETCH__ALLOWED_NETWORKS", "127.0.0.0/8"),
];
/// More than half of a share, but small enough to leave room for a response.
const LARGE_BYTES: usize = 700_000;

/// A request so large that two don't fit into a share.
fn large(instruction: &str) -> Value {
    json!({ "instruction": instruction, "model": "gamma-2", "padding": "x".repeat(LARGE_BYTES) })
}

/// Starts a call whose body does not end until the sender is dropped.
async fn begin(caller: &Persona, path: &'static str) -> (mpsc::Sender<Bytes>, JoinHandle<Answer>) {
    begin_with(caller, path, LARGE_BYTES).await
}

async fn begin_with(
    caller: &Persona,
    path: &'static str,
    bytes: usize,
) -> (mpsc::Sender<Bytes>, JoinHandle<Answer>) {
    let (body, arriving) = mpsc::channel::<Bytes>(1);
    let pieces = stream::unfold(arriving, |mut arriving| async {
        arriving.recv().await.map(|piece| (Ok::<_, Infallible>(piece), arriving))
    });
    let (caller, pieces) = (caller.clone(), Body::from_stream(pieces));
    let call =
        tokio::spawn(async move { caller.send_body(Method::POST, path, Some(pieces)).await });
    body.send(vec![b' '; bytes].into()).await.unwrap();
    // The channel has room for one piece: the second send returns once the first has been read.
    body.send(b" ".as_slice().into()).await.unwrap();
    (body, call)
}

#[tokio::test]
async fn slow_bodies_of_one_account_keep_nobody_else_out() {
    let app = TestApp::with(&LIMITS).await;
    let ada = app.rich_caller("ada@example.com").await;
    let bob = app.rich_caller("bob@example.com").await;
    let (body, slow) = begin(&ada, "/api/image-edit").await;
    let refused = ada.edit_with(&large("go")).await;
    let said = refused.is_error(429, "rate_limited", None);
    assert!(said.contains("each account") && said.contains("1048576 bytes"), "{said}");
    assert_eq!(refused.header("retry-after"), Some("2"));
    assert_eq!(bob.edit_with(&large("go")).await.status, 200);
    // The account can still use the rest of its share.
    assert_eq!(ada.edit("go").await.status, 200);
    drop(body);
    slow.await.unwrap().is_error(400, "invalid_json", None);
    assert_eq!(ada.edit_with(&large("go")).await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn a_body_counts_as_long_as_its_edit_is_under_way() {
    let app = TestApp::with(&LIMITS).await;
    let ada = app.rich_caller("ada@example.com").await;
    let caller = ada.clone();
    let first = tokio::spawn(async move { caller.edit_with(&large("wait")).await.status });
    app.provider.waiting.acquire().await.unwrap().forget();
    ada.edit_with(&large("go")).await.is_error(429, "rate_limited", None);
    app.provider.gate.add_permits(1);
    assert_eq!(first.await.unwrap(), 200);
    assert_eq!(ada.edit_with(&large("go")).await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn whoever_is_not_known_has_the_share_of_an_address() {
    let app = TestApp::with(&LIMITS).await;
    let [near, away] = [1, 2].map(|last| app.anon().calling_from([192, 0, 2, last]));
    let fields = json!({ "email": "ada@example.com", "password": "x".repeat(5_000) });
    let mut slow = Vec::new();
    // Each body is as large as a body without images may be.
    for _ in 0..16 {
        slow.push(begin_with(&near, "/api/auth/sign-in", 65_300).await);
    }
    let said = near.post("/api/auth/sign-in", &fields).await.is_error(429, "rate_limited", None);
    assert!(said.contains("each client address"), "{said}");
    assert_ne!(away.post("/api/auth/sign-in", &fields).await.status, 429);
    for (body, call) in slow {
        drop(body);
        call.await.unwrap().is_error(400, "invalid_json", None);
    }
    assert_ne!(near.post("/api/auth/sign-in", &fields).await.status, 429);
    app.check().await;
}

/// A server with a file that is larger than a share.
async fn host() -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().route("/large", get(|| async { vec![0; 2 << 20] }));
    tokio::task::spawn(async move { axum::serve(listener, router).await });
    address
}

#[tokio::test]
async fn images_that_are_fetched_or_stored_take_memory_of_the_account_before_they_are_held() {
    let app = TestApp::with(&LIMITS).await;
    let (ada, host) = (app.rich_caller("ada@example.com").await, host().await);
    let blobs = app.app.store.blobs();
    let name = "0123456789012345678901234567890123456789.png";
    blobs.put(name, vec![0; 2 << 20]).await.unwrap();
    for address in [format!("http://{host}/large"), app.app.file_url(name)] {
        let fields = json!({ "instruction": "make it warmer", "imageUrl": address });
        let refused = ada.edit_with(&fields).await;
        let said = refused.is_error(429, "rate_limited", None);
        assert!(said.contains("1048576 bytes"), "{said}");
        ada.video(&fields).await.is_error(429, "rate_limited", None);
    }
    assert_eq!(app.app.bodies.used_bytes(), 0);
    blobs.delete(name).await.unwrap();
    app.check().await;
}

#[tokio::test]
async fn an_answer_that_is_not_read_holds_a_small_part_of_a_share_and_no_image() {
    let app = TestApp::with(&LIMITS).await;
    let ada = app.rich_caller("ada@example.com").await.with_header("idempotency-key", "one");
    // The result is larger than a share.
    let fields = json!({
        "instruction": "resize to 4000x4000",
        "model": "alpha-image-2-free",
        "imageBase64": pictures::base64(64, 64),
    });
    let first = ada.edit_with(&fields).await;
    let (bytes, shown) = (first.bytes.len(), first.ok());
    assert!(bytes > 2 << 20, "{bytes} bytes");
    let path = "/api/image-edit";
    let body = || Some(Body::from(fields.to_string()));
    let mut unread = Vec::new();
    for number in 1..=4 {
        let response = ada.begin(Method::POST, path, body()).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-length"], bytes.to_string());
        assert_eq!(app.app.bodies.used_bytes(), number * ANSWER_BYTES);
        unread.push(response);
    }
    ada.edit_with(&fields).await.is_error(429, "rate_limited", None);
    for response in unread {
        let read = response.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(serde_json::from_slice::<Value>(&read).unwrap(), shown);
    }
    assert_eq!(app.app.bodies.used_bytes(), 0);
    app.check().await;
}
