//! Errors in this server's format: a text, and sometimes a message. The server has no keys, no
//! billing and no content filter.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::json;

use crate::fault::{Fault, FaultName};
use crate::fields::FieldError;

/// An error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Error {
    pub(super) status: StatusCode,
    pub(super) text: String,
}

impl Error {
    /// An error with a status.
    pub(super) fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self { status, text: text.into() }
    }

    /// An error in the request.
    pub(super) fn bad(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, text)
    }
}

impl From<FieldError> for Error {
    fn from(wrong: FieldError) -> Self {
        // The real server sends only the first words.
        Self::bad(format!("invalid generation parameters ({wrong})"))
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault.name {
            FaultName::RefuseContentInput
            | FaultName::RefuseContentOutput
            | FaultName::RefuseParameters
            | FaultName::UnknownModel => Self::bad("invalid generation parameters"),
            FaultName::BadKey | FaultName::NoCredit => {
                // From a proxy in front of the server, which itself has no keys.
                Self::new(StatusCode::UNAUTHORIZED, "unauthorized")
            }
            FaultName::Throttle | FaultName::Overloaded => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "job queue is full")
            }
            _ => Self::new(StatusCode::INTERNAL_SERVER_ERROR, "server_error"),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let body = if self.text == "server_error" {
            json!({ "error": self.text, "message": "CUDA error: out of memory" })
        } else {
            json!({ "error": self.text })
        };
        (self.status, Json(body)).into_response()
    }
}
