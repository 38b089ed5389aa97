//! How many calls, how they ended, how long they took.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;

/// Counts and times the call under the template of its route, never under what a caller wrote.
pub async fn layer(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = request.method().clone();
    let started = Instant::now();
    let response = next.run(request).await;
    let route = route.as_ref().map_or("(none)", MatchedPath::as_str);
    let status = response.status().as_u16();
    app.metrics.request_done(&method, route, (status, started.elapsed()));
    tracing::debug!(
        %method,
        route,
        status,
        duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        "answered"
    );
    response
}
