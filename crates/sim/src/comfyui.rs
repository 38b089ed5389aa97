//! ComfyUI: pictures are uploaded, a graph of nodes is queued, the queue and the history tell how
//! far it is, and files are viewed. It knows neither keys nor money.

mod errors;
mod graph;
mod queue;
mod uploads;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::world::World;

/// What faults, records and counts call the server.
const NAME: &str = "comfyui";

/// The routes of the server, each of which is there under `/api` too.
pub(crate) fn router(world: Arc<World>) -> Router {
    let own = Router::new()
        .route("/upload/image", post(uploads::upload))
        .route("/prompt", post(queue::submit))
        .route("/queue", get(queue::queue))
        .route("/history/{id}", get(queue::history))
        .route("/view", get(uploads::view))
        .route("/system_stats", get(uploads::system_stats));
    own.clone().nest("/api", own).fallback(errors::unknown_address).with_state(world)
}
