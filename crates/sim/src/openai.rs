//! The OpenAI Images API: edits as forms, generations as JSON, models and streaming.
//!
//! Each handler checks the key ([`flavour::Server::authorise`]), parses the request strictly, and
//! calls [`World::answer`] with the response for each fault that the provider reports itself.

mod answer;
mod edits;
mod errors;
mod flavour;
mod generations;
mod models;
mod order;
mod stream;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::world::World;
use flavour::{Flavour, Server};

/// The routes of OpenAI itself.
pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/v1/images/edits", post(edits::edits))
        .route("/v1/images/generations", post(generations::generations))
        .route("/v1/models", get(models::all))
        .route("/v1/models/{id}", get(models::one))
        .fallback(errors::unknown_address)
        .with_state(Server { world, flavour: Flavour::OpenAi })
}

/// The routes of Azure: those of deployments, and the newer ones below `/openai/v1`.
pub(crate) fn azure(world: Arc<World>) -> Router {
    Router::new()
        .route("/openai/deployments/{name}/images/edits", post(edits::at_deployment))
        .route("/openai/deployments/{name}/images/generations", post(generations::at_deployment))
        .route("/openai/models", get(models::all))
        .route("/openai/v1/images/edits", post(edits::edits))
        .route("/openai/v1/images/generations", post(generations::generations))
        .route("/openai/v1/models", get(models::all))
        .fallback(errors::unknown_address)
        .with_state(Server { world, flavour: Flavour::Azure })
}
