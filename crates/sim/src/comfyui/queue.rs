//! The queue and the history. A task is in one of them, and moves to the history when it ends.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::NAME;
use super::errors::Error;
use super::graph::Graph;
use crate::arrived::Arrived;
use crate::delivery::Delivered;
use crate::fault::{Call, Fault};
use crate::fields::{FieldError, Fields};
use crate::files::File;
use crate::tasks::{Progress, Task};
use crate::world::{Turn, World};

/// `POST /prompt`.
pub(super) async fn submit(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    let (graph, id) = match Fields::body(arrived).and_then(|fields| read(&world, fields)) {
        Ok((Ok(graph), id)) => (graph, id),
        Ok((Err(error), _)) => return error.into_response(),
        Err(wrong) => {
            let error = Error::of_graph("invalid_prompt", "Invalid prompt", &wrong.to_string());
            return error.into_response();
        }
    };
    let prompt = graph.wanted.prompt.clone();
    let turn = Turn { provider: NAME, call: Call::Submit, prompt: &prompt };
    let answer = |fault: Option<Fault>| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => {
            let number = begin(&world, graph, &id);
            let body = json!({ "prompt_id": id, "number": number, "node_errors": {} });
            Json(body).into_response()
        }
    };
    world.answer(turn, answer).await
}

/// `GET /queue`: the running and waiting tasks. Each call polls one task, the oldest.
pub(super) async fn queue(State(world): State<Arc<World>>) -> Response {
    let waiting: Vec<Task> = world.tasks.unfinished(NAME);
    let prompt = waiting.first().map_or("", |task| &task.wanted.prompt);
    let turn = Turn { provider: NAME, call: Call::Poll, prompt };
    let answer = |fault: Option<Fault>| {
        if let Some(fault) = fault.filter(|fault| !fault.name.is_of_a_task()) {
            return Error::from(fault).into_response();
        }
        let oldest = waiting.first().map(|task| (task, world.tasks.ask(NAME, &task.id, fault)));
        if let Some((task, progress)) = oldest {
            settle(&world, task, progress);
        }
        let entry = |task: &Task| json!([1, task.id, {}, {}, []]);
        let mut left: Vec<Value> = world.tasks.unfinished(NAME).iter().map(entry).collect();
        let running: Vec<Value> = left.drain(..left.len().min(1)).collect();
        Json(json!({ "queue_running": running, "queue_pending": left })).into_response()
    };
    world.answer(turn, answer).await
}

/// `GET /history/{id}`: empty until the task has ended.
pub(super) async fn history(State(world): State<Arc<World>>, Path(id): Path<String>) -> Response {
    let Some(task) = world.tasks.find(NAME, &id).filter(|task| task.rounds_left == 0) else {
        return Json(json!({})).into_response();
    };
    let turn = Turn { provider: NAME, call: Call::Result, prompt: &task.wanted.prompt };
    let answer = |fault: Option<Fault>| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None if task.order.get("is_lost") == Some(&json!(true)) => Json(json!({})).into_response(),
        None => Json(json!({ task.id.clone(): ended(&world, &task) })).into_response(),
    };
    world.answer(turn, answer).await
}

fn read(world: &World, mut fields: Fields) -> Result<(Result<Graph, Error>, String), FieldError> {
    let Some(Value::Object(nodes)) = fields.take("prompt") else {
        return Err(FieldError::missing("prompt"));
    };
    let id = fields.text("prompt_id")?;
    fields.text("client_id")?;
    fields.take("extra_data");
    fields.take("number");
    fields.flag("front")?;
    fields.end()?;
    let id = id.unwrap_or_else(|| format!("00000000-0000-4000-8000-{:012x}", world.number()));
    Ok((Graph::read(world, &nodes), id))
}

fn begin(world: &World, graph: Graph, id: &str) -> u64 {
    let (node, class) = graph.output;
    let order = json!({ "node": node, "class": class });
    world.begin_task(id.to_owned(), graph.wanted, order);
    world.number()
}

/// Records a task's outcome for the history.
fn settle(world: &World, task: &Task, progress: Progress) {
    let mut order = task.order.clone();
    match progress {
        Progress::Queued | Progress::Running | Progress::Ready => return,
        Progress::Lost | Progress::Expired => order["is_lost"] = json!(true),
        Progress::Failed | Progress::Refused | Progress::Cancelled => {
            order["is_failed"] = json!(true);
        }
    }
    world.tasks.end(NAME, &task.id, order);
}

fn ended(world: &World, task: &Task) -> Value {
    if task.order.get("is_failed") == Some(&json!(true)) {
        let error = json!({
            "prompt_id": task.id,
            "node_id": "3",
            "node_type": "KSampler",
            "exception_type": "torch.OutOfMemoryError",
            "exception_message": "CUDA out of memory.\n",
            "traceback": [],
        });
        let messages = json!([["execution_error", error]]);
        let status = json!({ "status_str": "error", "completed": false, "messages": messages });
        return json!({ "prompt": [], "outputs": {}, "status": status, "meta": {} });
    }
    let files: Vec<Value> = world
        .deliver(&task.wanted)
        .files
        .into_iter()
        .map(|file| saved(world, file, task))
        .collect();
    let text = |name| task.order.get(name).and_then(Value::as_str).unwrap_or_default();
    let list = if text("class") == "VHS_VideoCombine" { "gifs" } else { "images" };
    let messages = json!([["execution_success", { "prompt_id": task.id }]]);
    json!({
        "prompt": [],
        "outputs": { text("node"): { list: files } },
        "status": { "status_str": "success", "completed": true, "messages": messages },
        "meta": {},
    })
}

fn saved(world: &World, file: Delivered, task: &Task) -> Value {
    let name = format!("sim_{:05}_.{}", world.number(), file.extension);
    world.files.keep(File {
        name: name.clone(),
        media_type: file.media_type,
        bytes: file.bytes,
        prompt: task.wanted.prompt.clone(),
    });
    json!({ "filename": name, "subfolder": "", "type": "output" })
}
