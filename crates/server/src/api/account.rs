//! `GET /api/account`: the account, its plan and its limits.

pub mod change;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_core::Timestamp;
use retouch_core::billing::Subscription;
use retouch_store::{Account, Scope};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth;
use crate::error::{ApiResult, ErrorBody};

/// An account as its owner sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountView {
    /// The account's id.
    pub id: String,
    /// Its email address.
    pub email: String,
    /// The new email address that still has to be confirmed, or null.
    pub pending_email: Option<String>,
    /// The plan that adds credits each month, or null.
    pub plan: Option<String>,
    /// The state of that plan, or null.
    pub subscription: Option<SubscriptionView>,
    /// Days that results are kept; null if they are kept as long as their generations.
    pub results_kept_days: Option<u32>,
    /// Calls that charge credits which it can make per minute; null if there is no limit.
    pub calls_per_minute: Option<u32>,
    /// Image edits that can run at the same time.
    pub edits_at_once_max: usize,
    /// Videos that can be made at the same time.
    pub videos_at_once_max: usize,
    /// What happened to the free credits: `granted`; `had_before` if you had them with another
    /// account; `day_full` if other sign-ups had used up the day's free credits; or null.
    pub free_credits: Option<String>,
    /// Since when models of providers are paused because a payment or refused content is under
    /// review, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub paused_at: Option<Timestamp>,
    /// Its balance.
    pub credits: AccountCredits,
}

/// The state of a plan.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubscriptionView {
    /// The plan's id.
    pub plan: String,
    /// `active`, or `past_due` if the latest payment failed.
    pub status: String,
    /// `operator` if the operator assigned it, `stripe` if it is paid for.
    pub source: String,
    /// When the current month ends and the next one begins.
    #[schema(value_type = String, format = DateTime)]
    pub current_until: Timestamp,
    /// When it ends, or null if it renews.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub cancel_at: Option<Timestamp>,
    /// The plan from the next month on, or null if it stays the same.
    pub next_plan: Option<String>,
}

impl From<Subscription> for SubscriptionView {
    fn from(it: Subscription) -> Self {
        Self {
            plan: it.plan,
            status: it.status.as_str().to_owned(),
            source: it.source.as_str().to_owned(),
            current_until: it.paid_until,
            cancel_at: it.cancel_at,
            next_plan: it.next_plan,
        }
    }
}

/// A balance without its sources.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountCredits {
    /// Credits you can spend.
    pub available: i64,
    /// Credits held for running calls.
    pub held: i64,
    /// Credits you owe because a payment was refunded or disputed after they were spent. New
    /// credits pay them off first. Absent if you owe nothing.
    #[serde(skip_serializing_if = "super::credits::is_zero")]
    pub owed: i64,
}

/// Get your account.
///
/// An API key needs the scope `read`.
#[utoipa::path(
    get,
    path = "/api/account",
    operation_id = "find_account",
    tag = "Account",
    responses(
        (status = 200, description = "The account", body = AccountView),
        (status = 403, description = "The API key does not have the scope `read`", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn find_account(
    State(app): State<Arc<App>>,
    parts: Parts,
) -> ApiResult<Json<AccountView>> {
    let caller = auth::caller(&app, &parts).await?;
    caller.require(Scope::Read)?;
    view(&app, caller.account).await.map(Json)
}

/// The account with its current balance.
pub(crate) async fn view(app: &App, account: Account) -> ApiResult<AccountView> {
    let balance = app.store.balance(&account.id).await?;
    let subscriptions = app.store.list_subscriptions(&account.id).await?;
    let plans = subscriptions.iter().map(|it| it.plan.as_str());
    let results_kept_days = app.retention().kept_days(plans);
    let subscription = subscriptions.into_iter().next();
    let limits = app.limits(&account.id, subscription.as_ref().map(|it| it.plan.as_str()));
    let pending = app.store.find_pending_email(&account.id).await?;
    let free_credits = app.store.find_free_credits(&account.id).await?;
    Ok(AccountView {
        id: account.id.to_string(),
        email: account.email.to_string(),
        pending_email: pending.map(String::from),
        plan: subscription.as_ref().map(|it| it.plan.clone()),
        subscription: subscription.map(SubscriptionView::from),
        results_kept_days,
        calls_per_minute: limits.calls_per_minute,
        edits_at_once_max: limits.edits_at_once_max,
        videos_at_once_max: limits.videos_at_once_max,
        free_credits: free_credits.map(|it| it.as_str().to_owned()),
        paused_at: app.store.list_pauses(&account.id).await?.first().map(|pause| pause.paused_at),
        credits: AccountCredits {
            available: balance.available.get(),
            held: balance.held.get(),
            owed: balance.debt.get(),
        },
    })
}
