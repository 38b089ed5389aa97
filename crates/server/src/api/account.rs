//! `/api/account`.

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
    /// Its e-mail address.
    pub email: String,
    /// The address that it is to have once it is confirmed, or null.
    pub pending_email: Option<String>,
    /// The plan that adds credits each month, or null.
    pub plan: Option<String>,
    /// How that plan stands, or null.
    pub subscription: Option<SubscriptionView>,
    /// How long its results are kept, in days after they were made; null: as long as their generations.
    pub results_kept_days: Option<u32>,
    /// Calls that charge which it may make in a minute; null: as many as it likes.
    pub calls_per_minute: Option<u32>,
    /// Edits of pictures that it may have under way at once.
    pub edits_at_once_max: usize,
    /// Videos that it may have under way at once.
    pub videos_at_once_max: usize,
    /// What became of the free credits: `granted`; `had_before`, where this person has had them with
    /// another account; `day_full`, where other sign-ups had used up those of the day; or null.
    pub free_credits: Option<String>,
    /// Since when models of paid providers are paused because a payment or refused content is
    /// under review, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub paused_at: Option<Timestamp>,
    /// Its balance.
    pub credits: AccountCredits,
}

/// How a plan stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubscriptionView {
    /// The plan's id.
    pub plan: String,
    /// `active`, or `past_due` where the latest payment failed.
    pub status: String,
    /// `operator` where the operator gave it, `stripe` where it is paid for.
    pub source: String,
    /// The end of the month under way; the next one begins then.
    #[schema(value_type = String, format = DateTime)]
    pub current_until: Timestamp,
    /// When it ends, or null where it goes on.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub cancel_at: Option<Timestamp>,
    /// The plan from the next month on, or null where that is the same.
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

/// A balance in two numbers.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountCredits {
    /// Credits that can be spent.
    pub available: i64,
    /// Credits that running calls hold.
    pub held: i64,
    /// Credits that are owed because their payment was returned after they were spent. What comes next
    /// pays them. Absent where nothing is owed.
    #[serde(skip_serializing_if = "super::credits::is_zero")]
    pub owed: i64,
}

/// Find the caller's account. An API key needs the scope `read`.
#[utoipa::path(
    get,
    path = "/api/account",
    operation_id = "find_account",
    tag = "Account",
    responses(
        (status = 200, description = "The account", body = AccountView),
        (status = 401, description = "Unauthenticated", body = ErrorBody),
        (status = 403, description = "The API key lacks the scope `read`", body = ErrorBody),
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

/// The account with its balance at this moment.
pub(crate) async fn view(app: &App, account: Account) -> ApiResult<AccountView> {
    let balance = app.store.balance(&account.id).await?;
    let subscriptions = app.store.list_subscriptions(&account.id).await?;
    let plans = subscriptions.iter().map(|it| it.plan.as_str());
    let results_kept_days = app.catalogue.retention().kept_days(plans);
    let subscription = subscriptions.into_iter().next();
    let limits = app.limits(subscription.as_ref().map(|it| it.plan.as_str()));
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
