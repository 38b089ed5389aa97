//! The OpenAI Images protocol: edits as forms, generations as JSON, models, streaming.
//!
//! A handler goes like this: who asks ([`flavour::Server::authorise`]), what is asked for
//! (strictly), then [`World::answer`] with the vendor's answer to every fault it has words for.

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

/// The routes of `OpenAI` itself.
pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/v1/images/edits", post(edits::edits))
        .route("/v1/images/generations", post(generations::generations))
        .route("/v1/models", get(models::all))
        .route("/v1/models/{id}", get(models::one))
        .fallback(errors::unknown_address)
        .with_state(Server { world, flavour: Flavour::OpenAi })
}

/// The routes of Azure: those of deployments, and those of its newer style, `/openai/v1`.
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
