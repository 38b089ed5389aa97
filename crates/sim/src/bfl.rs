//! Black Forest Labs: a task can only be polled at the address that the submission returned, on the
//! cluster that does the work.

mod errors;
mod models;
mod tasks;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::world::World;

/// The provider's name in faults, records and counts.
const NAME: &str = "bfl";

/// The routes of the protocol.
pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/v1/credits", get(tasks::credits))
        .route("/v1/{endpoint}", post(tasks::submit))
        .route("/us1/v1/get_result", get(tasks::result))
        // The address that all clusters share does not know any cluster's tasks.
        .route("/v1/get_result", get(tasks::unknown))
        .fallback(errors::unknown_address)
        .with_state(world)
}
