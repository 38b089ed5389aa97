//! Memory for the bodies of requests, of which nobody has more than a share.

use std::convert::Infallible;

use axum::body::Body;
use axum::http::Method;
use bytes::Bytes;
use futures_util::stream;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::support::TestApp;
use crate::support::persona::{Answer, Persona};

/// One body is as large as a share, a quarter of the memory for all.
const LIMITS: [(&str, &str); 2] =
    [("RETOUCH_SERVER__BODY_BYTES_MAX", "8192"), ("RETOUCH_SERVER__BODIES_BYTES_MAX", "32768")];

/// A request of which no second one fits into a share.
fn large(instruction: &str) -> Value {
    json!({ "instruction": instruction, "model": "gamma-2", "padding": "x".repeat(5_000) })
}

/// A call whose body does not end as long as the sender is kept.
async fn begin(caller: &Persona, path: &'static str) -> (mpsc::Sender<Bytes>, JoinHandle<Answer>) {
    let (body, arriving) = mpsc::channel::<Bytes>(1);
    let pieces = stream::unfold(arriving, |mut arriving| async {
        arriving.recv().await.map(|piece| (Ok::<_, Infallible>(piece), arriving))
    });
    let (caller, pieces) = (caller.clone(), Body::from_stream(pieces));
    let call =
        tokio::spawn(async move { caller.send_body(Method::POST, path, Some(pieces)).await });
    body.send(vec![b' '; 6_000].into()).await.unwrap();
    // There is room for it once the first piece has been taken in.
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
    assert!(said.contains("one account") && said.contains("8192 bytes"), "{said}");
    assert_eq!(refused.header("retry-after"), Some("2"));
    assert_eq!(bob.edit_with(&large("go")).await.status, 200);
    // What is still free of the share is the account's.
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
    let (body, slow) = begin(&near, "/api/auth/sign-in").await;
    let fields = json!({ "email": "ada@example.com", "password": "x".repeat(5_000) });
    let said = near.post("/api/auth/sign-in", &fields).await.is_error(429, "rate_limited", None);
    assert!(said.contains("one client address"), "{said}");
    assert_ne!(away.post("/api/auth/sign-in", &fields).await.status, 429);
    drop(body);
    slow.await.unwrap().is_error(400, "invalid_json", None);
    assert_ne!(near.post("/api/auth/sign-in", &fields).await.status, 429);
    app.check().await;
}
