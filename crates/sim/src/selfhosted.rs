//! Servers for open models with their own variants of OpenAI's Images API: vLLM-Omni and SGLang.
//! They accept more fields, need no keys, and report errors as FastAPI does.

mod accent;
mod errors;
mod order;

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use crate::arrived::Arrived;
use crate::fault::{Call, Fault};
use crate::world::{Turn, World};
use accent::{Accent, SGLANG, VLLM};
use errors::Error;
use order::Order;

/// The routes of vLLM-Omni.
pub(crate) fn vllm(world: Arc<World>) -> Router {
    router(world, &VLLM)
}

/// The routes of SGLang.
pub(crate) fn sglang(world: Arc<World>) -> Router {
    router(world, &SGLANG)
}

/// A server.
#[derive(Clone, Debug)]
struct Server {
    world: Arc<World>,
    accent: &'static Accent,
}

fn router(world: Arc<World>, accent: &'static Accent) -> Router {
    Router::new()
        .route("/v1/images/edits", post(edits))
        .route("/v1/images/generations", post(generations))
        .route("/v1/models", get(models))
        .fallback(errors::not_found)
        .with_state(Server { world, accent })
}

async fn edits(State(server): State<Server>, arrived: Arrived) -> Response {
    let origin = arrived.origin();
    match order::of_form(arrived, server.accent) {
        Ok(order) => answer(&server, order, &origin).await,
        Err(error) => error.into_response(),
    }
}

async fn generations(State(server): State<Server>, arrived: Arrived) -> Response {
    let origin = arrived.origin();
    match order::of_json(arrived, server.accent) {
        Ok(order) => answer(&server, order, &origin).await,
        Err(error) => error.into_response(),
    }
}

async fn models(State(server): State<Server>) -> Response {
    let model = json!({ "id": "served-model", "object": "model", "owned_by": server.accent.name });
    let turn = Turn { provider: server.accent.name, call: Call::Probe, prompt: "" };
    let answer = |fault: Option<Fault>| match fault {
        None => Json(json!({ "object": "list", "data": [model] })).into_response(),
        Some(fault) => Error::from(fault).into_response(),
    };
    server.world.answer(turn, answer).await
}

async fn answer(server: &Server, order: Order, origin: &str) -> Response {
    let prompt = &order.wanted.prompt;
    let turn = Turn { provider: server.accent.name, call: Call::Submit, prompt };
    let answer = |fault: Option<Fault>| match fault {
        None => Json(made(server, &order, origin)).into_response(),
        Some(fault) => Error::from(fault).into_response(),
    };
    server.world.answer(turn, answer).await
}

fn made(server: &Server, order: &Order, origin: &str) -> Map<String, Value> {
    let world = &*server.world;
    let delivery = world.deliver(&order.wanted);
    let data: Value = if order.as_address {
        delivery.files.iter().map(|file| json!({ "url": file.address(world, origin) })).collect()
    } else {
        delivery.files.iter().map(|file| json!({ "b64_json": file.base64 })).collect()
    };
    let mut body = Map::new();
    if server.accent.numbers_its_answers {
        body.insert("id".into(), format!("img-{}", world.number()).into());
        body.insert("usage".into(), json!({ "image_count": delivery.files.len() }));
    }
    body.insert("created".into(), world.now_s().into());
    body.insert("data".into(), data);
    body
}
