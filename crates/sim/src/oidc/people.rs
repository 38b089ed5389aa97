//! What people, time and mischief would do, below `_sim`.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Shared;
use super::keys::Keys;
use super::state::{Known, Person, Spoil};
use crate::arrived::{Arrived, Content};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spoiled {
    how: Spoil,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Time {
    seconds: i64,
}

/// `POST _sim/person`: who is signed in there from now on.
pub(super) async fn person(State(shared): State<Shared>, arrived: Arrived) -> Response {
    change(&shared, arrived, |known, person: Person| known.person = person)
}

/// `POST _sim/spoil`: how the next token is wrong.
pub(super) async fn spoil(State(shared): State<Shared>, arrived: Arrived) -> Response {
    change(&shared, arrived, |known, spoiled: Spoiled| known.spoil = Some(spoiled.how))
}

/// `POST _sim/clock`: what time it is there, standing still.
pub(super) async fn clock(State(shared): State<Shared>, arrived: Arrived) -> Response {
    change(&shared, arrived, |known, time: Time| known.time_s = Some(time.seconds))
}

/// `POST _sim/key`: another key in place of the one before.
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
