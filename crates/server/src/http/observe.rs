//! Metrics and traces of calls: their number, outcome and duration.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::response::Response;
use tracing::Span;

use super::request_id;
use crate::app::App;
use crate::error::Code;
use crate::metrics::RequestDone;
use crate::telemetry::spans;

/// A call in progress, which is recorded under the template of its route, never under a path that a
/// caller chose.
pub struct Observed {
    /// Its span in the trace.
    pub span: Span,
    route: Option<MatchedPath>,
    method: Method,
    started: Instant,
}

impl Observed {
    /// Begins to observe a call.
    pub fn begin(app: &App, request: &Request) -> Self {
        let path = request.extensions().get::<MatchedPath>().cloned();
        let method = request.method().clone();
        let traces = app.settings.traces.as_ref();
        let span = spans::of_call(traces, &method, template(path.as_ref()), request.headers());
        request_id::note_trace(&span);
        Self { span, route: path, method, started: Instant::now() }
    }

    /// Records the outcome.
    pub fn end(self, app: &App, response: &Response) {
        let Self { span, route, method, started } = self;
        spans::answered(&span, response.status());
        let (route, status) = (template(route.as_ref()), response.status().as_u16());
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
    }
}

fn template(route: Option<&MatchedPath>) -> &str {
    route.map_or("(none)", MatchedPath::as_str)
}
