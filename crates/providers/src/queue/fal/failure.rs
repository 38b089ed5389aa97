//! What fal's errors mean.

use http::StatusCode;
use serde::Deserialize;

use crate::upstream::{Answer, Fault};

/// The `type` of errors about the caller's request and images, in addition to those of pydantic.
const OF_THE_REQUEST: [&str; 9] = [
    "image_too_large",
    "image_too_small",
    "image_load_error",
    "file_download_error",
    "file_too_large",
    "unsupported_image_format",
    "feature_not_supported",
    "missing",
    "extra_forbidden",
];
/// The `type` of errors during the work.
const OF_THE_WORK: [&str; 5] = [
    "no_media_generated",
    "generation_timeout",
    "downstream_service_error",
    "downstream_service_unavailable",
    "internal_server_error",
];

#[derive(Deserialize)]
struct Body {
    detail: Detail,
    error_type: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Detail {
    List(Vec<Item>),
    Text(String),
}

#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    loc: Vec<serde_json::Value>,
    #[serde(default)]
    msg: String,
    #[serde(default, rename = "type")]
    kind: String,
}

/// Whether `error_type` says that fal's infrastructure failed, and not the model.
pub(super) fn is_of_their_machines(error_type: &str) -> bool {
    error_type.starts_with("runner_")
        || matches!(error_type, "request_timeout" | "startup_timeout" | "internal_error")
}

/// What an error in response to a submission means.
pub(super) fn of_submission(answer: &Answer) -> Fault {
    match answer.status {
        StatusCode::UNAUTHORIZED | StatusCode::PAYMENT_REQUIRED | StatusCode::FORBIDDEN => {
            Fault::barred(answer.shown())
        }
        StatusCode::NOT_FOUND => Fault::barred(format!("no such model: {}", answer.shown())),
        StatusCode::TOO_MANY_REQUESTS => Fault::busy(answer.shown(), answer.retry_after_ms()),
        StatusCode::SERVICE_UNAVAILABLE if is_before_the_queue(answer) => {
            Fault::busy(answer.shown(), answer.retry_after_ms())
        }
        status if status.is_client_error() => of_request(answer),
        _ => Fault::Failed(answer.shown()),
    }
}

/// What an error in response to a status request means.
pub(super) fn of_look_up(answer: &Answer) -> Fault {
    match answer.status {
        StatusCode::NOT_FOUND => Fault::Lost(answer.shown()),
        StatusCode::TOO_MANY_REQUESTS => Fault::busy(answer.shown(), answer.retry_after_ms()),
        _ => Fault::Failed(answer.shown()),
    }
}

/// What an error instead of a result means. The model has run, or tried to.
pub(super) fn of_result(answer: &Answer) -> Fault {
    match answer.status {
        StatusCode::UNPROCESSABLE_ENTITY | StatusCode::BAD_REQUEST => of_request(answer),
        _ => of_look_up(answer),
    }
}

/// Whether the error comes from before the queue, which adds an ID to everything it has seen. fal's
/// own client uses the same test.
fn is_before_the_queue(answer: &Answer) -> bool {
    answer.header("x-fal-request-id").is_none()
        && String::from_utf8_lossy(&answer.body).contains("nginx")
}

fn of_request(answer: &Answer) -> Fault {
    let Ok(body) = answer.json::<Body>() else { return Fault::Failed(answer.shown()) };
    let error_type = body.error_type.unwrap_or_default();
    match body.detail {
        Detail::List(items) => of_items(&items, answer),
        Detail::Text(_) if is_of_their_machines(&error_type) => Fault::Failed(answer.shown()),
        Detail::Text(text) if error_type == "content_policy_violation" => Fault::content(&text),
        Detail::Text(text) => Fault::parameters(&text),
    }
}

fn of_items(items: &[Item], answer: &Answer) -> Fault {
    if let Some(item) = items.iter().find(|item| item.kind == "content_policy_violation") {
        return Fault::content(&item.msg);
    }
    let Some(first) = items.first() else { return Fault::Failed(answer.shown()) };
    if OF_THE_WORK.contains(&first.kind.as_str()) {
        return Fault::Failed(answer.shown());
    }
    let known = OF_THE_REQUEST.contains(&first.kind.as_str());
    let is_about_a_field = first.loc.first().is_some_and(|place| place == "body");
    if known || is_about_a_field {
        return Fault::parameters(&format!("{} ({})", first.msg, place(&first.loc)));
    }
    Fault::Failed(answer.shown())
}

/// The path of the field at fault.
fn place(loc: &[serde_json::Value]) -> String {
    let parts =
        loc.iter().map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned));
    parts.collect::<Vec<_>>().join(".")
}
