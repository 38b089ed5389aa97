//! Tasks, which can be created, looked up, listed and canceled. A failed task is returned with
//! status 200.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use super::errors::{Error, INTERNAL, REFUSED, REQUEST_ID, answer, authorised};
use super::reply;
use crate::arrived::Arrived;
use crate::delivery::Wanted;
use crate::fault::{Call, Fault};
use crate::tasks::{Progress, Task};
use crate::world::{Turn, World};

/// The format of a task's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `choices`, as in a call that is not a task.
    Choices,
    /// `results`, each with a `url`.
    Results,
    /// One `video_url`.
    Video,
}

impl Shape {
    fn name(self) -> &'static str {
        match self {
            Self::Choices => "choices",
            Self::Results => "results",
            Self::Video => "video",
        }
    }
}

/// Creates the requested task, or returns the error.
pub(super) async fn begin(world: &World, asked: Result<(Wanted, Shape), Error>) -> Response {
    let (wanted, shape) = match asked {
        Ok(asked) => asked,
        Err(error) => return error.into_response(),
    };
    let prompt = wanted.prompt.clone();
    let turn = Turn { provider: super::NAME, call: Call::Submit, prompt: &prompt };
    let respond = |fault: Option<Fault>| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => begun(world, (wanted, shape)),
    };
    world.answer(turn, respond).await
}

fn begun(world: &World, (wanted, shape): (Wanted, Shape)) -> Response {
    let id = format!("13b1848b-5493-4c0e-8c44-{:012x}", world.number());
    world.begin_task(id.clone(), wanted, shape.name().into());
    let output = json!({ "task_id": id, "task_status": "PENDING" });
    told(json!({ "output": output }))
}

/// Returns the status of a task.
pub(super) async fn look_up(
    State(world): State<Arc<World>>,
    Path(id): Path<String>,
    arrived: Arrived,
) -> Response {
    if let Err(error) = authorised(&world, &arrived) {
        return error.into_response();
    }
    let Some(task) = world.tasks.find(super::NAME, &id) else {
        return told(unknown(&id));
    };
    let respond = |progress| told(described(&world, &task, (progress, &arrived.origin())));
    world.answer_task::<Error>(&task, respond).await
}

fn told(mut body: Value) -> Response {
    if let Value::Object(body) = &mut body {
        body.insert("request_id".into(), REQUEST_ID.into());
    }
    answer(StatusCode::OK, body)
}

fn unknown(id: &str) -> Value {
    json!({ "output": { "task_id": id, "task_status": "UNKNOWN" } })
}

fn described(world: &World, task: &Task, (progress, origin): (Progress, &str)) -> Value {
    let (status, problem) = match progress {
        Progress::Queued => ("PENDING", None),
        Progress::Running => ("RUNNING", None),
        Progress::Ready => return succeeded(world, (task, origin)),
        Progress::Failed => ("FAILED", Some(INTERNAL)),
        Progress::Refused => ("FAILED", Some(REFUSED)),
        Progress::Cancelled => ("CANCELED", None),
        // Tasks are forgotten after a day, as if they had never existed.
        Progress::Lost | Progress::Expired => return unknown(&task.id),
    };
    let mut output = json!({
        "task_id": task.id,
        "task_status": status,
        "submit_time": "2026-11-20 10:00:00.000",
        "scheduled_time": "2026-11-20 10:00:00.030",
    });
    if let (Value::Object(output), Some((code, message))) = (&mut output, problem) {
        output.insert("code".into(), code.into());
        output.insert("message".into(), message.into());
    }
    json!({ "output": output })
}

fn succeeded(world: &World, (task, origin): (&Task, &str)) -> Value {
    let delivery = world.deliver(&task.wanted);
    let count = delivery.files.len();
    let mut output = json!({
        "task_id": task.id,
        "task_status": "SUCCEEDED",
        "submit_time": "2026-11-20 10:00:00.000",
        "scheduled_time": "2026-11-20 10:00:00.030",
        "end_time": "2026-11-20 10:00:20.000",
    });
    let Value::Object(fields) = &mut output else { return output };
    let mut addresses = delivery.files.iter().map(|file| file.address(world, origin));
    let usage = match task.order.as_str() {
        Some("video") => {
            fields.extend(addresses.next().map(|url| ("video_url".to_owned(), url.into())));
            json!({ "video_count": count, "video_duration": 5, "SR": 720 })
        }
        Some("choices") => {
            let choices = reply::choices(world, (&delivery, origin));
            fields.insert("choices".into(), choices.into());
            json!({ "image_count": count, "size": "1280*1280" })
        }
        _ => {
            let results: Value = addresses.map(|url| json!({ "url": url })).collect();
            fields.insert("results".into(), results);
            let metrics = json!({ "TOTAL": count, "SUCCEEDED": count, "FAILED": 0 });
            fields.insert("task_metrics".into(), metrics);
            json!({ "image_count": count })
        }
    };
    json!({ "output": output, "usage": usage })
}

/// Lists tasks. The list is always empty; the call serves to check the key.
pub(super) async fn list(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    if let Err(error) = authorised(&world, &arrived) {
        return error.into_response();
    }
    let turn = Turn { provider: super::NAME, call: Call::Probe, prompt: "" };
    let respond = |fault: Option<Fault>| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => told(json!({
            "data": [], "total": 0, "total_page": 0, "page_no": 1, "page_size": 10,
        })),
    };
    world.answer(turn, respond).await
}

/// Cancels a waiting task.
pub(super) async fn cancel(
    State(world): State<Arc<World>>,
    Path(id): Path<String>,
    arrived: Arrived,
) -> Response {
    if let Err(error) = authorised(&world, &arrived) {
        return error.into_response();
    }
    match world.tasks.cancel(super::NAME, &id) {
        Progress::Running => told(json!({})),
        _ => Error::not_pending().into_response(),
    }
}
