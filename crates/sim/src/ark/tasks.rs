//! Tasks: `/contents/generations/tasks`, which can be created, looked up, listed and deleted.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use super::errors::{Error, INTERNAL, REFUSED_VIDEO, answer, authorised};
use super::seedance::{self, Order};
use crate::arrived::Arrived;
use crate::fault::{Call, Fault};
use crate::fields::Fields;
use crate::tasks::{Progress, Task};
use crate::world::{Turn, World};

/// Creates a task.
pub(super) async fn create(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    let order = authorised(&world, &arrived)
        .and_then(|()| Fields::body(arrived).map_err(Error::from))
        .and_then(seedance::read);
    let order = match order {
        Ok(order) => order,
        Err(error) => return error.into_response(),
    };
    let prompt = order.wanted.prompt.clone();
    let turn = Turn { provider: super::NAME, call: Call::Submit, prompt: &prompt };
    let respond = |fault| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => begin(&world, order),
    };
    world.answer(turn, respond).await
}

fn begin(world: &World, Order { wanted, about }: Order) -> Response {
    let id = format!("cgt-20261120155505-{:05x}", world.number());
    world.begin_task(id.clone(), wanted, about);
    answer(StatusCode::OK, json!({ "id": id }))
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
        return Error::unknown_task(&id).into_response();
    };
    let respond = |progress| match described(&world, &task, (progress, &arrived.origin())) {
        Some(body) => answer(StatusCode::OK, body),
        None => Error::unknown_task(&id).into_response(),
    };
    world.answer_task::<Error>(&task, respond).await
}

/// The current state of a task. `None` if it is unknown.
fn described(world: &World, task: &Task, (progress, origin): (Progress, &str)) -> Option<Value> {
    let problem = |(code, message): (&str, &str)| json!({ "code": code, "message": message });
    let (status, error) = match progress {
        Progress::Queued => ("queued", Value::Null),
        Progress::Running => ("running", Value::Null),
        Progress::Ready => ("succeeded", Value::Null),
        Progress::Failed => ("failed", problem(INTERNAL)),
        Progress::Refused => ("failed", problem(REFUSED_VIDEO)),
        Progress::Cancelled => ("cancelled", Value::Null),
        Progress::Expired => ("expired", Value::Null),
        Progress::Lost => return None,
    };
    let mut body = json!({
        "id": task.id,
        "status": status,
        "error": error,
        "created_at": 1_795_200_000,
        "updated_at": world.now_s(),
        "service_tier": "default",
        "execution_expires_after": 172_800,
    });
    if let (Value::Object(body), Value::Object(about)) = (&mut body, &task.order) {
        body.extend(about.clone());
        if status == "succeeded" {
            body.insert("content".into(), content(world, task, origin));
            body.insert("framespersecond".into(), 24.into());
            body.insert("seed".into(), 58_944.into());
            body.insert(
                "usage".into(),
                json!({ "completion_tokens": 108_900, "total_tokens": 108_900 }),
            );
        }
    }
    Some(body)
}

fn content(world: &World, task: &Task, origin: &str) -> Value {
    let delivery = world.deliver(&task.wanted);
    let address = delivery.files.first().map(|file| file.address(world, origin));
    address.map_or(json!({}), |address| json!({ "video_url": address }))
}

/// Lists tasks. The list is always empty; the call serves to check the key.
pub(super) async fn list(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    let known = ["page_num", "page_size", "filter.status", "filter.task_ids", "filter.model"];
    let unknown = arrived.query.iter().find(|(name, _)| !known.contains(&name.as_str()));
    let checked = authorised(&world, &arrived).and_then(|()| match unknown {
        Some((name, _)) => Err(Error::invalid(name, "unknown field")),
        None => Ok(()),
    });
    if let Err(error) = checked {
        return error.into_response();
    }
    let turn = Turn { provider: super::NAME, call: Call::Probe, prompt: "" };
    let respond = |fault: Option<Fault>| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => answer(StatusCode::OK, json!({ "total": 0, "items": [] })),
    };
    world.answer(turn, respond).await
}

/// Cancels a waiting task.
pub(super) async fn delete(
    State(world): State<Arc<World>>,
    Path(id): Path<String>,
    arrived: Arrived,
) -> Response {
    if let Err(error) = authorised(&world, &arrived) {
        return error.into_response();
    }
    match world.tasks.cancel(super::NAME, &id) {
        Progress::Lost => Error::unknown_task(&id).into_response(),
        _ => answer(StatusCode::OK, json!({})),
    }
}
