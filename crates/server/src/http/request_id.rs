//! One id for each request, on every response, so that a caller and a log line can find each other.

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;
use tracing::{Instrument, Span, field};

use crate::app::App;
use crate::telemetry::spans;

/// Ours, always.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The caller's own, echoed.
pub const CLIENT_REQUEST_ID: HeaderName = HeaderName::from_static("x-client-request-id");
/// Longest caller's id that is echoed, in bytes.
const CLIENT_ID_BYTES_MAX: usize = 255;

/// A request that is being answered: its id, and its span in the log.
#[derive(Clone)]
struct Call {
    id: String,
    span: Span,
}

tokio::task_local! {
    static CURRENT: Call;
}

/// The id of the request that is being answered on this task.
pub fn current() -> Option<String> {
    CURRENT.try_with(|call| call.id.clone()).ok()
}

/// `work`, which goes on in a task of its own, as a part of the call that is being answered: what it
/// logs has the request's id, and its steps belong to the call's trace.
pub fn carry<W: Future>(work: W) -> impl Future<Output = W::Output> {
    let call = CURRENT.try_with(Clone::clone).ok();
    let work = work.in_current_span();
    async move {
        let Some(call) = call else { return work.await };
        let span = call.span.clone();
        CURRENT.scope(call, work).instrument(span).await
    }
}

/// Has the call's lines in the log name the trace that `span` is part of.
pub(super) fn note_trace(span: &Span) {
    if let Some(id) = spans::trace_id(span) {
        // Outside a call there is nobody to tell.
        let _ = CURRENT.try_with(|call| {
            call.span.record("trace_id", field::display(id));
        });
    }
}

/// Gives the request its id, and the response both ids.
pub async fn layer(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let id = format!("req_{}", app.ids.edit().0.simple());
    let theirs = request.headers().get(&CLIENT_REQUEST_ID).cloned();
    // Of the highest level, so that no filter takes the id away from an error's line.
    let span = tracing::error_span!(spans::CALL, request_id = id, trace_id = field::Empty);
    let call = Call { id: id.clone(), span: span.clone() };
    let mut response = CURRENT.scope(call, next.run(request)).instrument(span).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    if let Some(theirs) = theirs.filter(echoable) {
        response.headers_mut().insert(CLIENT_REQUEST_ID, theirs);
    }
    response
}

fn echoable(value: &HeaderValue) -> bool {
    value.len() <= CLIENT_ID_BYTES_MAX && value.as_bytes().iter().all(u8::is_ascii_graphic)
}
