//! The lifecycle of a task.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use super::errors::{Error, authorised};
use super::{NAME, models};
use crate::arrived::Arrived;
use crate::delivery::Wanted;
use crate::fault::{Call, Fault, FaultName};
use crate::fields::Fields;
use crate::schema::{Reader, find};
use crate::tasks::Progress;
use crate::world::{Turn, World};

/// A seed that needs all 64 bits, like real ones.
const SEED: u64 = 12_784_347_701_123_456_789;

/// `POST /v1/{endpoint}`.
pub(super) async fn submit(
    State(world): State<Arc<World>>,
    Path(endpoint): Path<String>,
    arrived: Arrived,
) -> Response {
    if let Err(error) = authorised(&world, &arrived) {
        return error.into_response();
    }
    let origin = arrived.origin();
    let wanted = match read(arrived, &endpoint) {
        Ok(wanted) => wanted,
        Err(error) => return error.into_response(),
    };
    let prompt = wanted.prompt.clone();
    let turn = Turn { provider: NAME, call: Call::Submit, prompt: &prompt };
    let answer = |fault: Option<Fault>| match fault.map(|fault| fault.name) {
        None => begun(&world, wanted, (None, &origin)),
        Some(FaultName::RefuseContentInput) => {
            begun(&world, wanted, (Some("Request Moderated"), &origin))
        }
        Some(FaultName::RefuseContentOutput) => {
            begun(&world, wanted, (Some("Content Moderated"), &origin))
        }
        Some(_) => fault.map_or_else(Error::not_found, Error::from).into_response(),
    };
    world.answer(turn, answer).await
}

/// `GET /us1/v1/get_result?id=…`.
pub(super) async fn result(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    if let Err(error) = authorised(&world, &arrived) {
        return error.into_response();
    }
    let (origin, id) = (arrived.origin(), arrived.query("id").unwrap_or_default().to_owned());
    let Some(task) = world.tasks.find(NAME, &id) else { return not_found(&id) };
    let answer = |progress| {
        let fate = task.order.get("fate").and_then(Value::as_str);
        let reasons = json!({ "Moderation Reasons": ["Violence"] });
        match (progress, fate) {
            (Progress::Lost | Progress::Expired, _) => not_found(&id),
            (Progress::Queued, _) => shown(&id, "Pending", (Value::Null, Value::Null)),
            (Progress::Running, _) => shown(&id, "Generating", (Value::Null, Value::Null)),
            (Progress::Failed | Progress::Cancelled, _) => {
                shown(&id, "Error", (Value::Null, Value::Null))
            }
            (Progress::Refused, _) => shown(&id, "Content Moderated", (Value::Null, reasons)),
            (Progress::Ready, Some(fate)) => shown(&id, fate, (Value::Null, reasons)),
            (Progress::Ready, None) => {
                let made = made(&world, &task.wanted, &origin);
                shown(&id, "Ready", (made, Value::Null))
            }
        }
    };
    world.answer_task::<Error>(&task, answer).await
}

/// `GET /v1/get_result` on the host that all clusters share.
pub(super) async fn unknown(arrived: Arrived) -> Response {
    not_found(arrived.query("id").unwrap_or_default())
}

/// `GET /v1/credits`.
pub(super) async fn credits(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    if let Err(error) = authorised(&world, &arrived) {
        return error.into_response();
    }
    let turn = Turn { provider: NAME, call: Call::Probe, prompt: "" };
    let answer = |fault: Option<Fault>| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => Json(json!({ "credits": 1234.5 })).into_response(),
    };
    world.answer(turn, answer).await
}

fn read(arrived: Arrived, endpoint: &str) -> Result<Wanted, Error> {
    let model = find(models::MODELS, endpoint).ok_or_else(Error::not_found)?;
    let uploads = |_: &str| None;
    let reader = Reader { provider: NAME, is_bare: true, uploads: &uploads };
    Ok(reader.read(model, Fields::body(arrived)?)?)
}

fn begun(world: &World, wanted: Wanted, (fate, origin): (Option<&str>, &str)) -> Response {
    let id = format!("00000000-0000-4000-8000-{:012x}", world.number());
    let (width, height) = wanted.size;
    let megapixels = f64::from(width) * f64::from(height) / 1e6;
    world.begin_task(id.clone(), wanted, json!({ "fate": fate }));
    let body = json!({
        "id": id,
        "polling_url": format!("{origin}/{NAME}/us1/v1/get_result?id={id}"),
        "cost": 4.0,
        "input_mp": 1.0,
        "output_mp": megapixels,
    });
    Json(body).into_response()
}

fn made(world: &World, wanted: &Wanted, origin: &str) -> Value {
    let delivery = world.deliver(wanted);
    let sample = delivery.files.first().map(|file| file.address(world, origin));
    json!({
        "sample": sample,
        "prompt": wanted.prompt,
        "seed": SEED,
        "start_time": 1_795_200_000.1,
        "end_time": 1_795_200_004.2,
        "duration": 4.1,
    })
}

fn shown(id: &str, status: &str, (result, details): (Value, Value)) -> Response {
    let body = json!({
        "id": id,
        "status": status,
        "result": result,
        "progress": null,
        "details": details,
    });
    Json(body).into_response()
}

fn not_found(id: &str) -> Response {
    let mut response = shown(id, "Task not found", (Value::Null, Value::Null));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}
