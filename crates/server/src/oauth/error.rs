//! Errors for programs, in the form of RFC 6749, section 5.2.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::error::{ApiError, Code};

/// An error of OAuth.
#[derive(Clone, Debug)]
pub(crate) struct OAuthError {
    /// Its name in the RFCs.
    pub(crate) name: &'static str,
    /// What happened, and what to do.
    pub(crate) description: String,
    status: u16,
    retry_after_s: Option<u64>,
}

impl OAuthError {
    /// An error with status 400.
    pub(crate) fn new(name: &'static str, description: impl Into<String>) -> Self {
        Self { name, description: description.into(), status: 400, retry_after_s: None }
    }
}

impl From<ApiError> for OAuthError {
    fn from(error: ApiError) -> Self {
        let status = error.code.row().status;
        let name = match status {
            429 | 503 => "temporarily_unavailable",
            500.. => "server_error",
            _ => "invalid_request",
        };
        let retry_after_s = error.retry_after_s;
        Self { name, description: error.message, status, retry_after_s }
    }
}

impl From<retouch_store::Error> for OAuthError {
    fn from(error: retouch_store::Error) -> Self {
        ApiError::from(error).into()
    }
}

/// The same error for a person, on a page.
impl From<OAuthError> for ApiError {
    fn from(error: OAuthError) -> Self {
        Self::new(Code::InvalidValue, error.description)
    }
}

impl IntoResponse for OAuthError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let body = json!({ "error": self.name, "error_description": self.description });
        let mut response = (status, Json(body)).into_response();
        if let Some(seconds) = self.retry_after_s {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}
