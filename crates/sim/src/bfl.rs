//! Black Forest Labs: a task is asked for at the address that its submission named, on the cluster
//! that does the work, and nowhere else.

mod errors;
mod models;
mod tasks;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::world::World;

/// What faults, records and counts call the vendor.
const NAME: &str = "bfl";

/// The routes of the protocol.
pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/v1/credits", get(tasks::credits))
        .route("/v1/{endpoint}", post(tasks::submit))
        .route("/us1/v1/get_result", get(tasks::result))
        // The address that all clusters share knows no task of any of them.
        .route("/v1/get_result", get(tasks::unknown))
        .fallback(errors::unknown_address)
        .with_state(world)
}
