//! OpenAI's Images API at `/v1`, so that programs written for it work with this service.
//!
//! This is a second protocol for the same flow: `request` translates what callers send into a
//! [`Submission`](crate::edits::Submission), and `answer` and `events` write what they get from its
//! [`Answer`](crate::edits::Answer)s. Prices, limits, balances and records are those of `/api`.
//! docs/openai.md describes what becomes of each parameter.

mod answer;
mod errors;
mod events;
mod fields;
mod form;
pub mod images;
pub mod models;
mod request;
mod retries;
mod run;
pub mod schema;

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;

use crate::app::App;
use crate::http::rates;
use crate::http::route::{get, post};

/// How long the answer took, in milliseconds.
const PROCESSING_MS: HeaderName = HeaderName::from_static("openai-processing-ms");

/// The routes of this protocol.
pub fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let charging = from_fn_with_state(Arc::clone(app), rates::layer);
    Router::new()
        .route("/v1/images/generations", post(images::generate_images).layer(charging.clone()))
        .route("/v1/images/edits", post(images::edit_images).layer(charging))
        .route("/v1/models", get(models::list_models_openai))
        .route("/v1/models/{id}", get(models::find_model_openai))
        .layer(from_fn(timed))
}

/// Adds the time that the answer took.
async fn timed(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let mut response = next.run(request).await;
    let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    response.headers_mut().insert(PROCESSING_MS, HeaderValue::from(ms));
    response
}
