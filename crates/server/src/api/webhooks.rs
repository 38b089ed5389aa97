//! `/api/webhooks`: lists, creates, changes and deletes webhooks, and rotates their secrets.

pub mod deliveries;

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use retouch_core::Timestamp;
use retouch_store::{EventKind, Off, Webhook, WebhookChange};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::page::{ListView, PageQuery};
use super::path::Named;
use super::schema::EventName;
use crate::app::App;
use crate::auth;
use crate::error::{ApiResult, ErrorBody};
use crate::http::intake::{self, SMALL_BODY_BYTES_MAX, Who};
use crate::webhooks::{self, Shown};

/// A new webhook.
#[derive(Debug, Deserialize, ToSchema)]
pub struct WebhookRequest {
    /// The address, which must start with `https://`.
    #[schema(example = "https://example.com/hook", max_length = 2000)]
    url: String,
    /// The events that it receives, all by default.
    #[schema(value_type = Option<Vec<EventName>>, min_items = 1)]
    events: Option<Vec<String>>,
}

/// A change of a webhook. Fields that are absent stay as they are.
#[derive(Debug, Deserialize, ToSchema)]
pub struct WebhookChangeRequest {
    /// The address.
    #[schema(example = "https://example.com/hook", max_length = 2000)]
    url: Option<String>,
    /// The events that it receives.
    #[schema(value_type = Option<Vec<EventName>>, min_items = 1)]
    events: Option<Vec<String>>,
    /// Whether events are sent to it. Events that happen while it is off are not sent later.
    is_on: Option<bool>,
}

/// A webhook, without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookView {
    /// The webhook's id.
    #[schema(example = "whk_01kb4s2m9x0000000000000000")]
    pub id: String,
    /// The address.
    pub url: String,
    /// The events that it receives.
    pub events: Vec<&'static str>,
    /// `on`; `paused` by you; `gone` after its address answered 410; or `failing` after every
    /// attempt had failed for three days. Only a webhook that is on receives events.
    #[schema(example = "on")]
    pub status: &'static str,
    /// Since when it is not on, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub off_at: Option<Timestamp>,
    /// Since when every attempt has failed, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub failing_since: Option<Timestamp>,
    /// The key that checks `v1a` signatures.
    #[schema(example = "whpk_…")]
    pub public_key: String,
    /// Until when the secrets before the last rotation also sign, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub earlier_secret_until: Option<Timestamp>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// A webhook with its new secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookWithSecret {
    /// The secret that checks `v1` signatures. It is shown only once.
    #[schema(example = "whsec_…")]
    pub secret: String,
    /// The webhook without its secret.
    #[serde(flatten)]
    pub view: WebhookView,
}

/// List the webhooks, newest first.
#[utoipa::path(
    get,
    path = "/api/webhooks",
    operation_id = "list_webhooks",
    tag = "Webhooks",
    params(PageQuery),
    responses((status = 200, description = "A page of webhooks", body = ListView<WebhookView>)),
    security(("session" = []))
)]
pub async fn list_webhooks(
    State(app): State<Arc<App>>,
    parts: Parts,
    page: ApiResult<PageQuery>,
) -> ApiResult<Json<ListView<WebhookView>>> {
    let caller = auth::session(&app, &parts).await?;
    let found = app.store.list_webhooks(&caller.account.id, &page?.request()).await?;
    Ok(Json(ListView::of(found, webhook_view)))
}

/// Create a webhook.
///
/// Its secret is shown only in this response.
#[utoipa::path(
    post,
    path = "/api/webhooks",
    operation_id = "create_webhook",
    tag = "Webhooks",
    request_body = WebhookRequest,
    responses(
        (status = 201, description = "The webhook with its secret", body = WebhookWithSecret),
        (status = 409, description = "The account has as many webhooks as it may have", body = ErrorBody),
        (status = 503, description = "Webhooks are not set up on this server", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn create_webhook(
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<(StatusCode, Json<WebhookWithSecret>)> {
    let received = intake::receive(&app, request, Who::Session, SMALL_BODY_BYTES_MAX).await?;
    let asked: WebhookRequest = received.json()?;
    let events = events(asked.events.as_deref())?.unwrap_or(EventKind::ALL.to_vec());
    let account = &received.caller()?.account.id;
    let made = webhooks::create(&app, account, (&asked.url, &events)).await?;
    Ok((StatusCode::CREATED, Json(with_secret(made))))
}

/// Change a webhook.
///
/// Turning it on again also tries the events that were waiting for it.
#[utoipa::path(
    patch,
    path = "/api/webhooks/{id}",
    operation_id = "change_webhook",
    tag = "Webhooks",
    params(("id" = String, Path, description = "The webhook's id")),
    request_body = WebhookChangeRequest,
    responses(
        (status = 200, description = "The webhook", body = WebhookView),
        (status = 404, description = "There is no such webhook", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn change_webhook(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> ApiResult<Json<WebhookView>> {
    let received = intake::receive(&app, request, Who::Session, SMALL_BODY_BYTES_MAX).await?;
    let asked: WebhookChangeRequest = received.json()?;
    let events = events(asked.events.as_deref())?;
    let change = WebhookChange { url: asked.url, events, is_on: asked.is_on };
    let account = &received.caller()?.account.id;
    Ok(Json(webhook_view(webhooks::change(&app, (account, &id), change).await?)))
}

/// Delete a webhook.
///
/// Events that wait for it are not sent any more.
#[utoipa::path(
    delete,
    path = "/api/webhooks/{id}",
    operation_id = "delete_webhook",
    tag = "Webhooks",
    params(("id" = String, Path, description = "The webhook's id")),
    responses(
        (status = 204, description = "The webhook has been deleted"),
        (status = 404, description = "There is no such webhook", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn delete_webhook(
    State(app): State<Arc<App>>,
    Named(id): Named,
    parts: Parts,
) -> ApiResult<StatusCode> {
    let caller = auth::session(&app, &parts).await?;
    webhooks::delete(&app, &caller.account.id, &id).await.map(|()| StatusCode::NO_CONTENT)
}

/// Give a webhook new secrets.
///
/// For 24 hours, events are signed with the new and the earlier secrets, so that you can replace
/// them without a gap.
#[utoipa::path(
    post,
    path = "/api/webhooks/{id}/rotate",
    operation_id = "rotate_webhook",
    tag = "Webhooks",
    params(("id" = String, Path, description = "The webhook's id")),
    responses(
        (status = 200, description = "The webhook with its new secret", body = WebhookWithSecret),
        (status = 404, description = "There is no such webhook", body = ErrorBody),
        (status = 503, description = "Webhooks are not set up on this server", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn rotate_webhook(
    State(app): State<Arc<App>>,
    Named(id): Named,
    parts: Parts,
) -> ApiResult<Json<WebhookWithSecret>> {
    let caller = auth::session(&app, &parts).await?;
    Ok(Json(with_secret(webhooks::rotate(&app, &caller.account.id, &id).await?)))
}

fn events(names: Option<&[String]>) -> ApiResult<Option<Vec<EventKind>>> {
    names.map(|names| webhooks::checked_events(names.iter().map(String::as_str))).transpose()
}

pub(crate) fn with_secret(Shown { webhook, secret }: Shown) -> WebhookWithSecret {
    WebhookWithSecret { secret, view: webhook_view(webhook) }
}

pub(crate) fn webhook_view(webhook: Webhook) -> WebhookView {
    let (reason, off_at) = webhook.off.unzip();
    WebhookView {
        id: webhook.id.to_string(),
        url: webhook.url,
        events: webhook.events.into_iter().map(EventKind::as_str).collect(),
        status: reason.map_or("on", Off::as_str),
        off_at,
        failing_since: webhook.failing_since,
        public_key: webhook.public_key,
        earlier_secret_until: webhook.earlier_until,
        created_at: webhook.created_at,
    }
}
