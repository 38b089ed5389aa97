//! Errors in Google's format: `{"error": {code, message, status, details}}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use super::spelling::snake_name;
use crate::fault::{Fault, FaultName};
use crate::fields::{FieldError, Problem};

/// An error as Google reports it.
#[derive(Clone, Debug)]
pub(super) struct Error {
    code: StatusCode,
    status: &'static str,
    message: String,
    details: Vec<Value>,
}

impl Error {
    fn new(code: StatusCode, status: &'static str, message: impl Into<String>) -> Self {
        Self { code, status, message: message.into(), details: Vec::new() }
    }

    fn with_detail(mut self, kind: &str, mut detail: Value) -> Self {
        if let Some(fields) = detail.as_object_mut() {
            fields.insert("@type".into(), format!("type.googleapis.com/google.rpc.{kind}").into());
        }
        self.details.push(detail);
        self
    }

    /// An error in the request.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "INVALID_ARGUMENT", message)
    }

    /// An image that cannot be read.
    pub(super) fn not_a_picture() -> Self {
        Self::invalid(
            "Unable to process input image. Please retry or report in \
             https://developers.generativeai.google/guide/troubleshooting",
        )
    }

    /// A request of more than `bytes_max` bytes.
    pub(super) fn too_long(bytes_max: usize) -> Self {
        Self::invalid(format!("Request payload size exceeds the limit: {bytes_max} bytes."))
    }

    /// A call without a key.
    pub(super) fn no_key() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "PERMISSION_DENIED",
            "Method doesn't allow unregistered callers (callers without established identity). \
             Please use API Key or other form of API consumer identity to call this API.",
        )
    }

    /// An invalid key, which Google reports with status 400.
    pub(super) fn bad_key() -> Self {
        let message = "API key not valid. Please pass a valid API key.";
        let info = json!({
            "reason": "API_KEY_INVALID",
            "domain": "googleapis.com",
            "metadata": { "service": "generativelanguage.googleapis.com" },
        });
        let localised = json!({ "locale": "en-US", "message": message });
        Self::invalid(message)
            .with_detail("ErrorInfo", info)
            .with_detail("LocalizedMessage", localised)
    }

    /// A model that does not exist, or does not support the method.
    pub(super) fn unknown_model(version: &str, model: &str, method: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "NOT_FOUND",
            format!(
                "models/{model} is not found for API version {version}, or is not supported for \
                 {method}. Call ListModels to see the list of available models and their \
                 supported methods."
            ),
        )
    }

    /// An unknown path.
    pub(super) fn nothing_here() -> Self {
        Self::new(StatusCode::NOT_FOUND, "NOT_FOUND", "Requested entity was not found.")
    }

    /// A file that does not exist, or no longer does.
    pub(super) fn no_such_file(name: &str) -> Self {
        let message =
            format!("You do not have permission to access the File {name} or it may not exist.");
        Self::new(StatusCode::FORBIDDEN, "PERMISSION_DENIED", message)
    }

    /// A prompt that violates Veo's rules.
    pub(super) fn against_the_rules() -> Self {
        Self::invalid(
            "The prompt could not be submitted. It contains words that violate Google's \
             Responsible AI practices. Try rephrasing the prompt.",
        )
    }

    fn throttled(retry_after_s: Option<u64>) -> Self {
        let violation = json!({
            "quotaMetric": "generativelanguage.googleapis.com/generate_content_requests",
            "quotaId": "GenerateRequestsPerMinutePerProjectPerModel",
        });
        let error = Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "RESOURCE_EXHAUSTED",
            "Resource has been exhausted (e.g. check quota).",
        )
        .with_detail("QuotaFailure", json!({ "violations": [violation] }));
        match retry_after_s {
            Some(s) => error.with_detail("RetryInfo", json!({ "retryDelay": format!("{s}s") })),
            None => error,
        }
    }
}

impl From<FieldError> for Error {
    fn from(wrong: FieldError) -> Self {
        let path = snake_name(&wrong.path);
        let (parent, name) = path.rsplit_once('.').unwrap_or(("", &path));
        let at = if parent.is_empty() { String::new() } else { format!(" at '{parent}'") };
        Self::invalid(match &wrong.problem {
            Problem::Missing => format!("* {path}: {name} is not specified\n"),
            Problem::Unknown => format!(
                "Invalid JSON payload received. Unknown name \"{name}\"{at}: Cannot find field."
            ),
            Problem::Type(expected) if path.is_empty() => {
                format!("Invalid JSON payload received. It must be {expected}.")
            }
            Problem::Type(expected) => format!("Invalid value at '{path}': it must be {expected}."),
            Problem::Value(right) => format!("Invalid value at '{path}': it must be {right}."),
        })
    }
}

/// Faults that are errors. Content refusals have status 200 and are handled elsewhere.
impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault.name {
            FaultName::RefuseParameters => Self::invalid("Request contains an invalid argument."),
            FaultName::BadKey => Self::bad_key(),
            FaultName::NoCredit => Self::new(
                StatusCode::BAD_REQUEST,
                "FAILED_PRECONDITION",
                "This API needs billing. Please enable billing on your project in AI Studio.",
            ),
            FaultName::UnknownModel => Self::unknown_model("v1beta", "fault", "generateContent"),
            FaultName::Throttle => Self::throttled(fault.retry_after),
            FaultName::Overloaded => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "UNAVAILABLE",
                "The model is overloaded. Please try again later.",
            ),
            _ => Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "INTERNAL",
                "An internal error has occurred. Please retry or report in \
                 https://developers.generativeai.google/guide/troubleshooting",
            ),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut error = json!({
            "code": self.code.as_u16(),
            "message": self.message,
            "status": self.status,
        });
        if let Some(fields) = error.as_object_mut().filter(|_| !self.details.is_empty()) {
            fields.insert("details".into(), self.details.into());
        }
        (self.code, Json(json!({ "error": error }))).into_response()
    }
}
