//! Errors in fal's format: `{"detail": …}` with a text or a list.

use axum::Json;
use axum::response::{Html, IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use crate::arrived::Arrived;
use crate::fault::{Fault, FaultName};
use crate::fields::{FieldError, Problem};
use crate::schema::NOT_A_PICTURE;
use crate::world::World;

/// The page of the gateway in front of the queue.
const BUSY_PAGE: &str = "<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\
    \r\n<body>\r\n<center><h1>503 Service Temporarily Unavailable</h1></center>\r\n<hr>\
    <center>nginx</center>\r\n</body>\r\n</html>";

/// An error.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Error {
    status: StatusCode,
    body: Value,
    retry_after_s: Option<u64>,
}

impl Error {
    fn text(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, body: json!({ "detail": detail.into() }), retry_after_s: None }
    }

    /// The response for an unknown address.
    pub(super) fn not_found(detail: &str) -> Self {
        Self::text(StatusCode::NOT_FOUND, detail)
    }

    /// An error of the model, which takes the place of a result.
    pub(super) fn of_model(status: StatusCode, kind: &str, message: &str) -> Self {
        let url = format!("https://docs.fal.ai/errors#{kind}");
        let item = json!({ "loc": ["body"], "msg": message, "type": kind, "url": url });
        Self { status, body: json!({ "detail": [item] }), retry_after_s: None }
    }

    /// The error as it is stored in a task.
    pub(super) fn into_value(self) -> Value {
        json!({ "status": self.status.as_u16(), "body": self.body })
    }

    /// The error that is stored in a task.
    pub(super) fn from_value(value: &Value) -> Option<Self> {
        let status = u16::try_from(value.get("status")?.as_u64()?).ok()?;
        let status = StatusCode::from_u16(status).ok()?;
        Some(Self { status, body: value.get("body")?.clone(), retry_after_s: None })
    }
}

/// The model's error for a wrong input.
impl From<FieldError> for Error {
    fn from(wrong: FieldError) -> Self {
        let mut loc = vec![json!("body")];
        loc.extend(wrong.path.split('.').filter(|part| !part.is_empty()).map(Value::from));
        let (message, kind) = match &wrong.problem {
            Problem::Missing => ("Field required".to_owned(), "missing"),
            Problem::Unknown => ("Extra inputs are not permitted".to_owned(), "extra_forbidden"),
            Problem::Type(expected) => (format!("Input should be {expected}"), "type_error"),
            Problem::Value(right) if right == NOT_A_PICTURE => {
                ("Could not load the image".to_owned(), "image_load_error")
            }
            Problem::Value(right) => (format!("Input should be {right}"), "value_error"),
        };
        let item = json!({ "loc": loc, "msg": message, "type": kind });
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Self { status, body: json!({ "detail": [item] }), retry_after_s: None }
    }
}

/// The error of the queue itself.
impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        let retry_after_s = fault.retry_after;
        let error = match fault.name {
            FaultName::BadKey => {
                Self::text(StatusCode::UNAUTHORIZED, "Invalid authentication credentials")
            }
            FaultName::NoCredit => {
                Self::text(StatusCode::FORBIDDEN, "User is locked. Reason: Exhausted balance.")
            }
            FaultName::UnknownModel => Self::not_found("Application 'fault' not found"),
            FaultName::Throttle => {
                Self::text(StatusCode::TOO_MANY_REQUESTS, "Too many requests, please slow down")
            }
            FaultName::Overloaded => Self::text(StatusCode::SERVICE_UNAVAILABLE, BUSY_PAGE),
            _ => {
                let body = json!({ "detail": "Internal error", "error_type": "internal_error" });
                Self { status: StatusCode::INTERNAL_SERVER_ERROR, body, retry_after_s: None }
            }
        };
        Self { retry_after_s, ..error }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let page = self.body.get("detail").and_then(Value::as_str) == Some(BUSY_PAGE);
        let mut response = if page {
            (self.status, Html(BUSY_PAGE)).into_response()
        } else {
            (self.status, Json(self.body)).into_response()
        };
        if let Some(seconds) = self.retry_after_s {
            response.headers_mut().insert("retry-after", seconds.into());
        }
        response
    }
}

/// Checks the key: `Key ID:SECRET`.
pub(super) fn authorised(world: &World, arrived: &Arrived) -> Result<(), Error> {
    match arrived.authorization("Key") {
        Some(key) if world.knows_key(key) => Ok(()),
        _ => {
            let detail = "Authentication is required to access this application.";
            Err(Error::text(StatusCode::UNAUTHORIZED, detail))
        }
    }
}
