//! The simulator's own routes: planned faults, recorded requests, counts and result files.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::{StatusCode, header};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::fault::{Call, FaultName};
use crate::faults::Plan;
use crate::protocols::PROTOCOLS;
use crate::world::{Turn, World};

/// The routes below `/_sim`.
pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/faults", get(planned).post(plan).delete(forget_plans))
        .route("/requests", get(requests).delete(forget_requests))
        .route("/counts", get(counts).delete(forget_counts))
        .route("/tasks", axum::routing::delete(forget_tasks))
        .route("/files/{provider}/{name}", get(file))
        .route("/loop/{name}", get(turn_around))
        .with_state(world)
}

async fn planned(State(world): State<Arc<World>>) -> Json<Vec<Plan>> {
    Json(world.faults.planned())
}

async fn plan(State(world): State<Arc<World>>, Json(plan): Json<Plan>) -> (StatusCode, String) {
    let wanted = plan.provider.as_deref();
    if wanted.is_some_and(|provider| PROTOCOLS.iter().all(|known| known.name != provider)) {
        return (
            StatusCode::UNPROCESSABLE_ENTITY,
            "there is no protocol with this name".to_owned(),
        );
    }
    if plan.fault == FaultName::Slow && plan.ms == 0 {
        return (StatusCode::UNPROCESSABLE_ENTITY, "slow requires ms".to_owned());
    }
    if world.faults.plan(plan) {
        (StatusCode::CREATED, String::new())
    } else {
        (StatusCode::INSUFFICIENT_STORAGE, "too many faults are planned".to_owned())
    }
}

async fn forget_plans(State(world): State<Arc<World>>) {
    world.faults.clear();
}

#[derive(Debug, Deserialize)]
struct Whose {
    provider: Option<String>,
}

async fn requests(State(world): State<Arc<World>>, Query(whose): Query<Whose>) -> Json<Value> {
    Json(json!(world.records.all(whose.provider.as_deref())))
}

async fn forget_requests(State(world): State<Arc<World>>) {
    world.records.clear();
}

async fn counts(State(world): State<Arc<World>>) -> Json<Value> {
    Json(json!(world.counts.rows()))
}

async fn forget_counts(State(world): State<Arc<World>>) {
    world.counts.clear();
}

async fn forget_tasks(State(world): State<Arc<World>>) {
    world.tasks.clear();
}

/// A result file. As with the providers' signed URLs, no key is needed.
async fn file(
    State(world): State<Arc<World>>,
    Path((provider, name)): Path<(String, String)>,
) -> Response {
    let provider = PROTOCOLS.iter().find(|protocol| protocol.name == provider);
    let (Some(provider), Some(file)) = (provider, world.files.find(&name)) else {
        return (StatusCode::NOT_FOUND, "file not found").into_response();
    };
    let turn = Turn { provider: provider.name, call: Call::File, prompt: &file.prompt };
    let answer = |fault: Option<_>| match fault {
        None => ([(header::CONTENT_TYPE, file.media_type)], file.bytes.clone()).into_response(),
        Some(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    };
    world.answer(turn, answer).await
}

async fn turn_around(Path(name): Path<String>) -> Redirect {
    Redirect::temporary(&format!("/_sim/loop/{name}"))
}
