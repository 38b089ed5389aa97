//! Errors. Their body has the same form in both protocols; names and headers differ.

use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use retouch_core::Warning;

use crate::error::ApiError;

/// After how many milliseconds to try again.
const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");
/// Whether OpenAI's clients should try again, instead of deciding by the status.
const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");

/// The other protocol's name for the prompt, and this one's.
const INSTRUCTION: &str = "instruction";
const PROMPT: &str = "prompt";

/// The response for `error`.
pub(super) fn failed(error: &ApiError) -> Response {
    let error = renamed(error);
    let (retry_after_s, in_doubt) = (error.retry_after_s, error.in_doubt);
    let mut response = error.into_response();
    if let Some(seconds) = retry_after_s {
        let ms = HeaderValue::from(seconds.saturating_mul(1_000));
        response.headers_mut().insert(RETRY_AFTER_MS, ms);
    }
    if in_doubt {
        // The provider may have done the work, and would do it again.
        response.headers_mut().insert(SHOULD_RETRY, HeaderValue::from_static("false"));
    }
    response
}

/// The same error with this protocol's name for the prompt.
pub(super) fn renamed(error: &ApiError) -> ApiError {
    let (message, param) = (prompt_in(&error.message), error.param.as_deref().map(name));
    ApiError { param, message, ..error.clone() }
}

/// The same warning with this protocol's name for the prompt.
pub(super) fn renamed_warning(warning: &Warning) -> Warning {
    let param = warning.param.as_deref().map(name);
    Warning { message: prompt_in(&warning.message), param, ..warning.clone() }
}

fn name(param: &str) -> String {
    if param == INSTRUCTION { PROMPT.to_owned() } else { param.to_owned() }
}

fn prompt_in(message: &str) -> String {
    message.replace("`instruction`", "`prompt`")
}
