//! Errors as callers see them: one table of codes, one value, one body.

mod from;
mod table;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use retouch_core::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

pub use from::overloaded;
pub use table::{Code, ErrorType, Row};

/// What every fallible step on the way to an answer returns.
pub type ApiResult<T> = Result<T, ApiError>;

/// An error on its way to a caller.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// Which row of the table it is.
    pub code: Code,
    /// What is wrong, with the numbers, and what to do.
    pub message: String,
    /// The field that it is about, if it is about one.
    pub param: Option<String>,
    /// When trying again may help, in whole seconds.
    pub retry_after_s: Option<u64>,
    /// Whether a provider may have carried out what failed here, so that repeating it may be paid twice.
    pub in_doubt: bool,
}

impl ApiError {
    /// An error that is not about one field.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, message, param: None, retry_after_s: None, in_doubt: false }
    }

    /// An error about the field `param`.
    pub fn about(code: Code, param: &str, message: impl Into<String>) -> Self {
        Self { param: Some(param.to_owned()), ..Self::new(code, message) }
    }

    /// The same error, saying when to try again.
    pub fn retry_after_s(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds.max(1));
        self
    }

    /// The same error, of work that a provider may have carried out.
    pub fn in_doubt(self) -> Self {
        Self { in_doubt: true, ..self }
    }

    /// Something went wrong that the caller can do nothing about. The cause goes to the log, once,
    /// here; the caller gets the request id to ask with.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(cause = %cause, "a request failed");
        Self::new(
            Code::ServerError,
            "Something went wrong on our side. What was charged stands in /api/credits/entries.",
        )
    }

    /// Nobody, or nothing that belongs to the caller, is there.
    pub fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("There is no such {what}."))
    }

    /// A result has gone because of its age.
    pub fn expired(at: Timestamp) -> Self {
        let message = format!(
            "The result was kept as long as its account's plan says, and was removed at {at}. To have \
             it made anew, make the call again, with a new Idempotency-Key."
        );
        Self::new(Code::ResultExpired, message)
    }
}

/// The body of every error.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// The error.
    pub error: ErrorObject,
}

/// What went wrong.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorObject {
    /// The family of the error.
    #[serde(rename = "type")]
    pub kind: ErrorType,
    /// A stable name to program against; `/docs` lists them all.
    #[schema(value_type = String, example = "insufficient_credits")]
    pub code: Code,
    /// A sentence for a person.
    pub message: String,
    /// The field that it is about, or null.
    pub param: Option<String>,
    /// The `x-request-id` of this response.
    pub request_id: Option<String>,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let row = self.code.row();
        let error = ErrorObject {
            kind: row.kind,
            code: self.code,
            message: self.message,
            param: self.param,
            request_id: crate::http::request_id::current(),
        };
        let status = StatusCode::from_u16(row.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(ErrorBody { error })).into_response();
        response.extensions_mut().insert(self.code);
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer realm=\"retouch\"");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        if let Some(seconds) = self.retry_after_s {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}
