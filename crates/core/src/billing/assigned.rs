//! Subscriptions that the operator assigns. They depend only on the clock.
//!
//! An upgrade takes effect immediately: the account gets the difference for the current month. Its
//! billing dates stay the same, so switching back and forth gains nothing. A downgrade or an end
//! takes effect when the current month is over.

use thiserror::Error;

use super::{Period, Source, Status, Subscription, period};
use crate::catalogue::{Plan, UnusedCredits};
use crate::credits::{BucketKind, Command, Credits, Grant};
use crate::{SubscriptionId, Timestamp};

/// How many months one call grants at most, after a long downtime. The next call grants more.
pub const PERIODS_AT_ONCE_MAX: usize = 24;

/// What a subscription becomes, and what that books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// What it becomes.
    pub subscription: Subscription,
    /// The grants, in order.
    pub commands: Vec<Command>,
}

/// Why a plan is not assigned.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotAssigned {
    /// The account pays for its plan, so it must be changed at the payment provider.
    #[error("the account pays for its plan through Stripe; change or cancel it there")]
    IsPaidFor,
    /// The account's current plan is no longer in the catalogue.
    #[error("the account's plan {0} is not in the catalogue; cancel it first")]
    PlanUnknown(String),
    /// The plan's dates are beyond the range of the calendar.
    #[error("the plan's dates are out of range")]
    OutOfTime,
}

/// Gives the account the plan `wanted`. `current` is its subscription, already brought up to date.
///
/// # Errors
/// [`NotAssigned`].
pub fn assign(
    current: Option<&Subscription>,
    (wanted, plans): (&Plan, &[Plan]),
    id: &SubscriptionId,
    now: Timestamp,
) -> Result<Turn, NotAssigned> {
    let Some(current) = current.filter(|it| it.is_live()) else { return begin(wanted, id, now) };
    if current.source != Source::Operator {
        return Err(NotAssigned::IsPaidFor);
    }
    let unknown = || NotAssigned::PlanUnknown(current.plan.clone());
    let plan = plans.iter().find(|plan| plan.id == current.plan).ok_or_else(unknown)?;
    let mut subscription = Subscription { cancel_at: None, next_plan: None, ..current.clone() };
    let mut commands = Vec::new();
    match wanted.credits_per_month.checked_sub(plan.credits_per_month) {
        None => subscription.next_plan = Some(wanted.id.clone()),
        Some(_) if wanted.id == plan.id => {}
        Some(more) => {
            subscription.plan.clone_from(&wanted.id);
            let month = current.periods.saturating_sub(1);
            let when = period(current.anchor, month).ok_or(NotAssigned::OutOfTime)?;
            let key = format!("plan:{}:{month}:{}", current.id, wanted.id);
            commands.extend(grant(wanted, more, (key, when)));
        }
    }
    Ok(Turn { subscription, commands })
}

/// Ends the subscription: with the current month, or immediately. Credits don't change.
pub fn cancel(current: &Subscription, at_once: bool, now: Timestamp) -> Subscription {
    if at_once {
        return ended(current.clone(), now);
    }
    Subscription { cancel_at: Some(current.paid_until), next_plan: None, ..current.clone() }
}

/// Brings the subscription up to `now`: grants each month that has begun, once each, until it ends.
/// None if nothing is due, or if its plan is not in the catalogue.
pub fn advance(current: &Subscription, plans: &[Plan], now: Timestamp) -> Option<Turn> {
    let mut turn = Turn { subscription: current.clone(), commands: Vec::new() };
    for _ in 0..PERIODS_AT_ONCE_MAX {
        let it = &turn.subscription;
        let goes_on = it.source == Source::Operator && it.is_live() && it.paid_until <= now;
        if !goes_on || !step(&mut turn, plans, now) {
            break;
        }
    }
    (turn.subscription != *current).then_some(turn)
}

fn step(turn: &mut Turn, plans: &[Plan], now: Timestamp) -> bool {
    let it = &mut turn.subscription;
    if let Some(end) = it.cancel_at.filter(|end| *end <= it.paid_until) {
        *it = ended(it.clone(), end);
        return true;
    }
    let id = it.next_plan.as_ref().unwrap_or(&it.plan);
    let (Some(plan), Some(when)) =
        (plans.iter().find(|plan| plan.id == *id), period(it.anchor, it.periods))
    else {
        return false;
    };
    let key = format!("plan:{}:{}", it.id, it.periods);
    it.plan.clone_from(&plan.id);
    it.next_plan = None;
    it.periods = it.periods.saturating_add(1);
    it.paid_until = when.to;
    // Don't grant expiring credits for a month that is already over: they could never be used.
    if plan.unused_credits == UnusedCredits::Stay || when.to > now {
        turn.commands.extend(grant(plan, plan.credits_per_month, (key, when)));
    }
    true
}

fn begin(plan: &Plan, id: &SubscriptionId, now: Timestamp) -> Result<Turn, NotAssigned> {
    let when = period(now, 0).ok_or(NotAssigned::OutOfTime)?;
    let subscription = Subscription {
        id: id.to_string(),
        source: Source::Operator,
        plan: plan.id.clone(),
        next_plan: None,
        status: Status::Active,
        anchor: now,
        periods: 1,
        paid_until: when.to,
        cancel_at: None,
    };
    let commands = grant(plan, plan.credits_per_month, (format!("plan:{id}:0"), when));
    Ok(Turn { subscription, commands: commands.into_iter().collect() })
}

fn ended(subscription: Subscription, at: Timestamp) -> Subscription {
    Subscription { status: Status::Ended, cancel_at: Some(at), next_plan: None, ..subscription }
}

fn grant(plan: &Plan, credits: Credits, (key, when): (String, Period)) -> Option<Command> {
    (!credits.is_zero()).then(|| {
        Command::Grant(Grant {
            kind: BucketKind::Plan,
            credits,
            source_key: key,
            expires_at: plan.expiry(when.to),
            priority: None,
            description: format!("{}: monthly credits", plan.name),
        })
    })
}
