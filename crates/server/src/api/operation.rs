//! Health checks and metrics, for the operator.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::{IntoResponse, Response};
use retouch_core::Timestamp;
use serde::Serialize;
use url::Url;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::host;
use crate::metrics::{Levels, StoredLevels};
use crate::serving;

/// How long to wait for the metrics that come from the database, in milliseconds.
const STORED_MS_MAX: u64 = 1_000;

/// The health of the service.
#[derive(Debug, Serialize, ToSchema)]
pub struct HealthView {
    /// Always `ok`.
    pub status: String,
}

/// Check that the process is alive.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "healthz",
    tag = "Operation",
    responses((status = 200, description = "The process is alive", body = HealthView))
)]
pub async fn healthz() -> Json<HealthView> {
    Json(HealthView { status: "ok".into() })
}

/// Check that the service can serve calls.
///
/// The database and the image store respond, and the process is not stopping.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "readyz",
    tag = "Operation",
    responses(
        (status = 200, description = "The service can serve calls", body = HealthView),
        (status = 503, description = "The service cannot serve calls; the message says why", body = ErrorBody),
    )
)]
pub async fn readyz(State(app): State<Arc<App>>) -> ApiResult<Json<HealthView>> {
    let ready = app.readiness.look(&app).await;
    ready.map_err(|why| ApiError::new(Code::NotReady, why.to_string()))?;
    Ok(healthz().await)
}

/// Get the metrics for Prometheus.
#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "metrics",
    tag = "Operation",
    responses(
        (status = 200, description = "Metrics in the OpenMetrics text format", body = String, content_type = "application/openmetrics-text"),
        (status = 403, description = "The call has no valid token, and does not come directly from the same machine", body = ErrorBody),
    )
)]
pub async fn metrics(State(app): State<Arc<App>>, parts: Parts) -> ApiResult<Response> {
    if !is_local(&app, &parts) && !shows_token(&app, &parts) {
        let message = "Send the token in RETOUCH_METRICS__TOKEN as a bearer token. Without it, \
                       only programs on the same machine can read metrics, at a loopback address \
                       and only if no proxy is configured.";
        return Err(ApiError::new(Code::NotAllowed, message));
    }
    let levels = Levels {
        running: app.running.count(),
        waiting: app.waiting(),
        body_bytes: app.bodies.used_bytes(),
        memory_bytes: app.workshop.memory_bytes_used(),
        ends: serving::ends(&app.catalogue, &app.live().providers, app.clock.now()),
        stored: stored(&app).await,
    };
    let page = app.metrics.render(&levels).map_err(ApiError::internal)?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], page).into_response())
}

/// The metrics that come from the database, unless it is slow. The other metrics matter most when
/// the database is down, so they must not wait for it.
async fn stored(app: &App) -> Option<StoredLevels> {
    let asking = async {
        let (open, events, spending) = tokio::join!(
            app.store.count_open_edits(),
            app.store.count_open_events(),
            app.store.list_spending(),
        );
        Some((open.ok()?, events.ok()?, spending.ok()?))
    };
    let answer = tokio::time::timeout(Duration::from_millis(STORED_MS_MAX), asking).await;
    let (open, events, spending) = answer.ok()??;
    let now = app.clock.now();
    let seconds_since = |at: Option<Timestamp>| at.map_or(0, |at| (now.0 - at.0).max(0) / 1_000);
    Some(StoredLevels {
        open: open.count,
        open_seconds: seconds_since(open.oldest),
        spending,
        payment_events: events.count,
        payment_event_seconds: seconds_since(events.oldest),
    })
}

/// Whether the call comes from a program on this machine. A page in the operator's browser does not
/// count, because its calls name the page's host. Nor does a proxy, which adds a header or is
/// mentioned in the settings.
fn is_local(app: &App, parts: &Parts) -> bool {
    let from = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    let is_near = from.is_some_and(|info| info.0.ip().to_canonical().is_loopback());
    is_near && host::is_loopback(parts) && !is_forwarded(&parts.headers) && !has_proxy(app)
}

fn is_forwarded(headers: &HeaderMap) -> bool {
    let names = headers.keys().map(HeaderName::as_str);
    let mut known = names.filter(|name| {
        name.starts_with("x-forwarded-") || ["forwarded", "x-real-ip", "via"].contains(name)
    });
    known.next().is_some()
}

/// Whether the settings say that calls come through a proxy.
fn has_proxy(app: &App) -> bool {
    let server = &app.settings.server;
    let public_host = server.public_url.as_ref().and_then(Url::host_str);
    !server.trusted_proxies.is_empty()
        || public_host.is_some_and(|name| !host::names_loopback(name))
}

fn shows_token(app: &App, parts: &Parts) -> bool {
    let Some(token) = &app.settings.metrics.token else { return false };
    crate::auth::bearer(&parts.headers).is_some_and(|shown| token.is(shown))
}
