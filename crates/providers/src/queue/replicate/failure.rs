//! What Replicate's errors mean.

use http::StatusCode;
use serde::Deserialize;

use crate::upstream::{Answer, Fault};

/// Words in the error of a failed prediction that mark it as a content refusal.
const OF_CONTENT: [&str; 5] = ["sensitive", "flagged", "nsfw", "e005", "content policy"];

#[derive(Default, Deserialize)]
#[serde(default)]
struct Problem {
    title: String,
    detail: String,
}

/// What an error in response to a submission means.
pub(super) fn of_submission(answer: &Answer) -> Fault {
    match answer.status {
        StatusCode::UNPROCESSABLE_ENTITY | StatusCode::BAD_REQUEST => {
            let problem: Problem = answer.json().unwrap_or_default();
            if problem.title.contains("version") {
                return Fault::barred(format!("no such version: {}", answer.shown()));
            }
            let said = if problem.detail.is_empty() { problem.title } else { problem.detail };
            Fault::parameters(&said)
        }
        StatusCode::SERVICE_UNAVAILABLE => Fault::busy(answer.shown(), answer.retry_after_ms()),
        status if status.is_client_error() => at_the_door(answer),
        _ => Fault::Failed(answer.shown()),
    }
}

/// What an error in response to an upload means. In any case, no work was done.
pub(super) fn of_upload(answer: &Answer) -> Fault {
    if answer.status.is_client_error() {
        return at_the_door(answer);
    }
    Fault::busy(answer.shown(), answer.retry_after_ms())
}

/// What an error in response to a status request means.
pub(super) fn of_look_up(answer: &Answer) -> Fault {
    match answer.status {
        StatusCode::NOT_FOUND => Fault::Lost(answer.shown()),
        StatusCode::TOO_MANY_REQUESTS => Fault::busy(answer.shown(), throttled_ms(answer)),
        _ => Fault::Failed(answer.shown()),
    }
}

/// What the error of a failed prediction means.
pub(super) fn of_prediction(error: &str) -> Fault {
    let lower = error.to_lowercase();
    if OF_CONTENT.iter().any(|word| lower.contains(word)) {
        return Fault::content(error);
    }
    Fault::Failed(format!("the prediction failed: {error}"))
}

fn at_the_door(answer: &Answer) -> Fault {
    match answer.status {
        StatusCode::TOO_MANY_REQUESTS => Fault::busy(answer.shown(), throttled_ms(answer)),
        _ => Fault::barred(answer.shown()),
    }
}

/// How long to wait, in milliseconds, according to the header or to the text "Your rate limit
/// resets in ~30s.".
fn throttled_ms(answer: &Answer) -> Option<u64> {
    let from_text = || {
        let problem: Problem = answer.json().ok()?;
        let (_, rest) = problem.detail.split_once('~')?;
        let (seconds, _) = rest.split_once('s')?;
        Some(seconds.trim().parse::<u64>().ok()?.saturating_mul(1000))
    };
    answer.retry_after_ms().or_else(from_text)
}
