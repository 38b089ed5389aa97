//! Errors in Ark's format: `{"error": {code, message, param, type}}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};

use crate::arrived::Arrived;
use crate::fault::{Fault, FaultName};
use crate::fields::{FieldError, Problem};
use crate::world::World;

const REQUEST_ID: &str = "02179520000000000000000000000000000000000000000000000";

/// The error for a refused image.
pub(super) const REFUSED_PICTURE: (&str, &str) = (
    "OutputImageSensitiveContentDetected",
    "The request failed because the output image may contain sensitive information.",
);
/// The error for a refused video.
pub(super) const REFUSED_VIDEO: (&str, &str) = (
    "OutputVideoSensitiveContentDetected",
    "The request failed because the output video may contain sensitive information.",
);
/// The error for an internal failure.
pub(super) const INTERNAL: (&str, &str) = (
    "InternalServiceError",
    "The service encountered an unexpected internal error. Please retry later.",
);

/// An error as Ark reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Error {
    status: StatusCode,
    code: &'static str,
    message: String,
    param: String,
    retry_after_s: Option<u64>,
}

impl Error {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { status, code, message, param: String::new(), retry_after_s: None }
    }

    /// A value that the model does not accept.
    pub(super) fn invalid(param: &str, message: impl std::fmt::Display) -> Self {
        let message =
            format!("The parameter `{param}` specified in the request is not valid: {message}.");
        let error = Self::new(StatusCode::BAD_REQUEST, "InvalidParameter", message);
        Self { param: param.to_owned(), ..error }
    }

    /// A model that does not exist.
    pub(super) fn unknown_model(model: &str) -> Self {
        let message = format!(
            "The model or endpoint {model} does not exist or you do not have access to it."
        );
        Self::new(StatusCode::NOT_FOUND, "InvalidEndpointOrModel.NotFound", message)
    }

    /// A task that does not exist.
    pub(super) fn unknown_task(id: &str) -> Self {
        let message = format!("The specified task {id} is not found.");
        Self::new(StatusCode::NOT_FOUND, "ResourceNotFound", message)
    }

    fn bad_key() -> Self {
        let message = "The API key in the request is missing or invalid.";
        Self::new(StatusCode::UNAUTHORIZED, "AuthenticationError", message)
    }
}

impl From<FieldError> for Error {
    fn from(wrong: FieldError) -> Self {
        if wrong.problem == Problem::Missing {
            let message =
                format!("The request failed because it is missing `{}` parameter.", wrong.path);
            let error = Self::new(StatusCode::BAD_REQUEST, "MissingParameter", message);
            return Self { param: wrong.path, ..error };
        }
        Self::invalid(&wrong.path, &wrong)
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
                (
                    "InputTextSensitiveContentDetected",
                    "The request failed because the input text may contain sensitive information.",
                ),
            ),
            FaultName::RefuseContentOutput => new(StatusCode::BAD_REQUEST, REFUSED_PICTURE),
            FaultName::RefuseParameters => {
                Self::invalid("size", "image size must be at least 3686400 pixels")
            }
            FaultName::BadKey => Self::bad_key(),
            FaultName::NoCredit => new(
                StatusCode::FORBIDDEN,
                (
                    "AccountOverdueError",
                    "The request failed because your account has an overdue balance.",
                ),
            ),
            FaultName::UnknownModel => Self::unknown_model("fault"),
            FaultName::Throttle => new(
                StatusCode::TOO_MANY_REQUESTS,
                (
                    "ModelAccountIpmRateLimitExceeded",
                    "Your account has exceeded the images per minute limit for this model.",
                ),
            ),
            FaultName::Overloaded => new(
                StatusCode::TOO_MANY_REQUESTS,
                (
                    "ServerOverloaded",
                    "The service is currently unable to handle additional requests.",
                ),
            ),
            _ => new(StatusCode::INTERNAL_SERVER_ERROR, INTERNAL),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let kind = match self.status {
            StatusCode::UNAUTHORIZED => "Unauthorized",
            StatusCode::FORBIDDEN => "Forbidden",
            StatusCode::NOT_FOUND => "NotFound",
            StatusCode::TOO_MANY_REQUESTS => "TooManyRequests",
            StatusCode::INTERNAL_SERVER_ERROR => "InternalServerError",
            _ => "BadRequest",
        };
        let body = json!({ "error": {
            "code": self.code,
            "message": format!("{} Request id: {REQUEST_ID}", self.message),
            "param": self.param,
            "type": kind,
        }});
        let mut response = answer(self.status, body);
        if let Some(seconds) = self.retry_after_s {
            response.headers_mut().insert("retry-after", HeaderValue::from(seconds));
        }
        response
    }
}

/// A response with the header that all of Ark's responses have.
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

/// The response for an unknown address.
pub(super) async fn unknown_address(arrived: Arrived) -> Response {
    let message = format!("Invalid request path: {} {}.", arrived.method, arrived.path);
    Error::new(StatusCode::NOT_FOUND, "InvalidAction", message).into_response()
}
