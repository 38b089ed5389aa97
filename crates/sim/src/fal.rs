//! fal's queue: every submission is accepted, and errors in it appear in its result.

mod errors;
mod models;
mod requests;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::Method;

use crate::arrived::Arrived;
use crate::world::World;

/// The provider's name in faults, records and counts.
const NAME: &str = "fal";

/// The routes of the queue. Application names may contain slashes, so one handler parses the whole
/// path.
pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new().fallback(route).with_state(world)
}

async fn route(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    if let Err(error) = errors::authorised(&world, &arrived) {
        return error.into_response();
    }
    let path = arrived.path.trim_matches('/').to_owned();
    let segments: Vec<&str> = path.split('/').collect();
    match (&arrived.method, segments.as_slice()) {
        (&Method::GET, [owner, app, "requests", id, "status"]) => {
            requests::status(&world, &arrived, (&format!("{owner}/{app}"), id)).await
        }
        (&Method::GET, [_, _, "requests", id]) => requests::result(&world, &arrived, id).await,
        (&Method::PUT, [_, _, "requests", id, "cancel"]) => requests::cancel(&world, id),
        (&Method::POST, [_, _, ..]) => requests::submit(&world, arrived, &path).await,
        _ => errors::Error::not_found("Not Found").into_response(),
    }
}
