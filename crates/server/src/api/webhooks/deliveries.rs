//! The deliveries of a webhook: lists them, sends them again, and sends a test.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use retouch_core::Timestamp;
use retouch_store::{Delivery, DeliveryStatus};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::page::{ListView, PageQuery};
use crate::api::path::{Named, NamedTwice};
use crate::api::schema::DeliveryStatusName;
use crate::app::App;
use crate::auth;
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::webhooks;

/// An event for a webhook, and the last attempt to deliver it.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryView {
    /// The event's id, which receivers get as `webhook-id`.
    #[schema(example = "msg_01kb4s2m9x0000000000000000")]
    pub id: String,
    /// What happened: `generation.succeeded`, for example.
    pub event: &'static str,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// `waiting` for its next attempt, `delivered`, or `failed` in its last attempt.
    pub status: &'static str,
    /// How many attempts there were.
    pub attempts: i64,
    /// When the next attempt is due, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_attempt_at: Option<Timestamp>,
    /// When the last attempt began, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_attempt_at: Option<Timestamp>,
    /// How long it took, in milliseconds, or null.
    pub duration_ms: Option<i64>,
    /// The status of the response, or null.
    pub response_status: Option<i64>,
    /// What went wrong, or null.
    pub problem: Option<String>,
}

/// How many events are sent again.
#[derive(Debug, Serialize, ToSchema)]
pub struct RedeliveredView {
    /// How many. Up to 1,000 at a time, so repeat the call until this is 0.
    pub queued: usize,
}

/// List the deliveries of a webhook, newest first.
///
/// They are kept for 14 days.
#[utoipa::path(
    get,
    path = "/api/webhooks/{id}/deliveries",
    operation_id = "list_deliveries",
    tag = "Webhooks",
    params(
        ("id" = String, Path, description = "The webhook's id"),
        ("status" = Option<DeliveryStatusName>, Query, description = "Only those with this status"),
        PageQuery,
    ),
    responses(
        (status = 200, description = "A page of deliveries", body = ListView<DeliveryView>),
        (status = 404, description = "There is no such webhook", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn list_deliveries(
    State(app): State<Arc<App>>,
    Named(id): Named,
    parts: Parts,
    page: ApiResult<PageQuery>,
) -> ApiResult<Json<ListView<DeliveryView>>> {
    let caller = auth::session(&app, &parts).await?;
    let webhook = webhooks::find(&app, &caller.account.id, &id).await?;
    let filter = (status(&parts)?, &page?.request());
    let found = app.store.list_deliveries(&caller.account.id, &webhook.id, filter).await?;
    Ok(Json(ListView::of(found, delivery_view)))
}

/// Send a test event to a webhook.
///
/// Its type is `webhook.test`, and it is sent once. The list of deliveries shows what came of it.
#[utoipa::path(
    post,
    path = "/api/webhooks/{id}/test",
    operation_id = "test_webhook",
    tag = "Webhooks",
    params(("id" = String, Path, description = "The webhook's id")),
    responses(
        (status = 202, description = "The delivery, which is sent soon", body = DeliveryView),
        (status = 404, description = "There is no such webhook", body = ErrorBody),
        (status = 409, description = "The webhook is off, or too many events wait for it", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn test_webhook(
    State(app): State<Arc<App>>,
    Named(id): Named,
    parts: Parts,
) -> ApiResult<(StatusCode, Json<DeliveryView>)> {
    let caller = auth::session(&app, &parts).await?;
    webhooks::test(&app, &caller.account.id, &id).await.map(queued)
}

/// Send an event to a webhook again.
///
/// It has the same id and content as before, and is retried like a new one.
#[utoipa::path(
    post,
    path = "/api/webhooks/{id}/deliveries/{delivery}/redeliver",
    operation_id = "redeliver",
    tag = "Webhooks",
    params(
        ("id" = String, Path, description = "The webhook's id"),
        ("delivery" = String, Path, description = "The delivery's id"),
    ),
    responses(
        (status = 202, description = "The delivery, which is sent soon", body = DeliveryView),
        (status = 404, description = "There is no such webhook or delivery", body = ErrorBody),
        (status = 409, description = "The webhook is off, or too many events wait for it", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn redeliver(
    State(app): State<Arc<App>>,
    NamedTwice(id, delivery): NamedTwice,
    parts: Parts,
) -> ApiResult<(StatusCode, Json<DeliveryView>)> {
    let caller = auth::session(&app, &parts).await?;
    webhooks::redeliver(&app, &caller.account.id, (&*id, &*delivery)).await.map(queued)
}

/// Send all failed events to a webhook again.
///
/// Oldest first, up to 1,000 at a time.
#[utoipa::path(
    post,
    path = "/api/webhooks/{id}/deliveries/redeliver",
    operation_id = "redeliver_failed",
    tag = "Webhooks",
    params(("id" = String, Path, description = "The webhook's id")),
    responses(
        (status = 202, description = "How many are sent soon", body = RedeliveredView),
        (status = 404, description = "There is no such webhook", body = ErrorBody),
        (status = 409, description = "The webhook is off, or too many events wait for it", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn redeliver_failed(
    State(app): State<Arc<App>>,
    Named(id): Named,
    parts: Parts,
) -> ApiResult<(StatusCode, Json<RedeliveredView>)> {
    let caller = auth::session(&app, &parts).await?;
    let queued = webhooks::redeliver_failed(&app, &caller.account.id, &id).await?;
    Ok((StatusCode::ACCEPTED, Json(RedeliveredView { queued })))
}

/// The response with a delivery that is sent soon.
fn queued(delivery: Delivery) -> (StatusCode, Json<DeliveryView>) {
    (StatusCode::ACCEPTED, Json(delivery_view(delivery)))
}

/// The query parameter `status`.
pub(crate) fn status(parts: &Parts) -> ApiResult<Option<DeliveryStatus>> {
    let query = parts.uri.query().unwrap_or_default();
    let mut fields = form_urlencoded::parse(query.as_bytes());
    let text = fields.find(|(name, _)| name == "status").map(|(_, value)| value);
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(None) };
    let unknown = || {
        let message = "`status` must be `waiting`, `delivered` or `failed`.";
        ApiError::about(Code::InvalidValue, "status", message)
    };
    DeliveryStatus::find(&text).map(Some).ok_or_else(unknown)
}

pub(crate) fn delivery_view(delivery: Delivery) -> DeliveryView {
    DeliveryView {
        id: delivery.id.to_string(),
        event: delivery.event.as_str(),
        created_at: delivery.created_at,
        status: delivery.status.as_str(),
        attempts: delivery.attempts,
        next_attempt_at: delivery.due_at,
        last_attempt_at: delivery.tried_at,
        duration_ms: delivery.took_ms,
        response_status: delivery.response_status,
        problem: delivery.problem,
    }
}
