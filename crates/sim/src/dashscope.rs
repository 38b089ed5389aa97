//! The protocol of Alibaba's DashScope: Qwen-Image returns addresses, and Wan returns tasks.

mod content;
mod errors;
mod inputs;
mod messages;
mod models;
mod prompts;
mod reply;
mod tasks;
mod videos;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::world::World;

/// The provider's name in faults, records and counts.
const NAME: &str = "dashscope";

/// The routes of the protocol.
pub(crate) fn router(world: Arc<World>) -> Router {
    let service = |path: &str| format!("/api/v1/services/aigc/{path}");
    Router::new()
        .route(&service("multimodal-generation/generation"), post(messages::at_once))
        .route(&service("image-generation/generation"), post(messages::as_task))
        .route(&service("image2image/image-synthesis"), post(prompts::out_of_pictures))
        .route(&service("text2image/image-synthesis"), post(prompts::out_of_words))
        .route(&service("video-generation/video-synthesis"), post(videos::synthesis))
        .route("/api/v1/tasks", get(tasks::list))
        .route("/api/v1/tasks/{id}", get(tasks::look_up))
        .route("/api/v1/tasks/{id}/cancel", post(tasks::cancel))
        .fallback(errors::unknown_address)
        .with_state(world)
}
