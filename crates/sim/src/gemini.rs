//! Google's Gemini protocol: `generateContent` for images, and Veo's operations.
//!
//! Every route exists under `/v1` and `/v1beta`, because Google's clients use both. Field names may
//! be in camel case or snake case, as on Google's own servers ([`spelling`]).

mod answer;
mod errors;
mod frame;
mod models;
mod operations;
mod order;
mod spelling;
mod video;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::arrived::Arrived;
use crate::world::World;
use errors::Error;

/// The provider's name in faults, records and counts.
const NAME: &str = "gemini";
/// Largest request, in bytes.
const REQUEST_BYTES_MAX: usize = 20 << 20;

/// The routes.
pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/{version}/models", get(models::all))
        .route("/{version}/models/{model}", get(models::one).post(call))
        .route("/{version}/models/{model}/operations/{id}", get(operations::one))
        .route("/{version}/files/{file}", get(operations::download))
        .fallback(nothing_here)
        .with_state(world)
}

/// `POST /{version}/models/{model}:{method}`.
async fn call(
    State(world): State<Arc<World>>,
    Path((version, model_and_method)): Path<(String, String)>,
    arrived: Arrived,
) -> Response {
    let Some((model, method)) = model_and_method.split_once(':') else {
        return nothing_here().await.into_response();
    };
    let known = check_version(&version)
        .and_then(|()| authorised(&world, &arrived))
        .and_then(|()| check_length(&arrived))
        .and_then(|()| models::find(&version, model, method));
    match (known, method) {
        (Err(error), _) => error.into_response(),
        (Ok(model), "generateContent") => answer::generate(&world, model, arrived).await,
        (Ok(model), _) => operations::begin(&world, model, arrived).await,
    }
}

/// Checks the key, in the header or in the query.
fn authorised(world: &World, arrived: &Arrived) -> Result<(), Error> {
    match arrived.header("x-goog-api-key").or_else(|| arrived.query("key")) {
        None | Some("") => Err(Error::no_key()),
        Some(key) if world.knows_key(key) => Ok(()),
        Some(_) => Err(Error::bad_key()),
    }
}

fn check_version(version: &str) -> Result<(), Error> {
    if ["v1", "v1beta"].contains(&version) { Ok(()) } else { Err(Error::nothing_here()) }
}

fn check_length(arrived: &Arrived) -> Result<(), Error> {
    let length = arrived.header("content-length").and_then(|length| length.parse().ok());
    let fits = length.is_none_or(|length: usize| length <= REQUEST_BYTES_MAX);
    if fits { Ok(()) } else { Err(Error::too_long(REQUEST_BYTES_MAX)) }
}

async fn nothing_here() -> Error {
    Error::nothing_here()
}
