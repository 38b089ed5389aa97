//! Errors as callers see them: the table of codes, the error value and the response body.

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

/// The result of a step that can fail with an error for the caller.
pub type ApiResult<T> = Result<T, ApiError>;

/// An error that a caller will see.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// Its row in the table.
    pub code: Code,
    /// What happened, with the numbers, and what to do.
    pub message: String,
    /// The field that it is about, if any.
    pub param: Option<String>,
    /// After how many seconds a retry may help.
    pub retry_after_s: Option<u64>,
    /// Whether a provider may have done the work, so that a retry may be paid for twice.
    pub in_doubt: bool,
}

impl ApiError {
    /// An error that is not about a single field.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, message, param: None, retry_after_s: None, in_doubt: false }
    }

    /// An error about the field `param`.
    pub fn about(code: Code, param: &str, message: impl Into<String>) -> Self {
        Self { param: Some(param.to_owned()), ..Self::new(code, message) }
    }

    /// The same error, with the time after which to retry.
    pub fn retry_after_s(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds.max(1));
        self
    }

    /// The same error, for work that a provider may have done.
    pub fn in_doubt(self) -> Self {
        Self { in_doubt: true, ..self }
    }

    /// The body of its response.
    pub fn into_body(self) -> ErrorBody {
        ErrorBody {
            error: ErrorObject {
                kind: self.code.row().kind,
                code: self.code,
                message: self.message,
                param: self.param,
                request_id: crate::http::request_id::current(),
            },
        }
    }

    /// A failure that the caller can do nothing about. The cause is logged here, once. The caller
    /// gets the request id, by which the operator finds it.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(cause = %cause, "a request failed");
        Self::new(
            Code::ServerError,
            "Something went wrong on our side. /api/credits/entries shows what was charged.",
        )
    }

    /// The thing does not exist or does not belong to the caller.
    pub fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("There is no such {what}."))
    }

    /// The result was removed because of its age.
    pub fn expired(at: Timestamp) -> Self {
        let message = format!(
            "The result was kept as long as the account's plan allows, and was removed at {at}. To \
             make it again, repeat the call with a new Idempotency-Key."
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
    /// A stable name for programs. `/docs` lists all codes.
    #[schema(value_type = String, example = "insufficient_credits")]
    pub code: Code,
    /// An explanation for people.
    pub message: String,
    /// The field that the error is about, or null.
    pub param: Option<String>,
    /// The `x-request-id` of this response.
    pub request_id: Option<String>,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (code, retry_after_s) = (self.code, self.retry_after_s);
        let status = code.row().status;
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self.into_body())).into_response();
        response.extensions_mut().insert(code);
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer realm=\"retouch\"");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        if let Some(seconds) = retry_after_s {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}
