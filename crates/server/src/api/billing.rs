//! `/api/billing`: checkout, the payment portal and the webhooks of Stripe.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Redirect;
use retouch_outbound::payments::signature;
use retouch_outbound::payments::stripe::Event;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth;
use crate::billing;
use crate::config::Secret;
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, SMALL_BODY_BYTES_MAX, Who};

/// Most bytes of a webhook, which includes the whole object that it is about.
const WEBHOOK_BYTES_MAX: usize = 512 * 1024;

/// A plan or a pack of credits to buy. Send one of the two.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CheckoutRequest {
    /// The plan's id.
    #[schema(example = "basic")]
    plan: Option<String>,
    /// The pack's id.
    pack: Option<String>,
}

/// A page to visit.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageView {
    /// Its URL. Open it in the browser.
    pub url: String,
}

/// Buy a plan or a pack of credits, or change to another plan.
#[utoipa::path(
    post,
    path = "/api/billing/checkout",
    operation_id = "check_out",
    tag = "Billing",
    request_body = CheckoutRequest,
    responses(
        (status = 200, description = "The page where you pay", body = PageView),
        (status = 400, description = "The plan or the pack is not for sale", body = ErrorBody),
        (status = 409, description = "The account already pays for this plan", body = ErrorBody),
        (status = 429, description = "Too many visits", body = ErrorBody),
        (status = 503, description = "Payments are not configured, or the payment provider is not responding", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn check_out(State(app): State<Arc<App>>, request: Request) -> ApiResult<Json<PageView>> {
    let received = intake::receive(&app, request, Who::Session, SMALL_BODY_BYTES_MAX).await?;
    let asked: CheckoutRequest = received.json()?;
    let account = &received.caller()?.account;
    let url = match (asked.plan, asked.pack) {
        (Some(plan), None) => billing::check_out(&app, account, &plan).await?,
        (None, Some(pack)) => billing::check_out_pack(&app, account, &pack).await?,
        _ => {
            let message = "Send either `plan` or `pack`.";
            return Err(ApiError::about(Code::MissingField, "plan", message));
        }
    };
    Ok(Json(PageView { url }))
}

/// Manage payment methods, invoices and cancellation.
#[utoipa::path(
    post,
    path = "/api/billing/portal",
    operation_id = "open_portal",
    tag = "Billing",
    responses(
        (status = 200, description = "The page where you manage them", body = PageView),
        (status = 404, description = "The account has never paid", body = ErrorBody),
        (status = 429, description = "Too many visits", body = ErrorBody),
        (status = 503, description = "Payments are not configured, or the payment provider is not responding", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn open_portal(State(app): State<Arc<App>>, parts: Parts) -> ApiResult<Json<PageView>> {
    let caller = auth::session(&app, &parts).await?;
    let url = billing::open_portal(&app, &caller.account).await?;
    Ok(Json(PageView { url }))
}

/// Return from a checkout or the portal.
///
/// Books what was paid and redirects to the plans page.
#[utoipa::path(
    get,
    path = "/api/billing/return",
    operation_id = "come_back",
    tag = "Billing",
    params(("checkout" = Option<String>, Query, description = "Stripe's id of the checkout")),
    responses((status = 303, description = "Redirects to the plans page")),
)]
pub async fn come_back(State(app): State<Arc<App>>, parts: Parts) -> ApiResult<Redirect> {
    // Without a session, only redirect: the webhook books what was paid.
    let checkout = checkout(&parts);
    if let Ok(caller) = auth::session(&app, &parts).await {
        billing::come_back(&app, &caller.account, checkout.as_deref()).await?;
    }
    Ok(Redirect::to(if checkout.is_some() { "/plans?paid" } else { "/plans" }))
}

/// Receive a webhook from Stripe.
///
/// Responds once the event is on disk. Each event counts once.
#[utoipa::path(
    post,
    path = "/api/billing/stripe/webhook",
    operation_id = "hear_stripe",
    tag = "Billing",
    request_body = Object,
    params(("Stripe-Signature" = String, Header, description = "The time and the signatures, as Stripe sends them")),
    responses(
        (status = 200, description = "The event has been stored"),
        (status = 400, description = "The webhook is not signed by Stripe", body = ErrorBody),
        (status = 503, description = "Payments are not configured", body = ErrorBody),
    )
)]
pub async fn hear(State(app): State<Arc<App>>, request: Request) -> ApiResult<StatusCode> {
    let payments = billing::configured(&app)?;
    let received = intake::receive(&app, request, Who::Anyone, WEBHOOK_BYTES_MAX).await?;
    let settings = app.settings.billing.stripe.as_ref();
    let secrets = settings.map(|it| it.webhook_secrets.as_slice()).unwrap_or_default();
    let header = received.parts.headers.get("stripe-signature");
    let header = header.and_then(|value| value.to_str().ok()).unwrap_or_default();
    let secrets = secrets.iter().map(Secret::reveal);
    let invalid = |why: String| {
        app.metrics.edge.webhook_refused();
        if let Some(refused) = app.webhook_refusals.count(app.clock.now()) {
            tracing::warn!(why, refused, "rejected payment webhooks; logged at most once a minute");
        }
        ApiError::new(Code::InvalidSignature, format!("The webhook was not accepted: {why}."))
    };
    signature::verify(secrets, header, &received.body, app.clock.now())
        .map_err(|error| invalid(error.to_string()))?;
    let event = Event::read(&received.body).map_err(|error| invalid(error.to_string()))?;
    billing::hear(&app, payments, event).await?;
    Ok(StatusCode::OK)
}

/// The `checkout` parameter of the query.
fn checkout(parts: &Parts) -> Option<String> {
    let mut query = form_urlencoded::parse(parts.uri.query()?.as_bytes());
    query.find(|(name, _)| name == "checkout").map(|(_, id)| id.into_owned())
}
