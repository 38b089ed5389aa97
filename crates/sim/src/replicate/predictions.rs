//! The lifecycle of a prediction.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use super::errors::{Error, authorised};
use super::order::{Order, read};
use super::{NAME, SENSITIVE};
use crate::arrived::Arrived;
use crate::delivery::Wanted;
use crate::fault::{Call, Fault, FaultName};
use crate::tasks::{Progress, Task};
use crate::world::{Turn, World};

/// `POST /v1/models/{owner}/{name}/predictions`, and the same for deployments, which have the names
/// of models.
pub(super) async fn of_model(
    State(world): State<Arc<World>>,
    Path((owner, name)): Path<(String, String)>,
    arrived: Arrived,
) -> Response {
    create(&world, arrived, Some(format!("{owner}/{name}"))).await
}

/// `POST /v1/predictions`, with a `version`.
pub(super) async fn of_version(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    create(&world, arrived, None).await
}

async fn create(world: &World, arrived: Arrived, model: Option<String>) -> Response {
    if let Err(error) = authorised(world, &arrived) {
        return error.into_response();
    }
    let (origin, is_awaited) = (arrived.origin(), wait(&arrived));
    let order = match read(world, arrived, model) {
        Ok(order) => order,
        Err(error) => return error.into_response(),
    };
    let prompt = order.wanted.prompt.clone();
    let turn = Turn { provider: NAME, call: Call::Submit, prompt: &prompt };
    let answer = |fault: Option<Fault>| {
        let is_refused = |fault: &Fault| {
            matches!(fault.name, FaultName::RefuseContentInput | FaultName::RefuseContentOutput)
        };
        match fault {
            Some(fault) if !is_refused(&fault) => Error::from(fault).into_response(),
            fault => {
                let task = begun(world, order, fault.is_some());
                created(world, &task, (is_awaited, &origin))
            }
        }
    };
    world.answer(turn, answer).await
}

/// `GET /v1/predictions/{id}`.
pub(super) async fn show(
    State(world): State<Arc<World>>,
    Path(id): Path<String>,
    arrived: Arrived,
) -> Response {
    if let Err(error) = authorised(&world, &arrived) {
        return error.into_response();
    }
    let Some(task) = world.tasks.find(NAME, &id) else {
        return Error::not_found().into_response();
    };
    let answer = |progress| match progress {
        Progress::Lost => Error::not_found().into_response(),
        progress => Json(shown(&world, &task, (progress, &arrived.origin()))).into_response(),
    };
    world.answer_task::<Error>(&task, answer).await
}

/// `POST /v1/predictions/{id}/cancel`.
pub(super) async fn cancel(
    State(world): State<Arc<World>>,
    Path(id): Path<String>,
    arrived: Arrived,
) -> Response {
    if let Err(error) = authorised(&world, &arrived) {
        return error.into_response();
    }
    let progress = match world.tasks.cancel(NAME, &id) {
        Progress::Ready => Progress::Ready,
        _ => Progress::Cancelled,
    };
    match world.tasks.find(NAME, &id) {
        None => Error::not_found().into_response(),
        Some(task) => Json(shown(&world, &task, (progress, &arrived.origin()))).into_response(),
    }
}

/// Whether the response should wait for the result: `Prefer: wait` or `Prefer: wait=N`.
fn wait(arrived: &Arrived) -> bool {
    arrived.header("prefer").is_some_and(|prefer| prefer.starts_with("wait"))
}

fn begun(world: &World, order: Order, is_refused: bool) -> Task {
    let Order { model, input, wanted } = order;
    let order = json!({ "model": model, "input": input, "is_refused": is_refused });
    world.begin_task(format!("p{:025}", world.number()), wanted, order)
}

/// A new prediction, which is already done if the client waits for it.
fn created(world: &World, task: &Task, (is_awaited, origin): (bool, &str)) -> Response {
    let progress = if is_awaited {
        world.tasks.end(NAME, &task.id, task.order.clone());
        Progress::Ready
    } else {
        Progress::Queued
    };
    (StatusCode::CREATED, Json(shown(world, task, (progress, origin)))).into_response()
}

fn shown(world: &World, task: &Task, (progress, origin): (Progress, &str)) -> Value {
    let is_refused = task.order.get("is_refused") == Some(&json!(true));
    let (status, output, error) = match progress {
        Progress::Queued => ("starting", Value::Null, None),
        Progress::Running => ("processing", Value::Null, None),
        Progress::Cancelled => ("canceled", Value::Null, None),
        Progress::Failed => ("failed", Value::Null, Some("CUDA out of memory. (E001)")),
        Progress::Refused => ("failed", Value::Null, Some(SENSITIVE)),
        Progress::Ready if is_refused => ("failed", Value::Null, Some(SENSITIVE)),
        Progress::Ready => ("succeeded", output(world, &task.wanted, origin), None),
        Progress::Expired | Progress::Lost => ("succeeded", Value::Null, None),
    };
    let at = format!("{origin}/{NAME}/v1/predictions/{}", task.id);
    let has_ended = !matches!(progress, Progress::Queued | Progress::Running);
    let time = |is_so: bool| if is_so { json!("2026-11-20T10:00:04Z") } else { Value::Null };
    json!({
        "id": task.id,
        "model": task.order.get("model"),
        "version": "hidden",
        "input": task.order.get("input"),
        "output": output,
        "logs": "",
        "error": error,
        "status": status,
        "created_at": "2026-11-20T10:00:00Z",
        "started_at": time(progress != Progress::Queued),
        "completed_at": time(has_ended),
        "metrics": if has_ended { json!({ "predict_time": 4.2 }) } else { json!({}) },
        "data_removed": progress == Progress::Expired,
        "urls": { "get": at, "cancel": format!("{at}/cancel") },
    })
}

/// One address as a string, several as a list, none as null.
fn output(world: &World, wanted: &Wanted, origin: &str) -> Value {
    let files = world.deliver(wanted).files;
    let addresses: Vec<_> = files.iter().map(|file| file.address(world, origin)).collect();
    match addresses.as_slice() {
        [] => Value::Null,
        [one] => json!(one),
        several => json!(several),
    }
}
