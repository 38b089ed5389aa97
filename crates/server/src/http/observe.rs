//! Metrics and traces of calls: their number, outcome and duration.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use tracing::Instrument;

use super::request_id;
use crate::app::App;
use crate::error::Code;
use crate::metrics::RequestDone;
use crate::telemetry::spans;

/// Records the call under the template of its route, never under a path that a caller chose.
pub async fn around<W: Future<Output = Response>>(
    app: &App,
    request: Request,
    next: impl FnOnce(Request) -> W,
) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("(none)", MatchedPath::as_str);
    let method = request.method().clone();
    let span = spans::of_call(app.settings.traces.as_ref(), &method, route, request.headers());
    request_id::note_trace(&span);
    let started = Instant::now();
    let response = next(request).instrument(span.clone()).await;
    spans::answered(&span, response.status());
    let status = response.status().as_u16();
    if let Some(code) = response.extensions().get::<Code>() {
        app.metrics.answered_error(code.row().name);
    }
    let took = started.elapsed();
    app.metrics.request_done(&RequestDone { method: &method, route, status, took });
    tracing::debug!(
        %method,
        route,
        status,
        duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        "request finished"
    );
    response
}
