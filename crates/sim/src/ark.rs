//! The protocol of Volcengine Ark and BytePlus: Seedream returns images in the response or as a
//! stream of events, and Seedance makes videos as tasks.

mod errors;
mod images;
mod inputs;
mod order;
mod seedance;
mod seedream;
mod stream;
mod tasks;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::world::World;

/// The provider's name in faults, records and counts.
const NAME: &str = "ark";

/// The routes of the protocol.
pub(crate) fn router(world: Arc<World>) -> Router {
    let task = get(tasks::look_up).delete(tasks::delete);
    Router::new()
        .route("/api/v3/images/generations", post(images::generations))
        .route("/api/v3/contents/generations/tasks", get(tasks::list).post(tasks::create))
        .route("/api/v3/contents/generations/tasks/{id}", task)
        .fallback(errors::unknown_address)
        .with_state(world)
}
