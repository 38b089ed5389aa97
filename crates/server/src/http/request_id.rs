//! One id for each request, on every response, so that a caller and a log line can find each other.

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;
use tracing::Instrument;

use crate::app::App;

/// Ours, always.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The caller's own, echoed.
pub const CLIENT_REQUEST_ID: HeaderName = HeaderName::from_static("x-client-request-id");
/// Longest caller's id that is echoed, in bytes.
const CLIENT_ID_BYTES_MAX: usize = 255;

tokio::task_local! {
    static CURRENT: String;
}

/// The id of the request that is being answered on this task.
pub fn current() -> Option<String> {
    CURRENT.try_with(Clone::clone).ok()
}

/// Gives the request its id, and the response both ids.
pub async fn layer(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let id = format!("req_{}", app.ids.edit().0.simple());
    let theirs = request.headers().get(&CLIENT_REQUEST_ID).cloned();
    // Of the highest level, so that no filter takes the id away from an error's line.
    let span = tracing::error_span!("call", request_id = id);
    let mut response = CURRENT.scope(id.clone(), next.run(request)).instrument(span).await;
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
