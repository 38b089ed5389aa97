//! Errors in OpenAI's format: `{"error": {message, type, param, code}}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, StatusCode};
use serde_json::json;

use crate::arrived::Arrived;
use crate::fault::{Fault, FaultName};
use crate::fields::{FieldError, Problem};

const HOUR_S: u64 = 3600;

/// An error as OpenAI reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Error {
    status: StatusCode,
    kind: &'static str,
    code: Option<&'static str>,
    param: Option<String>,
    message: String,
    retry_after_s: Option<u64>,
    /// Whether Azure's content filter adds its results.
    has_filter_results: bool,
}

impl Error {
    fn new(status: StatusCode, kind: &'static str, message: impl Into<String>) -> Self {
        let (code, param, retry_after_s) = (None, None, None);
        let (message, has_filter_results) = (message.into(), false);
        Self { status, kind, code, param, message, retry_after_s, has_filter_results }
    }

    fn code(self, code: &'static str) -> Self {
        Self { code: Some(code), ..self }
    }

    fn param(self, param: impl Into<String>) -> Self {
        Self { param: Some(param.into()), ..self }
    }

    /// An error in the request.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message)
    }

    /// An image that cannot be read.
    pub(super) fn not_a_picture(param: &str) -> Self {
        let message = "Invalid image file or mode, please check your image file.";
        Self::invalid(message).code("invalid_image_file").param(param)
    }

    /// A model that does not exist, or no longer does.
    pub(super) fn unknown_model(model: &str) -> Self {
        let message =
            format!("The model '{model}' does not exist or you do not have access to it.");
        let error = Self::new(StatusCode::NOT_FOUND, "invalid_request_error", message);
        error.code("model_not_found").param("model")
    }

    /// A call without a key.
    pub(super) fn no_key() -> Self {
        let message = "You didn't provide an API key. You need to provide your API key in an \
                       Authorization header using Bearer auth.";
        Self::new(StatusCode::UNAUTHORIZED, "invalid_request_error", message)
    }

    /// An error that only Azure has.
    pub(super) fn at_azure(status: StatusCode, code: &'static str, message: &str) -> Self {
        Self::new(status, "invalid_request_error", message).code(code)
    }

    /// A deployment that Azure does not know.
    pub(super) fn no_deployment() -> Self {
        let message = "The API deployment for this resource does not exist. If you created the \
                       deployment within the last 5 minutes, please wait a moment and try again.";
        Self::at_azure(StatusCode::NOT_FOUND, "DeploymentNotFound", message)
    }

    /// The error in Azure's words, if they differ.
    pub(super) fn told_by_azure(self) -> Self {
        let (code, message) = match (self.status, self.code) {
            (StatusCode::UNAUTHORIZED, _) => (
                "401",
                "Access denied due to invalid subscription key or wrong API endpoint. Make sure \
                 to provide a valid key for an active subscription.",
            ),
            (StatusCode::TOO_MANY_REQUESTS, _) => (
                "429",
                "Requests to the Images_Edits Operation have exceeded the call rate limit of \
                 your current pricing tier.",
            ),
            (_, Some("moderation_blocked")) => {
                ("contentFilter", "Your task failed as a result of our safety system.")
            }
            _ => return self,
        };
        let has_filter_results = code == "contentFilter";
        Self { code: Some(code), message: message.into(), has_filter_results, ..self }
    }

    /// An invalid key.
    pub(super) fn bad_key(key: &str) -> Self {
        let end = key.get(key.len().saturating_sub(4)..).unwrap_or_default();
        let message = format!(
            "Incorrect API key provided: ****{end}. You can find your API key at \
             https://platform.openai.com/account/api-keys."
        );
        let error = Self::new(StatusCode::UNAUTHORIZED, "invalid_request_error", message);
        error.code("invalid_api_key")
    }

    fn refused(stage: &str) -> Self {
        let message = format!(
            "Your request was rejected by the safety system. If you believe this is an error, \
             contact us at help.openai.com and include the request ID req_sim. \
             safety_violations=[violence]. Stage: {stage}."
        );
        let error = Self::new(StatusCode::BAD_REQUEST, "image_generation_user_error", message);
        error.code("moderation_blocked")
    }
}

impl From<FieldError> for Error {
    fn from(wrong: FieldError) -> Self {
        let path = wrong.path.clone();
        let (message, code) = match wrong.problem {
            Problem::Missing => {
                (format!("Missing required parameter: '{path}'."), "missing_required_parameter")
            }
            Problem::Unknown => (format!("Unknown parameter: '{path}'."), "unknown_parameter"),
            Problem::Type(expected) => {
                (format!("Invalid type for '{path}': expected {expected}."), "invalid_type")
            }
            Problem::Value(right) => {
                (format!("Invalid value for '{path}': must be {right}."), "invalid_value")
            }
        };
        Self::invalid(message).code(code).param(path)
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        let limit = "Rate limit reached for images per minute: Limit 5, Used 5, Requested 1.";
        match fault.name {
            FaultName::RefuseContentInput => Self::refused("input"),
            FaultName::RefuseContentOutput => Self::refused("output"),
            FaultName::RefuseParameters => {
                Self::invalid("Invalid value: 'size'.").code("invalid_value").param("size")
            }
            FaultName::BadKey => Self::bad_key("fault"),
            FaultName::NoCredit => Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "insufficient_quota",
                "You exceeded your current quota, please check your plan and billing details.",
            )
            .code("insufficient_quota"),
            FaultName::UnknownModel => Self::unknown_model("fault"),
            FaultName::Throttle => Self {
                retry_after_s: fault.retry_after,
                ..Self::new(StatusCode::TOO_MANY_REQUESTS, "requests", limit)
                    .code("rate_limit_exceeded")
            },
            FaultName::Overloaded => Self {
                retry_after_s: fault.retry_after,
                ..Self::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "server_error",
                    "The engine is currently overloaded, please try again later.",
                )
            },
            _ => Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "image_generation_server_error",
                "The server had an error while processing your request. Sorry about that!",
            ),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut error = json!({
            "message": self.message,
            "type": self.kind,
            "param": self.param,
            "code": self.code,
        });
        if let Some(fields) = error.as_object_mut().filter(|_| self.has_filter_results) {
            let found = json!({ "violence": { "filtered": true, "severity": "medium" } });
            let inner = json!({
                "code": "ResponsibleAIPolicyViolation",
                "content_filter_results": found,
            });
            fields.insert("inner_error".into(), inner);
        }
        let body = json!({ "error": error });
        let mut response = with_headers((self.status, Json(body)).into_response());
        if let Some(seconds) = self.retry_after_s {
            let headers = response.headers_mut();
            headers.insert("retry-after", HeaderValue::from(seconds.min(HOUR_S)));
            headers.insert("retry-after-ms", HeaderValue::from(seconds.min(HOUR_S) * 1000));
        }
        response
    }
}

/// Adds the headers that all of OpenAI's responses have.
pub(super) fn with_headers(mut response: Response) -> Response {
    for (name, value) in [
        ("x-request-id", "req_sim"),
        ("openai-processing-ms", "1234"),
        ("openai-version", "2020-10-01"),
        ("x-ratelimit-limit-requests", "500"),
        ("x-ratelimit-remaining-requests", "499"),
        ("x-ratelimit-reset-requests", "120ms"),
    ] {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(HeaderName::from_static(name), value);
    }
    response
}

/// The response for an unknown address.
pub(super) async fn unknown_address(arrived: Arrived) -> Response {
    let message = format!("Invalid URL ({} {})", arrived.method, arrived.path);
    Error::new(StatusCode::NOT_FOUND, "invalid_request_error", message).into_response()
}
