//! Errors in DashScope's format: `{"code", "message", "request_id"}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};

use crate::arrived::Arrived;
use crate::fault::{Fault, FaultName};
use crate::fields::{FieldError, Problem};
use crate::world::World;

/// The ID of every request.
pub(super) const REQUEST_ID: &str = "9f0c7a4e-2b1d-9c3a-8d55-0f1e2d3c4b5a";

/// The error for a refused result.
pub(super) const REFUSED: (&str, &str) =
    ("DataInspectionFailed", "Output data may contain inappropriate content.");
/// The error for an internal failure.
pub(super) const INTERNAL: (&str, &str) =
    ("InternalError.Algo", "An internal error has occurred, please try again later.");

/// An error as DashScope reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Error {
    status: StatusCode,
    code: &'static str,
    message: String,
    retry_after_s: Option<u64>,
}

impl Error {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), retry_after_s: None }
    }

    /// An error in the request.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "InvalidParameter", message)
    }

    /// A model that does not exist.
    pub(super) fn unknown_model(model: &str) -> Self {
        let message = format!("Model not exist: {model}.");
        Self::new(StatusCode::NOT_FOUND, "ModelNotFound", message)
    }

    /// A call that must be a task, or must not be one.
    pub(super) fn wrong_way(message: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, "AccessDenied", message)
    }

    /// A task that can no longer be canceled.
    pub(super) fn not_pending() -> Self {
        let message = "Failed to cancel the task, please confirm if the task is in PENDING status.";
        Self::new(StatusCode::BAD_REQUEST, "UnsupportedOperation", message)
    }

    fn bad_key() -> Self {
        let message = "Invalid API-key provided.";
        Self::new(StatusCode::UNAUTHORIZED, "InvalidApiKey", message)
    }
}

impl From<FieldError> for Error {
    fn from(wrong: FieldError) -> Self {
        match wrong.problem {
            Problem::Missing => Self::invalid(format!("{wrong}.")),
            _ => Self::invalid(format!("Invalid request: {wrong}.")),
        }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        let new = |status, (code, message): (&'static str, &str)| Self {
            retry_after_s: fault.retry_after,
            ..Self::new(status, code, message)
        };
        match fault.name {
            FaultName::RefuseContentInput => new(
                StatusCode::BAD_REQUEST,
                ("DataInspectionFailed", "Input data may contain inappropriate content."),
            ),
            FaultName::RefuseContentOutput => new(StatusCode::BAD_REQUEST, REFUSED),
            FaultName::RefuseParameters => Self::invalid("The size is not supported."),
            FaultName::BadKey => Self::bad_key(),
            FaultName::NoCredit => new(
                StatusCode::BAD_REQUEST,
                ("Arrearage", "Access denied, please make sure your account is in good standing."),
            ),
            FaultName::UnknownModel => Self::unknown_model("fault"),
            FaultName::Throttle => new(
                StatusCode::TOO_MANY_REQUESTS,
                ("Throttling.RateQuota", "Requests rate limit exceeded, please try again later."),
            ),
            FaultName::Overloaded => new(
                StatusCode::SERVICE_UNAVAILABLE,
                (
                    "ModelServingError",
                    "Too many requests. Your requests are being throttled due to system capacity \
                     limits.",
                ),
            ),
            _ => new(StatusCode::INTERNAL_SERVER_ERROR, INTERNAL),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let body = json!({ "code": self.code, "message": self.message, "request_id": REQUEST_ID });
        let mut response = answer(self.status, body);
        if let Some(seconds) = self.retry_after_s {
            response.headers_mut().insert("retry-after", HeaderValue::from(seconds));
        }
        response
    }
}

/// A response with the header that all of DashScope's responses have.
pub(super) fn answer(status: StatusCode, body: Value) -> Response {
    let mut response = (status, Json(body)).into_response();
    response.headers_mut().insert("x-request-id", HeaderValue::from_static(REQUEST_ID));
    response
}

/// Checks the key.
pub(super) fn authorised(world: &World, arrived: &Arrived) -> Result<(), Error> {
    let key = arrived.authorization("Bearer");
    if key.is_some_and(|key| world.knows_key(key)) { Ok(()) } else { Err(Error::bad_key()) }
}

/// Whether the call requests a task.
pub(super) fn wants_task(arrived: &Arrived) -> Result<bool, Error> {
    match arrived.header("x-dashscope-async") {
        None => Ok(false),
        Some("enable") => Ok(true),
        Some(_) => Err(Error::invalid("X-DashScope-Async must be enable.")),
    }
}

/// The response for an unknown address.
pub(super) async fn unknown_address(arrived: Arrived) -> Response {
    let message = format!("url error, please check url: {} {}", arrived.method, arrived.path);
    Error::new(StatusCode::NOT_FOUND, "InvalidParameter", message).into_response()
}
