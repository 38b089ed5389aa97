//! The OpenAI Images protocol: edits as forms, generations as JSON, models, streaming.
//!
//! A handler goes like this: who asks ([`errors::Error`] where the key is wrong), what is asked for
//! (strictly), then [`World::answer`] with the vendor's answer to every fault it has words for.

mod answer;
mod edits;
mod errors;
mod generations;
mod models;
mod order;
mod stream;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::world::World;

/// What faults, records and counts call the vendor.
const NAME: &str = "openai";

/// The routes of the protocol.
pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/v1/images/edits", post(edits::edits))
        .route("/v1/images/generations", post(generations::generations))
        .route("/v1/models", get(models::all))
        .route("/v1/models/{id}", get(models::one))
        .fallback(errors::unknown_address)
        .with_state(world)
}
