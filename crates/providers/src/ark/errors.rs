//! What Ark's errors mean. New codes appear over time, so they are matched by their beginning or by
//! a word in them.

use http::StatusCode;
use serde::Deserialize;

use crate::upstream::{Answer, Fault};

/// An error as Ark writes it: in a response, in one of its items, or in a task.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Problem {
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    message: Option<String>,
}

#[derive(Deserialize)]
struct Envelope {
    error: Problem,
}

impl Problem {
    fn code(&self) -> &str {
        self.code.as_deref().unwrap_or_default()
    }

    fn message(&self) -> &str {
        self.message.as_deref().unwrap_or_default()
    }

    /// The code and the message, for logs.
    fn shown(&self) -> String {
        format!("{}: {}", self.code(), self.message())
    }

    /// What the error means if it occurs after the work was accepted.
    pub(super) fn after_work(&self) -> Fault {
        if self.code().contains("SensitiveContentDetected") {
            Fault::content(self.message())
        } else if self.is_about_parameters() {
            Fault::parameters(self.message())
        } else {
            Fault::Failed(self.shown())
        }
    }

    fn is_about_parameters(&self) -> bool {
        self.code().starts_with("InvalidParameter") || self.code().starts_with("MissingParameter")
    }
}

/// What a response other than success to a submission means.
pub(super) fn not_taken_on(answer: &Answer) -> Fault {
    let Ok(Envelope { error }) = answer.json::<Envelope>() else { return unreadable(answer) };
    if error.code().contains("SensitiveContentDetected") {
        return Fault::content(error.message());
    }
    let wait_ms = answer.retry_after_ms();
    match answer.status {
        StatusCode::BAD_REQUEST
        | StatusCode::PAYLOAD_TOO_LARGE
        | StatusCode::UNPROCESSABLE_ENTITY => Fault::parameters(error.message()),
        StatusCode::UNAUTHORIZED
        | StatusCode::PAYMENT_REQUIRED
        | StatusCode::FORBIDDEN
        | StatusCode::NOT_FOUND => Fault::barred(error.shown()),
        StatusCode::TOO_MANY_REQUESTS if is_used_up(error.code()) => Fault::barred(error.shown()),
        StatusCode::TOO_MANY_REQUESTS => Fault::busy(error.shown(), wait_ms),
        StatusCode::SERVICE_UNAVAILABLE if is_overload(error.code()) => {
            Fault::busy(error.shown(), wait_ms)
        }
        status => Fault::Failed(format!("status {}, {}", status.as_u16(), error.shown())),
    }
}

/// A response that does not come from Ark itself, such as a proxy's page. Only conclusions that its
/// status alone allows are drawn.
fn unreadable(answer: &Answer) -> Fault {
    match answer.status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => {
            Fault::barred(answer.shown())
        }
        StatusCode::TOO_MANY_REQUESTS => Fault::busy(answer.shown(), answer.retry_after_ms()),
        _ => Fault::Failed(answer.shown()),
    }
}

/// Whether a limit is used up that does not reset within minutes.
fn is_used_up(code: &str) -> bool {
    code.starts_with("QuotaExceeded") || code.starts_with("SetLimitExceeded")
}

/// Whether the request was rejected because of overload, before any work.
fn is_overload(code: &str) -> bool {
    code.starts_with("ServerOverloaded") || code.starts_with("ServiceUnavailable")
}

/// What a response other than success to a status request means. Usually, it says nothing about the
/// task.
pub(super) fn while_asking(answer: &Answer) -> Fault {
    match answer.status {
        StatusCode::NOT_FOUND => Fault::Lost(answer.shown()),
        _ => Fault::busy(answer.shown(), answer.retry_after_ms()),
    }
}

/// The problem, and what the operator can do.
pub(super) fn for_operator(answer: &Answer) -> String {
    let said = answer.json::<Envelope>().map_or_else(|_| answer.shown(), |it| it.error.shown());
    match answer.status {
        StatusCode::UNAUTHORIZED => format!(
            "the key was rejected; Volcengine and BytePlus keys are not interchangeable ({said})"
        ),
        StatusCode::FORBIDDEN => {
            format!(
                "the key has no permission for this, or the account has an unpaid bill ({said})"
            )
        }
        StatusCode::NOT_FOUND => {
            format!("not found; base_url should end in /api/v3 ({said})")
        }
        _ => said,
    }
}
