//! Errors in FastAPI's format: `{"detail": …}` with a text or a list.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use crate::fault::{Fault, FaultName};
use crate::fields::{FieldError, Problem};

/// An error.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Error {
    status: StatusCode,
    detail: Value,
}

impl Error {
    /// An error with a text.
    pub(super) fn new(status: StatusCode, detail: &str) -> Self {
        Self { status, detail: detail.into() }
    }
}

impl From<FieldError> for Error {
    fn from(wrong: FieldError) -> Self {
        let kind = match wrong.problem {
            Problem::Missing => "missing",
            Problem::Unknown => "extra_forbidden",
            Problem::Type(_) => "type_error",
            Problem::Value(_) => "value_error",
        };
        let loc = json!(["body", wrong.path]);
        let detail = json!([{ "type": kind, "loc": loc, "msg": wrong.to_string() }]);
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, detail }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault.name {
            FaultName::RefuseContentInput
            | FaultName::RefuseContentOutput
            | FaultName::RefuseParameters => {
                Self::new(StatusCode::BAD_REQUEST, "Invalid size: must be WIDTHxHEIGHT")
            }
            FaultName::UnknownModel => {
                Self::new(StatusCode::BAD_REQUEST, "Model mismatch: another one is served")
            }
            // From a proxy in front of the servers, which themselves have no keys and no billing.
            FaultName::BadKey | FaultName::NoCredit => {
                Self::new(StatusCode::UNAUTHORIZED, "Unauthorized")
            }
            FaultName::Throttle => Self::new(StatusCode::TOO_MANY_REQUESTS, "Too many requests"),
            FaultName::Overloaded => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "Engine is not initialized")
            }
            _ => Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "Image edit failed: CUDA out of memory",
            ),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "detail": self.detail }))).into_response()
    }
}

/// The response for an unknown address.
pub(super) async fn not_found() -> Response {
    Error::new(StatusCode::NOT_FOUND, "Not Found").into_response()
}
