//! Webhooks: delivers signed events in any order, any number of times, and also without waiting for
//! the response.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::Shared;
use super::errors::Error;
use super::people::{answer, asked};
use crate::arrived::Arrived;

/// Block size of SHA-256, in bytes.
const BLOCK_BYTES: usize = 64;
/// Largest response that is read, in bytes.
const ANSWER_BYTES_MAX: u64 = 64 * 1024;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hook {
    /// The address of the webhook: `http://HOST:PORT/PATH`.
    url: String,
    /// The signing secret.
    secret: String,
}

/// `POST _sim/hook`: registers a webhook.
pub(super) async fn listen(State(shared): State<Shared>, arrived: Arrived) -> Response {
    answer(asked(arrived).map(|asked: Hook| {
        shared.stripe.lock().hook = Some((asked.url, asked.secret));
        json!({})
    }))
}

/// `GET _sim/events`: all events, oldest first, and whether each was delivered.
pub(super) async fn events(State(shared): State<Shared>) -> Json<Value> {
    let state = shared.stripe.lock();
    let row = |event: &Value| {
        let heard = event["id"].as_str().is_some_and(|id| state.heard.contains(id));
        json!({ "id": event["id"], "type": event["type"], "heard": heard })
    };
    Json(state.events.iter().map(row).collect())
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Deliver {
    /// The events to deliver, in this order. `None`: those that were not delivered yet.
    ids: Option<Vec<String>>,
    /// Whether to deliver the last one first.
    #[serde(default)]
    reversed: bool,
    /// How many times to deliver each. `None`: once.
    times: Option<usize>,
    /// Whether to cut the connection before the response, so that the outcome is unknown.
    #[serde(default)]
    hang_up: bool,
    /// The time of the signature, in seconds since 1970. `None`: the simulated time.
    signed_at: Option<i64>,
}

/// `POST _sim/deliver`: delivers events. Returns the status of each response, or 0 if there was
/// none.
pub(super) async fn deliver(State(shared): State<Shared>, arrived: Arrived) -> Response {
    let asked = match asked::<Deliver>(arrived) {
        Ok(asked) => asked,
        Err(error) => return answer(Err(error)),
    };
    let (hook, events, now) = {
        let state = shared.stripe.lock();
        let named = |id: &String| state.events.iter().find(|event| event["id"] == **id).cloned();
        let unheard = |event: &&Value| !is_in(&state.heard, event);
        let mut events: Vec<Value> = match &asked.ids {
            Some(ids) => ids.iter().filter_map(named).collect(),
            None => state.events.iter().filter(unheard).cloned().collect(),
        };
        if asked.reversed {
            events.reverse();
        }
        (state.hook.clone(), events, asked.signed_at.unwrap_or(state.now))
    };
    let Some(hook) = hook else {
        return answer(Err(Error::plain(StatusCode::CONFLICT, "sim", "No listener.")));
    };
    let mut statuses = Vec::new();
    for event in events {
        for _ in 0..asked.times.unwrap_or(1) {
            let status = tell(&hook, (&event, now), asked.hang_up).await;
            if (200..300).contains(&status) {
                let id = event["id"].as_str().unwrap_or_default().to_owned();
                shared.stripe.lock().heard.insert(id);
            }
            statuses.push(status);
        }
    }
    answer(Ok(json!({ "statuses": statuses })))
}

fn is_in(heard: &BTreeSet<String>, event: &Value) -> bool {
    event["id"].as_str().is_some_and(|id| heard.contains(id))
}

/// Delivers one event. Returns the status of the response, or 0 if there was none.
async fn tell((url, secret): &(String, String), (event, now): (&Value, i64), hang_up: bool) -> u16 {
    let body = event.to_string();
    let signature = format!("t={now},v1={}", sign(secret, &format!("{now}.{body}")));
    let Some((host, path)) = url.strip_prefix("http://").and_then(|rest| rest.split_once('/'))
    else {
        return 0;
    };
    let request = format!(
        "POST /{path} HTTP/1.1\r\nhost: {host}\r\nuser-agent: Stripe/1.0\r\n\
         content-type: application/json; charset=utf-8\r\ncontent-length: {}\r\n\
         stripe-signature: {signature}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let Ok(mut stream) = TcpStream::connect(host).await else { return 0 };
    if stream.write_all(request.as_bytes()).await.is_err() {
        return 0;
    }
    if hang_up {
        return 0;
    }
    let mut said = Vec::new();
    let _ = stream.take(ANSWER_BYTES_MAX).read_to_end(&mut said).await;
    let said = String::from_utf8_lossy(&said);
    said.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

/// HMAC-SHA256 (RFC 2104), in hexadecimal.
fn sign(secret: &str, message: &str) -> String {
    let mut key = [0_u8; BLOCK_BYTES];
    let hashed = Sha256::digest(secret.as_bytes());
    let bytes = if secret.len() > BLOCK_BYTES { &hashed[..] } else { secret.as_bytes() };
    key.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
    let padded = |pad: u8| key.map(|byte| byte ^ pad);
    let inner = Sha256::new().chain_update(padded(0x36)).chain_update(message).finalize();
    let outer = Sha256::new().chain_update(padded(0x5c)).chain_update(inner).finalize();
    outer.iter().map(|byte| format!("{byte:02x}")).collect()
}
