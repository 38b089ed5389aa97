//! Replicate's predictions and files.

mod errors;
mod files;
mod models;
mod order;
mod predictions;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::world::World;

/// The provider's name in faults, records and counts.
const NAME: &str = "replicate";
/// The error of a prediction that was refused for its content.
const SENSITIVE: &str = "The input or output was flagged as sensitive. Please try again with \
                         different inputs. (E005)";

/// The routes of the protocol.
pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/v1/account", get(files::account))
        .route("/v1/files", post(files::upload))
        .route("/v1/files/{id}", get(files::show))
        .route("/v1/models/{owner}/{name}/predictions", post(predictions::of_model))
        .route("/v1/deployments/{owner}/{name}/predictions", post(predictions::of_model))
        .route("/v1/predictions", post(predictions::of_version))
        .route("/v1/predictions/{id}", get(predictions::show))
        .route("/v1/predictions/{id}/cancel", post(predictions::cancel))
        .fallback(errors::unknown_address)
        .with_state(world)
}
