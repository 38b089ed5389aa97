//! Errors in Stripe's format.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use crate::fault::{Fault, FaultName};

/// An error.
#[derive(Clone, Debug)]
pub(super) struct Error {
    status: StatusCode,
    body: Value,
}

impl Error {
    /// An error in a parameter.
    pub(super) fn param(code: &str, param: &str, message: &str) -> Self {
        let error = json!({
            "type": "invalid_request_error", "code": code, "param": param, "message": message,
            "doc_url": format!("https://stripe.com/docs/error-codes/{code}"),
        });
        Self { status: StatusCode::BAD_REQUEST, body: json!({ "error": error }) }
    }

    /// An unknown parameter.
    pub(super) fn unknown(param: &str) -> Self {
        let message = format!("Received unknown parameter: {param}");
        Self::param("parameter_unknown", param, &message)
    }

    /// A missing parameter.
    pub(super) fn missing(param: &str) -> Self {
        let message = format!("Missing required param: {param}.");
        Self::param("parameter_missing", param, &message)
    }

    /// An unknown ID in the path.
    pub(super) fn no_such(what: &str, id: &str) -> Self {
        let message = format!("No such {what}: '{id}'");
        let mut error = Self::param("resource_missing", "id", &message);
        error.status = StatusCode::NOT_FOUND;
        error
    }

    /// An unknown ID in a parameter.
    pub(super) fn no_such_param(what: &str, id: &str, param: &str) -> Self {
        Self::param("resource_missing", param, &format!("No such {what}: '{id}'"))
    }

    /// The response for an unknown address.
    pub(super) fn no_address(method: &str, path: &str) -> Self {
        let message = format!("Unrecognized request URL ({method}: {path}).");
        Self::plain(StatusCode::NOT_FOUND, "invalid_request_error", &message)
    }

    /// Something that is not possible in the current state.
    pub(super) fn plain(status: StatusCode, kind: &str, message: &str) -> Self {
        Self { status, body: json!({ "error": { "type": kind, "message": message } }) }
    }

    /// An invalid key.
    pub(super) fn bad_key() -> Self {
        let message = "Invalid API Key provided: sk_test_****";
        Self::plain(StatusCode::UNAUTHORIZED, "invalid_request_error", message)
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault.name {
            FaultName::BadKey => Self::bad_key(),
            FaultName::Throttle => {
                let message = "Request rate limit exceeded.";
                let mut error =
                    Self::plain(StatusCode::TOO_MANY_REQUESTS, "invalid_request_error", message);
                error.body["error"]["code"] = json!("rate_limit");
                error
            }
            FaultName::RefuseParameters => Self::unknown("colour"),
            _ => {
                let message = "An error occurred with our API.";
                Self::plain(StatusCode::INTERNAL_SERVER_ERROR, "api_error", message)
            }
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}
