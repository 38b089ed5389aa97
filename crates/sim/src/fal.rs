//! fal's queue: a submission is always taken, and what is wrong with it shows in its result.

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

/// What faults, records and counts call the vendor.
const NAME: &str = "fal";

/// The routes of the queue: applications have names of any length, so that one handler reads the
/// whole path.
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
