//! Plans that the operator assigns, and their monthly credits.

use retouch_core::billing::{Status, Subscription, advance, assign, cancel};
use retouch_core::catalogue::Plan;
use retouch_core::credits::Command;
use retouch_core::{AccountId, SubscriptionId, Timestamp};

use super::book;
use super::row::{all_live, columns, from_row, live, live_given, save};
use crate::admin::{self, AuditAct, Deed};
use crate::queue::Touches;
use crate::rows::{Row, Rows, all, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// The maximum number of subscriptions whose months one transaction grants.
const DUE_ROWS_MAX: usize = 100;

/// A plan to assign.
#[derive(Clone, Debug)]
pub struct AssignPlan {
    /// The plan.
    pub plan: Plan,
    /// All plans of the catalog.
    pub plans: Vec<Plan>,
}

/// What was granted for months that have begun.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DueGranted {
    /// How many grants were booked.
    pub grants: usize,
    /// How many subscriptions moved on. After a long outage, one may have more months to go.
    pub moved: usize,
    /// How many of them ended.
    pub ended: usize,
    /// How many due subscriptions had to wait, because their plan is not in the catalog or their
    /// account cannot hold more credits.
    pub waiting: usize,
    /// Where the next batch starts, if there may be more. Waiting subscriptions don't hold up the
    /// others.
    pub next: Option<DuePlace>,
}

/// A position in the list of due subscriptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuePlace {
    paid_until: Timestamp,
    id: String,
}

impl Store {
    /// Assigns a plan to an account, or changes it, and logs that. A better plan starts
    /// immediately, a lesser one at the end of the month. The owner sees the reason next to the
    /// credits.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::NotAssigned`], [`Error::AccountUnknown`],
    /// [`Error::Refused`].
    pub async fn assign_plan(
        &self,
        account: &AccountId,
        asked: AssignPlan,
        deed: Deed,
    ) -> Result<Subscription, Error> {
        let (account, id) = (account.clone(), self.ids.subscription());
        self.write(Touches::global(&account), move |tx| {
            admin::must_administer(tx, &deed)?;
            let giving = Giving { id: &id, asked: &asked, reason: &deed.reason };
            let given = give(tx, &account, &giving)?;
            let deed = of_plan(&asked.plan.id, &deed);
            admin::note(tx, &deed, AuditAct::AssignPlan, Some(&account))?;
            Ok(given)
        })
        .await
    }

    /// Ends the plan that the operator assigned, immediately or at the end of the month, and logs
    /// it. `None` if the account has no such plan.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`].
    pub async fn cancel_plan(
        &self,
        account: &AccountId,
        at_once: bool,
        deed: Deed,
    ) -> Result<Option<Subscription>, Error> {
        let account = account.clone();
        self.write(Touches::global(&account), move |tx| {
            admin::must_administer(tx, &deed)?;
            let (rows, now) = (tx.rows(), tx.now());
            let Some(current) = live_given(rows, &account)? else { return Ok(None) };
            let after = cancel(&current, at_once, now);
            save(tx, &account, &after, now)?;
            let deed = of_plan(&after.plan, &deed);
            admin::note(tx, &deed, AuditAct::CancelPlan, Some(&account))?;
            Ok(Some(after))
        })
        .await
    }

    /// Logs that the payment provider is about to be asked to end the plan `plan` of an account.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`].
    pub async fn note_paid_end(
        &self,
        account: &AccountId,
        plan: &str,
        deed: Deed,
    ) -> Result<(), Error> {
        let (account, deed) = (account.clone(), of_plan(plan, &deed));
        self.write(Touches::global(&account), move |tx| {
            admin::must_administer(tx, &deed)?;
            admin::note(tx, &deed, AuditAct::EndPaidPlan, Some(&account))
        })
        .await
    }

    /// All current plans of an account, the one that applies first. There should be at most one.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_subscriptions(
        &self,
        account: &AccountId,
    ) -> Result<Vec<Subscription>, Error> {
        let account = account.clone();
        self.read(move |rows| all_live(rows, &account)).await
    }

    /// The current plan of an account, if any.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_subscription(
        &self,
        account: &AccountId,
    ) -> Result<Option<Subscription>, Error> {
        let account = account.clone();
        self.read(move |rows| live(rows, &account)).await
    }

    /// Grants every month that has begun, exactly once, even if many were missed. Handles at most a
    /// hundred subscriptions, starting with the first one or after `after`.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn grant_due(
        &self,
        plans: &[Plan],
        after: Option<DuePlace>,
    ) -> Result<DueGranted, Error> {
        let (plans, now, from) = (plans.to_vec(), self.clock.now(), after.clone());
        let due = self.read(move |rows| due(rows, now, from.as_ref())).await?;
        if due.is_empty() {
            return Ok(DueGranted::default());
        }
        self.write(Touches::Global(None), move |tx| grant_all(tx, &plans, after.as_ref())).await
    }
}

/// Whether an account will be charged for its plan.
pub(crate) fn is_paying(rows: &Rows, account: &AccountId) -> Result<bool, Error> {
    // If there are several, any one that renews counts.
    let sql = "SELECT 1 FROM subscription
               WHERE account_id = ?1 AND source = 'stripe' AND cancel_at IS NULL
                   AND status IN ('incomplete', 'active', 'past_due')";
    Ok(one(rows, sql, [account.as_str()], |_| Ok(()))?.is_some())
}

/// Immediately ends a plan that the operator assigned, if there is one.
pub(crate) fn end_given(tx: &Transaction<'_>, account: &AccountId) -> Result<(), Error> {
    let (rows, now) = (tx.rows(), tx.now());
    if let Some(current) = live_given(rows, account)? {
        save(tx, account, &cancel(&current, true, now), now)?;
    }
    Ok(())
}

/// A plan to assign, for this reason.
struct Giving<'a> {
    /// The ID for a new subscription.
    id: &'a SubscriptionId,
    asked: &'a AssignPlan,
    reason: &'a str,
}

fn give(
    tx: &mut Transaction<'_>,
    account: &AccountId,
    Giving { id, asked, reason }: &Giving<'_>,
) -> Result<Subscription, Error> {
    let (rows, now) = (tx.rows(), tx.now());
    if let Some(current) = live_given(rows, account)? {
        catch_up(tx, account, &current, &asked.plans)?;
    }
    let current = live(rows, account)?;
    let turn = assign(current.as_ref(), (&asked.plan, &asked.plans), id, now)?;
    // This fails if there is no such account, before anything is written.
    tx.command(account, &Command::Expire)?;
    for command in turn.commands {
        book(tx, account, &because(command, reason))?;
    }
    save(tx, account, &turn.subscription, now)?;
    Ok(turn.subscription)
}

fn because(mut command: Command, reason: &str) -> Command {
    if let Command::Grant(grant) = &mut command
        && !reason.is_empty()
    {
        grant.description = format!("{} ({reason})", grant.description);
    }
    command
}

/// The deed, with the plan at the start of its reason.
fn of_plan(plan: &str, deed: &Deed) -> Deed {
    let reason =
        if deed.reason.is_empty() { plan.to_owned() } else { format!("{plan}: {}", deed.reason) };
    Deed { reason, ..deed.clone() }
}

type Due = (AccountId, Subscription);

fn due(rows: &Rows, now: Timestamp, after: Option<&DuePlace>) -> Result<Vec<Due>, Error> {
    let sql = concat!(
        "SELECT account_id, ",
        columns!(),
        " FROM subscription
         WHERE source = 'operator' AND status IN ('active', 'past_due') AND paid_until <= ?1
             AND (paid_until > ?3 OR (paid_until = ?3 AND id > ?4))
         ORDER BY paid_until, id LIMIT ?2"
    );
    let (from, id) = after.map_or((i64::MIN, ""), |place| (place.paid_until.0, place.id.as_str()));
    let limit = i64::try_from(DUE_ROWS_MAX).unwrap_or(i64::MAX);
    let read = |row: &Row<'_>| Ok((column(row, "account_id")?, from_row(row)?));
    all(rows, sql, params![now.0, limit, from, id], read)
}

fn grant_all(
    tx: &mut Transaction<'_>,
    plans: &[Plan],
    after: Option<&DuePlace>,
) -> Result<DueGranted, Error> {
    let due = due(tx.rows(), tx.now(), after)?;
    let last = due.last().filter(|_| due.len() >= DUE_ROWS_MAX).map(|(_, it)| it);
    let next = last.map(|it| DuePlace { paid_until: it.paid_until, id: it.id.clone() });
    let mut done = DueGranted { next, ..DueGranted::default() };
    tx.lock(&due.iter().map(|(account, _)| account).collect::<Vec<_>>())?;
    for (account, current) in due {
        match catch_up(tx, &account, &current, plans) {
            Ok(None) => done.waiting += 1,
            Ok(Some((grants, ended))) => {
                done.grants += grants;
                done.moved += 1;
                done.ended += usize::from(ended);
            }
            // One account that cannot hold more credits must not stop the others.
            Err(Error::Refused(refused)) => {
                tracing::error!(%account, %refused, "could not grant the monthly credits of a plan");
                done.waiting += 1;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// Grants what is due for one subscription. Returns how many grants there were and whether it has
/// ended, or `None` if nothing is due or it cannot continue.
fn catch_up(
    tx: &mut Transaction<'_>,
    account: &AccountId,
    current: &Subscription,
    plans: &[Plan],
) -> Result<Option<(usize, bool)>, Error> {
    let now = tx.now();
    let Some(turn) = advance(current, plans, now) else { return Ok(None) };
    let mut grants = 0;
    for command in &turn.commands {
        let effect = book(tx, account, command)?;
        grants += usize::from(effect.is_booked);
    }
    save(tx, account, &turn.subscription, now)?;
    Ok(Some((grants, turn.subscription.status == Status::Ended)))
}
