//! The lifecycle of a request in the queue.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};

use super::errors::Error;
use super::{NAME, models};
use crate::arrived::Arrived;
use crate::delivery::{Kind, Wanted};
use crate::fault::{Call, Fault, FaultName};
use crate::fields::{FieldError, Fields};
use crate::picture::{Format, seed};
use crate::schema::{Model, Reader, find};
use crate::tasks::{Progress, Task};
use crate::world::{Turn, World};

/// `POST /OWNER/APP/…`: queued, even if the model will reject it.
pub(super) async fn submit(world: &World, arrived: Arrived, path: &str) -> Response {
    let Some(model) = find(models::MODELS, path) else {
        return Error::not_found(&format!("Application '{path}' not found")).into_response();
    };
    let origin = arrived.origin();
    let app = path.splitn(3, '/').take(2).collect::<Vec<_>>().join("/");
    let wanted = match read(model, arrived) {
        Ok(wanted) => wanted,
        // The queue does not parse what it passes on.
        Err(wrong) => return queued(world, (nothing(), Some(wrong.into())), (&origin, &app)),
    };
    let prompt = wanted.prompt.clone();
    let turn = Turn { provider: NAME, call: Call::Submit, prompt: &prompt };
    let answer = |fault: Option<Fault>| match fault.map(|fault| (fault, of_model(fault.name))) {
        None => queued(world, (wanted, None), (&origin, &app)),
        Some((_, Some(error))) => queued(world, (wanted, Some(error)), (&origin, &app)),
        Some((fault, None)) => Error::from(fault).into_response(),
    };
    world.answer(turn, answer).await
}

/// `GET /OWNER/APP/requests/ID/status`.
pub(super) async fn status(world: &World, arrived: &Arrived, (app, id): (&str, &str)) -> Response {
    let Some(task) = world.tasks.find(NAME, id).filter(|task| app_of(task) == app) else {
        return unknown();
    };
    let origin = arrived.origin();
    let answer = |progress| match progress {
        Progress::Lost | Progress::Expired => unknown(),
        Progress::Queued => waiting("IN_QUEUE", &task, &origin),
        Progress::Running => waiting("IN_PROGRESS", &task, &origin),
        Progress::Failed => ended(world, &task, Some(broken())),
        Progress::Refused => ended(world, &task, Some(refused())),
        Progress::Ready | Progress::Cancelled => ended(world, &task, None),
    };
    world.answer_task::<Error>(&task, answer).await
}

/// `GET /OWNER/APP/requests/ID`: the model's result or its error.
pub(super) async fn result(world: &World, arrived: &Arrived, id: &str) -> Response {
    let Some(task) = world.tasks.find(NAME, id) else { return unknown() };
    if task.rounds_left > 0 {
        let message = "Request is still in progress";
        return (StatusCode::BAD_REQUEST, Json(json!({ "detail": message }))).into_response();
    }
    let turn = Turn { provider: NAME, call: Call::Result, prompt: &task.wanted.prompt };
    let answer = |fault: Option<Fault>| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => match task.order.get("error").and_then(Error::from_value) {
            Some(error) => error.into_response(),
            None => output(world, &task.wanted, &arrived.origin()),
        },
    };
    let mut response = world.answer(turn, answer).await;
    if let Ok(id) = HeaderValue::from_str(id) {
        response.headers_mut().insert("x-fal-request-id", id);
    }
    response
}

/// `PUT /OWNER/APP/requests/ID/cancel`.
pub(super) fn cancel(world: &World, id: &str) -> Response {
    let (status, text) = match world.tasks.cancel(NAME, id) {
        Progress::Lost => (StatusCode::NOT_FOUND, "NOT_FOUND"),
        Progress::Running => (StatusCode::ACCEPTED, "CANCELLATION_REQUESTED"),
        _ => (StatusCode::BAD_REQUEST, "ALREADY_COMPLETED"),
    };
    (status, Json(json!({ "status": text }))).into_response()
}

fn read(model: &Model, arrived: Arrived) -> Result<Wanted, FieldError> {
    let reader = Reader { provider: NAME, is_bare: false, uploads: &|_| None };
    reader.read(model, Fields::body(arrived)?)
}

fn queued(
    world: &World,
    (wanted, error): (Wanted, Option<Error>),
    (origin, app): (&str, &str),
) -> Response {
    let id = format!("00000000-0000-4000-8000-{:012x}", world.number());
    let error = error.map(Error::into_value);
    let task = world.begin_task(id, wanted, json!({ "app": app, "error": error }));
    let mut body = described(&task, origin);
    body["status"] = json!("IN_QUEUE");
    body["queue_position"] = json!(0);
    body["gateway_request_id"] = json!(task.id);
    Json(body).into_response()
}

fn waiting(status: &str, task: &Task, origin: &str) -> Response {
    let mut body = described(task, origin);
    body["status"] = json!(status);
    if status == "IN_QUEUE" {
        body["queue_position"] = json!(1);
    } else {
        body["logs"] = json!([]);
    }
    (StatusCode::ACCEPTED, Json(body)).into_response()
}

/// Completed, successfully or not. An error is stored for the result.
fn ended(world: &World, task: &Task, error: Option<Error>) -> Response {
    if let Some(error) = error {
        let order = json!({ "app": app_of(task), "error": error.into_value() });
        world.tasks.end(NAME, &task.id, order);
    }
    let metrics = json!({ "inference_time": 4.2 });
    let body = json!({
        "status": "COMPLETED",
        "request_id": task.id,
        "logs": [],
        "metrics": metrics,
    });
    Json(body).into_response()
}

fn described(task: &Task, origin: &str) -> Value {
    let at = format!("{origin}/{NAME}/{}/requests/{}", app_of(task), task.id);
    json!({
        "request_id": task.id,
        "response_url": at,
        "status_url": format!("{at}/status"),
        "cancel_url": format!("{at}/cancel"),
    })
}

fn output(world: &World, wanted: &Wanted, origin: &str) -> Response {
    let delivery = world.deliver(wanted);
    let file = |(number, file): (usize, &crate::delivery::Delivered)| {
        let name = format!("{number}.{}", file.extension);
        json!({
            "url": file.address(world, origin),
            "content_type": file.media_type,
            "file_name": name,
            "file_size": file.bytes.len(),
            "width": file.size.0,
            "height": file.size.1,
        })
    };
    let files: Vec<Value> = delivery.files.iter().enumerate().map(file).collect();
    let nsfw = vec![false; files.len()];
    let body = match wanted.kind {
        Kind::Video => json!({ "video": files.into_iter().next(), "seed": 7 }),
        Kind::Picture(_) => json!({
            "images": files,
            "seed": 7,
            "timings": {},
            "has_nsfw_concepts": nsfw,
            "prompt": wanted.prompt,
            "description": delivery.text.unwrap_or_default(),
        }),
    };
    Json(body).into_response()
}

/// Faults of a submission that the queue accepts and the model rejects.
fn of_model(fault: FaultName) -> Option<Error> {
    match fault {
        FaultName::RefuseContentInput | FaultName::RefuseContentOutput => Some(refused()),
        FaultName::RefuseParameters => {
            let (kind, message) = ("image_too_small", "Image too small");
            Some(Error::of_model(StatusCode::UNPROCESSABLE_ENTITY, kind, message))
        }
        _ => None,
    }
}

fn refused() -> Error {
    let message = "The content could not be processed because it contained material flagged by a \
                   content checker.";
    Error::of_model(StatusCode::UNPROCESSABLE_ENTITY, "content_policy_violation", message)
}

fn broken() -> Error {
    let (kind, message) = ("no_media_generated", "The model generated no media");
    Error::of_model(StatusCode::UNPROCESSABLE_ENTITY, kind, message)
}

fn unknown() -> Response {
    Error::not_found("Request not found").into_response()
}

fn app_of(task: &Task) -> &str {
    task.order.get("app").and_then(Value::as_str).unwrap_or_default()
}

/// The order for a request that cannot be parsed.
fn nothing() -> Wanted {
    Wanted {
        provider: NAME,
        prompt: String::new(),
        seed: seed::<&[u8]>("", &[]),
        count: 0,
        size: (64, 64),
        kind: Kind::Picture(Format::Png),
    }
}
