//! The plan of an account on its admin page: shown, assigned, ended.

use std::sync::Arc;

use axum::extract::{Request, State};
use retouch_core::AccountId;
use retouch_core::billing::{Source, Status, Subscription};
use retouch_core::catalogue::Plan;
use retouch_store::{AssignPlan, Error};

use super::user::Acting;
use super::{asked, deed};
use crate::api::path::Named;
use crate::app::App;
use crate::billing;
use crate::error::{ApiError, ApiResult, Code};
use crate::web::html::day;
use crate::web::problem::PageResult;

/// The plan section of the page.
pub(super) struct PlanPart {
    /// The plans of the account; the effective one is first.
    pub(super) has: Vec<Has>,
    /// The ID of the Stripe customer.
    pub(super) customer: Option<String>,
    /// The plans that can be assigned.
    pub(super) plans: Vec<Plan>,
}

/// A plan of the account.
pub(super) struct Has {
    pub(super) id: String,
    pub(super) plan: String,
    /// Whether the account is charged for it.
    pub(super) is_paid: bool,
    /// Its status and what happens next.
    pub(super) stands: String,
    /// Whether it is set to end.
    pub(super) ends: bool,
}

impl PlanPart {
    pub(super) async fn of(app: &App, account: &AccountId) -> ApiResult<Self> {
        let has = app.store.list_subscriptions(account).await?;
        let plans = app.catalogue.plans.clone();
        Ok(Self {
            has: has.into_iter().map(|it| Has::of(it, &plans)).collect(),
            customer: app.store.find_customer(account).await?,
            plans,
        })
    }

    /// Whether the account is charged. Suspending it does not stop that.
    pub(super) fn is_charged(&self) -> bool {
        self.has.iter().any(|it| it.is_paid && !it.ends)
    }

    /// The assigned plan, if the account does not pay for one.
    pub(super) fn given(&self) -> Option<&Has> {
        self.has.first().filter(|it| !it.is_paid)
    }

    /// Whether a plan can be assigned: not while the account pays for one.
    pub(super) fn can_give(&self) -> bool {
        !self.has.iter().any(|it| it.is_paid)
    }
}

impl Has {
    fn of(it: Subscription, plans: &[Plan]) -> Self {
        let name = |id: &str| {
            let plan = plans.iter().find(|plan| plan.id == id);
            plan.map_or_else(|| format!("{id} (not in the catalog)"), |plan| plan.name.clone())
        };
        let until = day(&it.paid_until);
        let stands = match (it.status, it.cancel_at, &it.next_plan) {
            (Status::PastDue, ..) => "the latest payment failed; Stripe will retry".to_owned(),
            (_, Some(end), _) => format!("ends on {}", day(&end)),
            (_, _, Some(next)) => format!("until {until}, then {}", name(next)),
            _ => format!("renews on {until}"),
        };
        Self {
            plan: name(&it.plan),
            is_paid: it.source == Source::Stripe,
            stands,
            ends: it.cancel_at.is_some(),
            id: it.id,
        }
    }
}

/// Assigns a plan, or ends one.
pub(super) async fn plan(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let acting = Acting::receive(&app, &id, request).await?;
    let done = perform(&app, &acting).await;
    acting.answer(&app, done).await
}

async fn perform(app: &App, acting: &Acting) -> ApiResult<&'static str> {
    let reason = asked::reason(&acting.form, "plan_reason")?;
    let act = acting.form.text("act");
    match act {
        "assign" => assign(app, acting, reason).await,
        "cancel" | "cancel_now" => cancel(app, acting, reason, act == "cancel_now").await,
        "end_paid" | "end_paid_now" => end_paid(app, acting, reason, act == "end_paid_now").await,
        _ => Err(ApiError::new(Code::InvalidValue, "Choose what to do with the plan.")),
    }
}

async fn assign(app: &App, acting: &Acting, reason: String) -> ApiResult<&'static str> {
    let wrong = || ApiError::about(Code::InvalidValue, "plan", "Choose a plan.");
    let plan = app.catalogue.find_plan(acting.form.text("plan")).ok_or_else(wrong)?.clone();
    let asked = AssignPlan { plan, plans: app.catalogue.plans.clone() };
    match app.store.assign_plan(&acting.subject, asked, deed(&acting.own, reason)).await {
        Ok(_) => Ok("plan-given"),
        Err(Error::NotAssigned(why)) => {
            Err(ApiError::about(Code::InvalidValue, "plan", format!("{why}.")))
        }
        Err(Error::Refused(why)) => {
            Err(ApiError::about(Code::InvalidValue, "plan", format!("{why}.")))
        }
        Err(Error::AccountUnknown) => Err(ApiError::not_found("user")),
        Err(error) => Err(error.into()),
    }
}

async fn cancel(
    app: &App,
    acting: &Acting,
    reason: String,
    at_once: bool,
) -> ApiResult<&'static str> {
    let deed = deed(&acting.own, reason);
    match app.store.cancel_plan(&acting.subject, at_once, deed).await? {
        Some(_) => Ok("plan-ended"),
        None => Err(ApiError::new(Code::InvalidValue, "The account has no assigned plan.")),
    }
}

/// Asks Stripe to end a plan that the account pays for.
async fn end_paid(
    app: &App,
    acting: &Acting,
    reason: String,
    at_once: bool,
) -> ApiResult<&'static str> {
    let wanted = acting.form.text("subscription");
    let has = app.store.list_subscriptions(&acting.subject).await?;
    // The form may name any subscription; accept only those of this account.
    let found = has.into_iter().find(|it| it.id == wanted && it.source == Source::Stripe);
    let found = found.ok_or_else(|| {
        ApiError::new(Code::InvalidValue, "The account no longer pays for this plan.")
    })?;
    app.store.note_paid_end(&acting.subject, &found.plan, deed(&acting.own, reason)).await?;
    billing::end_paid(app, &found.id, at_once).await?;
    Ok("plan-ended")
}
