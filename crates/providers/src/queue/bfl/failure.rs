//! What the errors of Black Forest Labs mean.

use http::StatusCode;
use serde::Deserialize;
use serde_json::Value;

use crate::upstream::{Answer, Fault};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Problem {
    detail: Value,
    error: Value,
    message: Value,
    retry_after: Option<f64>,
}

/// What an error in response to a submission means.
pub(super) fn of_submission(answer: &Answer) -> Fault {
    match answer.status {
        StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => {
            Fault::parameters(&said(answer))
        }
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            Fault::busy(answer.shown(), wait_ms(answer))
        }
        status if status.is_client_error() => Fault::barred(answer.shown()),
        _ => Fault::Failed(answer.shown()),
    }
}

/// How long to wait, in milliseconds, according to the header or to `retry_after` in the body.
pub(super) fn wait_ms(answer: &Answer) -> Option<u64> {
    let from_body = || {
        let seconds = answer.json::<Problem>().ok()?.retry_after?;
        Some((seconds * 1000.0).ceil() as u64)
    };
    answer.retry_after_ms().or_else(from_body)
}

/// What is wrong: the first entry of `detail`, or any other message.
fn said(answer: &Answer) -> String {
    let problem: Problem = answer.json().unwrap_or_default();
    let of_item = |item: &Value| {
        let message = item.get("msg")?.as_str()?;
        let field = item.get("loc").and_then(Value::as_array).and_then(|loc| loc.last());
        Some(field.map_or_else(|| message.to_owned(), |field| format!("{message} ({field})")))
    };
    let first = problem.detail.as_array().and_then(|items| of_item(items.first()?));
    let texts = [&problem.detail, &problem.message, &problem.error];
    let text = || texts.into_iter().find_map(Value::as_str).map(str::to_owned);
    first.or_else(text).unwrap_or_else(|| answer.shown())
}
