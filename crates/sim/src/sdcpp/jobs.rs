//! The server's own API: a job is created, polled until it is done, and contains its images.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use super::errors::Error;
use super::{NAME, order};
use crate::arrived::Arrived;
use crate::delivery::Wanted;
use crate::fault::Call;
use crate::fields::Fields;
use crate::tasks::{Progress, Task};
use crate::world::{Turn, World};

/// `GET /sdcpp/v1/capabilities`, with the fields that clients use.
pub(super) async fn capabilities(State(world): State<Arc<World>>) -> Response {
    let body = json!({
        "model": { "name": "sim.gguf", "stem": "sim", "path": "models/sim.gguf" },
        "current_mode": "img_gen",
        "supported_modes": ["img_gen"],
        "output_formats_by_mode": { "img_gen": ["png", "jpeg", "webp"] },
        "features_by_mode": { "img_gen": { "ref_images": true, "cancel_queued": true } },
        "limits": { "min_width": 64, "max_width": 4096, "min_height": 64, "max_height": 4096,
                    "max_batch_count": 8, "max_queue_size": 64 },
    });
    let turn = Turn { provider: NAME, call: Call::Probe, prompt: "" };
    let answer = |fault: Option<_>| match fault {
        None => Json(body).into_response(),
        Some(fault) => Error::from(fault).into_response(),
    };
    world.answer(turn, answer).await
}

/// `POST /sdcpp/v1/img_gen`.
pub(super) async fn begin(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    let wanted = match Fields::body(arrived).and_then(order::read) {
        Ok(wanted) => wanted,
        Err(wrong) => return Error::from(wrong).into_response(),
    };
    let prompt = wanted.prompt.clone();
    let turn = Turn { provider: NAME, call: Call::Submit, prompt: &prompt };
    let answer = |fault: Option<_>| match fault {
        None => (StatusCode::ACCEPTED, Json(begun(&world, wanted))).into_response(),
        Some(fault) => Error::from(fault).into_response(),
    };
    world.answer(turn, answer).await
}

fn begun(world: &World, wanted: Wanted) -> Value {
    let number = world.number();
    let id = format!("job_{:x}_{number:08}", world.now_s());
    let created = world.now_s();
    world.begin_task(id.clone(), wanted, json!({ "created": created }));
    json!({
        "id": id,
        "kind": "img_gen",
        "status": "queued",
        "created": created,
        "poll_url": format!("/sdcpp/v1/jobs/{id}"),
    })
}

/// `GET /sdcpp/v1/jobs/{id}`.
pub(super) async fn show(State(world): State<Arc<World>>, Path(id): Path<String>) -> Response {
    let task = world.tasks.find(NAME, &id);
    let prompt = task.as_ref().map_or("", |task| &task.wanted.prompt);
    let turn = Turn { provider: NAME, call: Call::Poll, prompt };
    let answer = |fault: Option<crate::fault::Fault>| {
        let progress = world.tasks.ask(NAME, &id, fault);
        match (fault.filter(|fault| !fault.name.is_of_a_task()), &task, progress) {
            (Some(fault), _, _) => Error::from(fault).into_response(),
            (_, None, _) | (_, _, Progress::Lost) => {
                Error::new(StatusCode::NOT_FOUND, "job not found").into_response()
            }
            (_, _, Progress::Expired) => {
                Error::new(StatusCode::GONE, "job expired").into_response()
            }
            (_, Some(task), progress) => Json(shown(&world, task, progress)).into_response(),
        }
    };
    world.answer(turn, answer).await
}

/// `POST /sdcpp/v1/jobs/{id}/cancel`.
pub(super) async fn cancel(State(world): State<Arc<World>>, Path(id): Path<String>) -> Response {
    let found = world.tasks.find(NAME, &id);
    match (found, world.tasks.cancel(NAME, &id)) {
        (None, _) | (_, Progress::Lost) => {
            Error::new(StatusCode::NOT_FOUND, "job not found").into_response()
        }
        (Some(task), Progress::Running | Progress::Cancelled) => {
            Json(shown(&world, &task, Progress::Cancelled)).into_response()
        }
        _ => Error::new(StatusCode::CONFLICT, "job cannot be cancelled").into_response(),
    }
}

/// The current state of a job.
fn shown(world: &World, task: &Task, progress: Progress) -> Value {
    let (status, result, error) = match progress {
        Progress::Queued => ("queued", Value::Null, Value::Null),
        Progress::Ready => ("completed", result(world, &task.wanted), Value::Null),
        Progress::Running => ("generating", Value::Null, Value::Null),
        Progress::Cancelled => ("cancelled", Value::Null, failure("cancelled", "job cancelled")),
        _ => {
            let message = "generate_image returned no results";
            ("failed", Value::Null, failure("generation_failed", message))
        }
    };
    let now = |is_so: bool| if is_so { world.now_s().into() } else { Value::Null };
    json!({
        "id": task.id,
        "kind": "img_gen",
        "status": status,
        "created": task.order.get("created"),
        "started": now(status != "queued" && status != "cancelled"),
        "completed": now(!matches!(progress, Progress::Queued | Progress::Running)),
        "queue_position": u8::from(progress == Progress::Queued),
        "result": result,
        "error": error,
    })
}

fn failure(code: &str, message: &str) -> Value {
    json!({ "code": code, "message": message })
}

fn result(world: &World, wanted: &Wanted) -> Value {
    let delivery = world.deliver(wanted);
    let images = (0..).zip(&delivery.files);
    let images: Vec<_> = images
        .map(|(index, file): (u64, _)| json!({ "index": index, "b64_json": file.base64 }))
        .collect();
    json!({ "output_format": "png", "images": images })
}
