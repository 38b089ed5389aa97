//! What surrounds each call. One layer, because each layer of axum allocates and moves the request several
//! times. Each nested future may hold the request again, so most work before and after the call is in plain
//! functions.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracing::Instrument;

use crate::app::App;
use crate::http::compress::Compression;
use crate::http::observe::Observed;
use crate::http::request_id::Ids;
use crate::http::{guard, host, rates};
use crate::web;

/// Handles a call: the response has its ids and the security headers, and may be compressed.
pub(super) async fn call(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let ids = Ids::assigned(&app, request.headers());
    let compression = Compression::of(&request);
    let is_in_window = guard::is_in_window(request.uri());
    let response = ids.within(app.live(), observed(&app, request, next)).await;
    let mut response = compression.apply(response).await;
    guard::add_headers(&app, is_in_window, response.headers_mut());
    ids.add_to(response.headers_mut());
    response
}

/// Handles a call whose outcome goes into the metrics and the trace.
async fn observed(app: &App, request: Request, next: Next) -> Response {
    let observed = Observed::begin(app, &request);
    let response = admitted(app, request, next).instrument(observed.span.clone()).await;
    observed.end(app, &response);
    response
}

/// Handles a call, unless its host or a rate limit refuses it.
async fn admitted(app: &App, request: Request, next: Next) -> Response {
    if let Err(refusal) = host::check(&request) {
        return refusal.into_response();
    }
    let (mut parts, body) = request.into_parts();
    let read = rates::begin_read(app, &mut parts);
    if let Some(refusal) = read.as_ref().and_then(|read| read.refuse_stranger(app, &parts.headers))
    {
        return refusal;
    }
    let reader = web::reader(&parts);
    let mut response = next.run(Request::from_parts(parts, body)).await;
    if let Some(page) = web::problem_for(app, reader, &mut response).await {
        response = page;
    }
    match read {
        Some(read) => read.end(app, response),
        None => response,
    }
}
