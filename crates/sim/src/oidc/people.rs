//! Controls below `_sim` for users, time and attacks.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Shared;
use super::keys::Keys;
use super::state::{Known, Person, TokenFault};
use crate::arrived::{Arrived, Content};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenFaultRequest {
    fault: TokenFault,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Time {
    seconds: i64,
}

/// `POST _sim/person`: sets the signed-in user.
pub(super) async fn person(State(shared): State<Shared>, arrived: Arrived) -> Response {
    change(&shared, arrived, |known, person: Person| known.person = person)
}

/// `POST _sim/token_fault`: sets the fault of the next token.
pub(super) async fn token_fault(State(shared): State<Shared>, arrived: Arrived) -> Response {
    change(&shared, arrived, |known, asked: TokenFaultRequest| {
        known.token_fault = Some(asked.fault);
    })
}

/// `POST _sim/clock`: stops the clock at a time.
pub(super) async fn clock(State(shared): State<Shared>, arrived: Arrived) -> Response {
    change(&shared, arrived, |known, time: Time| known.time_s = Some(time.seconds))
}

/// `POST _sim/key`: replaces the key.
pub(super) async fn key(State(shared): State<Shared>, arrived: Arrived) -> Response {
    change(&shared, arrived, |known, keys: Keys| known.keys = keys)
}

fn change<T: DeserializeOwned>(
    shared: &Shared,
    arrived: Arrived,
    make: impl FnOnce(&mut Known, T),
) -> Response {
    let Content::Json(body) = arrived.content else {
        return (StatusCode::BAD_REQUEST, "send JSON").into_response();
    };
    match serde_json::from_value(body) {
        Ok(asked) => {
            make(&mut shared.provider.lock(), asked);
            axum::Json(serde_json::json!({})).into_response()
        }
        Err(error) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    }
}
