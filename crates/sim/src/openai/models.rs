//! The models and what each can do.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::errors::{Error, with_headers};
use super::flavour::{Flavour, Server};
use crate::arrived::Arrived;
use crate::fault::Call;
use crate::world::Turn;

/// Models with the same sizes and fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Generation {
    /// Three sizes, and `input_fidelity`.
    One,
    /// The small model: three sizes, and `input_fidelity` only as low.
    OneMini,
    /// Any size within limits.
    Two,
    /// Like `Two`, with more qualities.
    TwoAndAHalf,
}

/// The available models.
const MODELS: [(&str, Generation); 10] = [
    ("gpt-image-1-mini", Generation::OneMini),
    ("gpt-image-1.5", Generation::One),
    ("gpt-image-2", Generation::Two),
    ("gpt-image-2-2026-04-21", Generation::Two),
    ("gpt-image-2.5-sunburst", Generation::TwoAndAHalf),
    ("gpt-image-2.5-flare", Generation::TwoAndAHalf),
    ("gpt-image-2.5-flare-2026-09-08", Generation::TwoAndAHalf),
    ("gpt-image-2.6-sunburst", Generation::TwoAndAHalf),
    ("gpt-image-2.6-flare", Generation::TwoAndAHalf),
    ("chatgpt-image-latest", Generation::TwoAndAHalf),
];

/// Deployments at Azure whose name starts with this do not exist. All other names do.
const NO_DEPLOYMENT: &str = "no-such";

/// What a model can do, if it exists. Azure's names are those of deployments: they have the model
/// that they are named after, or else the one with the fewest sizes.
pub(super) fn find(model: &str, flavour: Flavour) -> Result<Generation, Error> {
    let found = MODELS.iter().find(|(id, _)| *id == model);
    match (found, flavour) {
        (Some((_, generation)), _) => Ok(*generation),
        (None, Flavour::OpenAi) => Err(Error::unknown_model(model)),
        (None, Flavour::Azure) if model.starts_with(NO_DEPLOYMENT) => Err(Error::no_deployment()),
        (None, Flavour::Azure) => Ok(Generation::One),
    }
}

/// `GET /v1/models`.
pub(super) async fn all(State(server): State<Server>, arrived: Arrived) -> Response {
    if let Err(error) = server.authorise(&arrived) {
        return server.tell(error);
    }
    let models: Vec<_> = MODELS.iter().map(|(id, _)| model(id)).collect();
    answer(&server, json!({ "object": "list", "data": models })).await
}

/// `GET /v1/models/{id}`.
pub(super) async fn one(
    State(server): State<Server>,
    Path(id): Path<String>,
    arrived: Arrived,
) -> Response {
    match server.authorise(&arrived).and_then(|()| find(&id, server.flavour)) {
        Ok(_) => answer(&server, model(&id)).await,
        Err(error) => server.tell(error),
    }
}

/// The models that will be shut down, with the date (OpenAI's deprecations page).
const ENDING: [(&str, &str); 3] = [
    ("gpt-image-1-mini", "2026-12-01"),
    ("gpt-image-1.5", "2026-12-01"),
    ("chatgpt-image-latest", "2026-12-01"),
];

fn model(id: &str) -> Value {
    let ending = ENDING.iter().find(|(ending, _)| *ending == id).map(|(_, day)| *day);
    json!({
        "id": id, "object": "model", "created": 1_745_000_000, "owned_by": "system",
        "shutdown_date": ending,
    })
}

async fn answer(server: &Server, body: Value) -> Response {
    let turn = Turn { provider: server.flavour.name(), call: Call::Probe, prompt: "" };
    let answer = |fault| match fault {
        None => with_headers(Json(body).into_response()),
        Some(fault) => server.tell(Error::from(fault)),
    };
    server.world.answer(turn, answer).await
}
