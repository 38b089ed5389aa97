//! ComfyUI: images are uploaded, a graph of nodes is queued, the queue and the history show its
//! status, and files are viewed. There are no keys and no billing.

mod errors;
mod graph;
mod queue;
mod uploads;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::world::World;

/// The server's name in faults, records and counts.
const NAME: &str = "comfyui";

/// The routes of the server. Each of them also exists under `/api`.
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
