//! Errors in the format of Black Forest Labs.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use crate::arrived::Arrived;
use crate::fault::{Fault, FaultName};
use crate::fields::{FieldError, Problem};
use crate::world::World;

/// An error.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Error {
    status: StatusCode,
    body: Value,
}

impl Error {
    fn text(status: StatusCode, detail: &str) -> Self {
        Self { status, body: json!({ "detail": detail }) }
    }

    /// The response for an unknown address.
    pub(super) fn not_found() -> Self {
        Self::text(StatusCode::NOT_FOUND, "Not Found")
    }
}

impl From<FieldError> for Error {
    fn from(wrong: FieldError) -> Self {
        let mut loc = vec![json!("body")];
        loc.extend(wrong.path.split('.').filter(|part| !part.is_empty()).map(Value::from));
        let (message, kind) = match &wrong.problem {
            Problem::Missing => ("Field required".to_owned(), "missing"),
            Problem::Unknown => ("Extra inputs are not permitted".to_owned(), "extra_forbidden"),
            Problem::Type(expected) => (format!("Input should be {expected}"), "type_error"),
            Problem::Value(right) => (format!("Input should be {right}"), "value_error"),
        };
        let body = json!({ "detail": [{ "loc": loc, "msg": message, "type": kind }] });
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, body }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault.name {
            FaultName::RefuseParameters => FieldError::value("seed", "an integer").into(),
            FaultName::BadKey => Self::text(StatusCode::FORBIDDEN, "Not authenticated"),
            FaultName::NoCredit => {
                Self::text(StatusCode::PAYMENT_REQUIRED, "Insufficient credits. Please add some.")
            }
            FaultName::UnknownModel => Self::not_found(),
            FaultName::Throttle => {
                let mut body = json!({
                    "error": "rate_limit_exceeded",
                    "message": "Too many active tasks",
                });
                if let Some(seconds) = fault.retry_after {
                    body["retry_after"] = json!(seconds);
                }
                Self { status: StatusCode::TOO_MANY_REQUESTS, body }
            }
            FaultName::Overloaded => {
                Self::text(StatusCode::SERVICE_UNAVAILABLE, "Service temporarily unavailable")
            }
            _ => Self::text(StatusCode::INTERNAL_SERVER_ERROR, "Internal server error"),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}

/// Checks the key.
pub(super) fn authorised(world: &World, arrived: &Arrived) -> Result<(), Error> {
    match arrived.header("x-key") {
        Some(key) if world.knows_key(key) => Ok(()),
        _ => Err(Error::text(StatusCode::FORBIDDEN, "Not authenticated")),
    }
}

/// The response for an unknown address.
pub(super) async fn unknown_address() -> Response {
    Error::not_found().into_response()
}
