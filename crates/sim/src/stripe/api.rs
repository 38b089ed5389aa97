//! Handles API calls: the key, the version, idempotency, and then the call itself.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::Value;

use super::errors::Error;
use super::fields::Fields;
use super::{NAME, Shared, VERSION};
use crate::arrived::Arrived;
use crate::fault::{Call, Fault};
use crate::world::Turn;

/// `GET /v1/…`.
pub(super) async fn find(
    State(shared): State<Shared>,
    Path(path): Path<String>,
    arrived: Arrived,
) -> Response {
    let answer =
        |shared: &Shared| super::find::find(&shared.stripe, &path, Fields::query(&arrived)?);
    perform(&shared, &arrived, Call::Poll, answer).await
}

/// `POST /v1/…`.
pub(super) async fn make(
    State(shared): State<Shared>,
    Path(path): Path<String>,
    arrived: Arrived,
) -> Response {
    let origin = format!("{}/{NAME}", arrived.origin());
    let answer = |shared: &Shared| {
        let fields = Fields::body(&arrived)?;
        let asked = format!("{path} {fields:?}");
        let once = arrived.header("idempotency-key");
        if let Some(before) = once.and_then(|key| shared.stripe.lock().answered.get(key).cloned()) {
            return match before {
                (same, answer) if same == asked => Ok(answer),
                _ => Err(reused()),
            };
        }
        let made = super::make::make(&shared.stripe, (&path, &origin), fields)?;
        if let Some(key) = once {
            shared.stripe.lock().answered.insert(key.to_owned(), (asked, made.clone()));
        }
        Ok(made)
    };
    perform(&shared, &arrived, Call::Submit, answer).await
}

/// `DELETE /v1/…`.
pub(super) async fn end(
    State(shared): State<Shared>,
    Path(path): Path<String>,
    arrived: Arrived,
) -> Response {
    let answer = |shared: &Shared| super::make::end(&shared.stripe, &path);
    perform(&shared, &arrived, Call::Submit, answer).await
}

async fn perform(
    shared: &Shared,
    arrived: &Arrived,
    call: Call,
    answer: impl FnOnce(&Shared) -> Result<Value, Error> + Send,
) -> Response {
    if let Err(error) = admitted(shared, arrived) {
        return error.into_response();
    }
    let respond = |fault: Option<Fault>| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => match answer(shared) {
            Ok(value) => Json(value).into_response(),
            Err(error) => error.into_response(),
        },
    };
    shared.world.answer(Turn { provider: NAME, call, prompt: "" }, respond).await
}

fn admitted(shared: &Shared, arrived: &Arrived) -> Result<(), Error> {
    if !arrived.authorization("Bearer").is_some_and(|key| shared.world.knows_key(key)) {
        return Err(Error::bad_key());
    }
    // Before "basil", invoices and subscriptions had other fields. A client of an older version
    // would misread them.
    match arrived.header("stripe-version") {
        Some(version) if version < VERSION => {
            let message = format!("This simulator supports {VERSION} and later, not {version}.");
            Err(Error::plain(StatusCode::BAD_REQUEST, "invalid_request_error", &message))
        }
        _ => Ok(()),
    }
}

fn reused() -> Error {
    let message = "Keys for idempotent requests can only be used with the same parameters they \
                   were first used with.";
    Error::plain(StatusCode::BAD_REQUEST, "idempotency_error", message)
}
