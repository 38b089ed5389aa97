//! stable-diffusion.cpp's server: its own API with jobs, and its part of OpenAI's API. The real
//! server has its own API at `/sdcpp/v1`. Here, it is at `/sdcpp/v1` and also, with `/sdcpp` as the
//! base URL, at `/sdcpp/sdcpp/v1`.

mod errors;
mod images;
mod jobs;
mod order;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::world::World;

/// The server's name in faults, records and counts.
const NAME: &str = "sdcpp";

/// The routes of the server.
pub(crate) fn router(world: Arc<World>) -> Router {
    let own = Router::new()
        .route("/v1/capabilities", get(jobs::capabilities))
        .route("/v1/img_gen", post(jobs::begin))
        .route("/v1/jobs/{id}", get(jobs::show))
        .route("/v1/jobs/{id}/cancel", post(jobs::cancel));
    let shared = Router::new()
        .route("/v1/images/edits", post(images::edits))
        .route("/v1/images/generations", post(images::generations))
        .route("/v1/models", get(images::models));
    own.clone().nest("/sdcpp", own).merge(shared).with_state(world)
}
