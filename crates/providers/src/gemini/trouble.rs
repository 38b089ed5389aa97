//! Google's errors: `{"error": {code, message, status, details}}`, with typed details.

use http::StatusCode;
use serde::Deserialize;

use crate::upstream::{Answer, Fault};

/// Words that mark an invalid-argument error as a content refusal. Veo gives no other sign.
const CONTENT_WORDS: &[&str] =
    &["violat", "sensitive", "responsible ai", "usage guidelines", "safety filter", "harmful"];

/// Accepts a response with a successful status.
///
/// # Errors
/// What any other response means for the requested work.
pub(super) fn check(answer: &Answer) -> Result<(), Fault> {
    if answer.status.is_success() { Ok(()) } else { Err(meaning(answer)) }
}

/// How long to wait according to Google, in milliseconds: as the body says, or else the headers.
pub(super) fn wait_ms(answer: &Answer) -> Option<u64> {
    let told = Trouble::of(answer).and_then(|trouble| trouble.retry_delay_ms());
    told.or_else(|| answer.retry_after_ms())
}

/// What the operator can do about a failed health check.
pub(super) fn advice(answer: &Answer) -> String {
    let what = reason(answer);
    let trouble = Trouble::of(answer);
    let is_key = trouble.as_ref().is_some_and(Trouble::is_about_key);
    match answer.status {
        _ if is_key => format!("the key is invalid; create a new one in AI Studio ({what})"),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            format!("the key has no access to this API ({what})")
        }
        StatusCode::NOT_FOUND => {
            format!("not found; check base_url and api_version ({what})")
        }
        _ => what,
    }
}

/// What an invalid-argument error means, judging by its message.
pub(super) fn refusal(message: &str) -> Fault {
    let words = message.to_lowercase();
    let is_content = CONTENT_WORDS.iter().any(|word| words.contains(word));
    if is_content { Fault::content(message) } else { Fault::parameters(message) }
}

fn meaning(answer: &Answer) -> Fault {
    let what = reason(answer);
    let Some(trouble) = Trouble::of(answer) else {
        return by_status_alone(answer, what);
    };
    match answer.status {
        StatusCode::BAD_REQUEST if trouble.is_the_operators() => Fault::barred(what),
        StatusCode::TOO_MANY_REQUESTS if trouble.is_daily() => Fault::barred(what),
        StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE => refusal(&trouble.message),
        _ => by_status_alone(answer, what),
    }
}

/// What the status alone means, whether it comes from Google or from a proxy in front of it.
fn by_status_alone(answer: &Answer, what: String) -> Fault {
    match answer.status {
        StatusCode::UNAUTHORIZED
        | StatusCode::PAYMENT_REQUIRED
        | StatusCode::FORBIDDEN
        | StatusCode::NOT_FOUND => Fault::barred(what),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            Fault::busy(what, wait_ms(answer))
        }
        _ => Fault::Failed(what),
    }
}

/// What happened, for the operator's log.
fn reason(answer: &Answer) -> String {
    match Trouble::of(answer) {
        Some(trouble) => {
            let (status, message) = (trouble.status, trouble.message);
            let message: String = message.chars().take(300).collect();
            format!("status {} {status}: {message}", answer.status.as_u16())
        }
        None => answer.shown(),
    }
}

#[derive(Deserialize)]
struct Enveloped {
    error: Trouble,
}

/// An error in Google's format.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Trouble {
    message: String,
    status: String,
    details: Vec<Detail>,
}

/// Any of the details defined in `google.rpc`.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Detail {
    /// From `ErrorInfo`.
    reason: String,
    /// From `RetryInfo`: a protobuf duration such as `3s` or `0.5s`.
    retry_delay: String,
    /// From `QuotaFailure`.
    violations: Vec<Violation>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Violation {
    quota_id: String,
}

impl Trouble {
    fn of(answer: &Answer) -> Option<Self> {
        Some(answer.json::<Enveloped>().ok()?.error)
    }

    fn is_about_key(&self) -> bool {
        self.details.iter().any(|detail| detail.reason == "API_KEY_INVALID")
    }

    /// Whether only the operator can fix this 400: an invalid key or, with `FAILED_PRECONDITION`,
    /// the region or the billing of the account.
    fn is_the_operators(&self) -> bool {
        self.is_about_key() || self.status == "FAILED_PRECONDITION"
    }

    /// Whether a daily quota is used up, so that a retry soon is pointless.
    fn is_daily(&self) -> bool {
        let violations = self.details.iter().flat_map(|detail| &detail.violations);
        violations.into_iter().any(|violation| violation.quota_id.contains("PerDay"))
    }

    fn retry_delay_ms(&self) -> Option<u64> {
        self.details.iter().find_map(|detail| {
            let seconds: f64 = detail.retry_delay.strip_suffix('s')?.parse().ok()?;
            // Rounded up. The cast saturates for negative and very large numbers.
            Some((seconds * 1000.0).ceil() as u64)
        })
    }
}
