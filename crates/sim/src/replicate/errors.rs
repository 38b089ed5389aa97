//! Errors in Replicate's format: `{"title", "detail", "status"}`.

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
    retry_after_s: Option<u64>,
}

impl Error {
    fn new(status: StatusCode, title: &str, detail: &str) -> Self {
        let body = json!({ "title": title, "detail": detail, "status": status.as_u16() });
        Self { status, body, retry_after_s: None }
    }

    /// Something that does not exist.
    pub(super) fn not_found() -> Self {
        let detail = "The requested resource could not be found.";
        Self::new(StatusCode::NOT_FOUND, "Not found", detail)
    }

    /// A version that does not exist.
    pub(super) fn no_version() -> Self {
        let detail = "The specified version does not exist (or perhaps you don't have permission \
                      to use it?)";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "Invalid version or not permitted", detail)
    }

    fn unauthenticated() -> Self {
        let detail = "You did not pass a valid authentication token";
        Self::new(StatusCode::UNAUTHORIZED, "Unauthenticated", detail)
    }

    /// The text contains the seconds. It is unknown whether the real service sends a header too.
    fn throttled(retry_after_s: Option<u64>) -> Self {
        let hint = retry_after_s.map(|s| format!(" Your rate limit resets in ~{s}s."));
        let detail = format!("Request was throttled.{}", hint.unwrap_or_default());
        let body = json!({ "detail": detail, "status": 429 });
        Self { status: StatusCode::TOO_MANY_REQUESTS, body, retry_after_s: None }
    }
}

impl From<FieldError> for Error {
    fn from(wrong: FieldError) -> Self {
        let kind = match &wrong.problem {
            Problem::Missing => "required",
            Problem::Unknown => "additional_property_not_allowed",
            Problem::Type(_) => "invalid_type",
            Problem::Value(_) => "invalid_value",
        };
        let description = wrong.to_string();
        let body = json!({
            "title": "Input validation failed",
            "detail": format!("- {description}\n"),
            "status": 422,
            "invalid_fields":
                [{ "type": kind, "field": wrong.path, "description": description }],
        });
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, body, retry_after_s: None }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault.name {
            FaultName::RefuseParameters => FieldError::value("input.seed", "an integer").into(),
            FaultName::BadKey => Self::unauthenticated(),
            FaultName::NoCredit => Self::new(
                StatusCode::PAYMENT_REQUIRED,
                "Insufficient credit",
                "You have insufficient credit to run this model.",
            ),
            FaultName::UnknownModel => Self::not_found(),
            FaultName::Throttle => Self::throttled(fault.retry_after),
            FaultName::Overloaded => Self {
                retry_after_s: fault.retry_after,
                ..Self::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "Service unavailable",
                    "Please try again later.",
                )
            },
            _ => Self::new(StatusCode::INTERNAL_SERVER_ERROR, "Internal server error", "E000"),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        if let Some(seconds) = self.retry_after_s {
            response.headers_mut().insert("retry-after", seconds.into());
        }
        response
    }
}

/// Checks the key, which may be a bearer token or in the older format.
pub(super) fn authorised(world: &World, arrived: &Arrived) -> Result<(), Error> {
    let key = arrived.authorization("Bearer").or_else(|| arrived.authorization("Token"));
    match key {
        Some(key) if world.knows_key(key) => Ok(()),
        _ => Err(Error::unauthenticated()),
    }
}

/// The response for an unknown address.
pub(super) async fn unknown_address() -> Response {
    Error::not_found().into_response()
}
