//! `retouch plan`: plans that the operator assigns.

use retouch_core::billing::{Source, Status, Subscription};
use retouch_store::{AssignPlan, Deed};
use serde_json::{Value, json};

use super::answer::{Answer, Failure};
use super::command::{AssignArguments, CancelArguments, ShowArguments};
use super::credits::checked_reason;
use super::session;
use crate::config::Sources;

/// Assigns a plan. The running service grants its monthly credits.
pub(super) fn assign(sources: &Sources, asked: &AssignArguments) -> Result<Answer, Failure> {
    let reason = asked.reason.as_deref().map(checked_reason).transpose()?;
    session::with(sources, async |session| {
        let plans = session.settings.catalogue.load().map_err(Failure::failed)?.plans;
        let named = plans.iter().find(|plan| plan.id == asked.plan).cloned();
        let ids = || plans.iter().map(|plan| plan.id.as_str()).collect::<Vec<_>>().join(", ");
        let unknown =
            || Failure::Usage(format!("unknown plan {}; choose one of {}", asked.plan, ids()));
        let plan = named.ok_or_else(unknown)?;
        let account = session.account(&asked.account).await?;
        let given = AssignPlan { plan, plans: plans.clone() };
        let given = session.store.assign_plan(&account.id, given, deed(reason)).await?;
        let available = session.store.balance(&account.id).await?.available.get();
        let text = format!("{}: {}; {available} credits available.\n", account.email, said(&given));
        let mut json = plan_json(&given);
        json["credits"] = json!({ "available": available });
        Ok(Answer::new(text, json))
    })
}

/// Cancels a plan that the operator assigned.
pub(super) fn cancel(sources: &Sources, asked: &CancelArguments) -> Result<Answer, Failure> {
    session::with(sources, async |session| {
        let account = session.account(&asked.account).await?;
        let Some(after) = session.store.cancel_plan(&account.id, asked.now, deed(None)).await?
        else {
            let has = session.store.find_subscription(&account.id).await?;
            return Err(Failure::Failed(nothing_to_cancel(has.as_ref())));
        };
        let text = format!("{}: {}.\n", account.email, said(&after));
        Ok(Answer::new(text, plan_json(&after)))
    })
}

/// Shows an account's plan.
pub(super) fn show(sources: &Sources, asked: &ShowArguments) -> Result<Answer, Failure> {
    session::with(sources, async |session| {
        let account = session.account(&asked.account).await?;
        let has = session.store.find_subscription(&account.id).await?;
        let text = has.as_ref().map_or_else(|| "no plan".to_owned(), said);
        let json = json!({ "subscription": has.as_ref().map(plan_json) });
        Ok(Answer::new(format!("{}: {text}.\n", account.email), json))
    })
}

/// An act on the command line, for the audit log.
fn deed(reason: Option<String>) -> Deed {
    Deed { by: None, reason: reason.unwrap_or_default(), request_id: None }
}

fn nothing_to_cancel(has: Option<&Subscription>) -> String {
    match has.map(|it| it.source) {
        Some(Source::Stripe) => {
            "the account pays for its plan through Stripe; cancel it there".into()
        }
        _ => "the account has no plan".into(),
    }
}

/// Describes a subscription.
fn said(it: &Subscription) -> String {
    let (plan, until) = (&it.plan, it.paid_until);
    match (it.status, it.cancel_at, &it.next_plan) {
        (Status::Ended, ..) => format!("plan {plan} has ended"),
        (_, Some(end), _) => format!("plan {plan} until {end}"),
        (_, _, Some(next)) => format!("plan {plan} until {until}, then {next}"),
        (Status::PastDue, ..) => format!("plan {plan}; the latest payment failed"),
        _ => format!("plan {plan}; the next month starts {until}"),
    }
}

fn plan_json(it: &Subscription) -> Value {
    json!({
        "id": it.id, "plan": it.plan, "next_plan": it.next_plan, "status": it.status.as_str(),
        "source": it.source.as_str(), "current_until": it.paid_until, "cancel_at": it.cancel_at,
    })
}
