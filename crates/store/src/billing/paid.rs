//! Booking the current state that the payment provider reports.

use retouch_core::billing::{Facts, Source, Status, Subscription, cancel};
use retouch_core::{AccountId, Timestamp};

use super::event::is_open;
use super::row::{live_given, save};
use super::{invoice, pause};
use crate::account;
use crate::mail::{self, EmailKind};
use crate::queue::Touches;
use crate::rows::{Row, Rows, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// The result of settling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The account, if it is one of ours.
    pub account: Option<AccountId>,
    /// The outcome, for the operator.
    pub outcome: String,
    /// What needs attention, if anything.
    pub notice: Notice,
}

/// What someone must act on after settling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Nothing.
    Plain,
    /// The account is charged for two plans, and the operator must cancel one.
    PaidTwice,
    /// The account is deleted, so its customer must be deleted and its payments refunded.
    AccountDeleted,
    /// Paid providers were paused for the account until an administrator reviews it.
    Paused,
}

impl Settled {
    fn nobody(outcome: &str) -> Self {
        Self { account: None, outcome: outcome.to_owned(), notice: Notice::Plain }
    }
}

impl Store {
    /// Books `facts` and settles the event that prompted them, in one transaction. If the event is
    /// already settled, nothing changes.
    ///
    /// # Errors
    /// [`Error::SeenBefore`] if a later state is known: ask again, because a clock may have gone
    /// back; [`Error::PriceUnknown`] if the price paid belongs to no plan; [`Error::Refused`] if
    /// the account cannot hold more credits; faults of the database.
    pub async fn settle_event(&self, event: &str, facts: Facts) -> Result<Settled, Error> {
        let (event, notices) = (event.to_owned(), self.notices());
        self.write(Touches::Global(None), move |tx| {
            if !is_open(tx.rows(), &event)? {
                return Ok(Settled::nobody("already settled"));
            }
            let settled = settle(tx, &facts, &notices)?;
            let sql = "UPDATE payment_event SET settled_at = ?2, account_id = ?3, outcome = ?4
                       WHERE id = ?1";
            let account = settled.account.as_ref().map(AccountId::as_str);
            let values = params![event, tx.now().0, account, settled.outcome];
            tx.rows().execute(sql, values)?;
            Ok(settled)
        })
        .await
    }

    /// Books `facts` that no event prompted.
    ///
    /// # Errors
    /// Like [`Store::settle_event`].
    pub async fn settle_facts(&self, facts: Facts) -> Result<Settled, Error> {
        let notices = self.notices();
        self.write(Touches::Global(None), move |tx| settle(tx, &facts, &notices)).await
    }

    fn notices(&self) -> Notices {
        Notices { renewed: self.notice(), failed: self.notice() }
    }
}

/// The emails that the owner may get.
struct Notices {
    renewed: Option<mail::Notice>,
    failed: Option<mail::Notice>,
}

fn settle(tx: &mut Transaction<'_>, facts: &Facts, notices: &Notices) -> Result<Settled, Error> {
    let rows = tx.rows();
    let sql = "SELECT account_id FROM customer WHERE id = ?1";
    let account = match &facts.customer {
        Some(customer) => one(rows, sql, [customer], |row| column(row, "account_id"))?,
        None => None,
    };
    let (Some(account), Some(customer)): (Option<AccountId>, _) = (account, &facts.customer) else {
        return Ok(Settled::nobody("it concerns no account here"));
    };
    // Lock before reading anything that credits depend on.
    tx.lock(&[&account])?;
    let rows = tx.rows();
    check(rows, &account, facts)?;
    let mut told = Vec::new();
    let mut notice = Notice::Plain;
    // Do this first, because the only writes that may be refused are those of credits.
    if is_deleted(rows, &account)? {
        told.push("the account is deleted; its payments are refunded".to_owned());
        notice = Notice::AccountDeleted;
    } else {
        let renewed = renewal(tx.rows(), facts)?;
        let booked = invoice::settle(tx, &account, customer, facts)?;
        if let Some(words) = renewed {
            let notice = notices.renewed.as_ref().map(|it| it.about(&words));
            mail::warn(tx, notice.as_ref(), EmailKind::PlanRenewed, &account)?;
        }
        told.extend(booked.told);
        let pauses = pause::begin(tx, &account, &facts.alarms, &booked.owed)?;
        if !pauses.is_empty() {
            told.extend(pauses);
            notice = Notice::Paused;
        }
    }
    if let Some(it) = &facts.subscription {
        match placed(tx.rows(), it, facts.unknown_price.as_deref())? {
            Some(it) => {
                if notice != Notice::AccountDeleted && has_just_failed(tx.rows(), &it)? {
                    tell_of_failure(tx, &account, notices.failed.as_ref(), &it)?;
                }
                told.extend(subscription(tx, &account, &it, facts.seen_at)?);
            }
            None => told.push(format!("{} is not one of our plans", it.id)),
        }
        if it.is_live()
            && notice != Notice::AccountDeleted
            && let Some(other) = another(tx.rows(), &account, it)?
        {
            told.push(format!("{other} is charged as well: cancel one of them"));
            notice = Notice::PaidTwice;
        }
    }
    let outcome = if told.is_empty() { "nothing to do".to_owned() } else { told.join("; ") };
    Ok(Settled { account: Some(account), outcome, notice })
}

/// Checks that all of `facts` can be booked, before anything is written.
fn check(rows: &Rows, account: &AccountId, facts: &Facts) -> Result<(), Error> {
    let later = |seen: Option<Timestamp>| seen.is_some_and(|seen| seen > facts.seen_at);
    let mut is_ours = facts.subscription.is_some() && facts.unknown_price.is_none();
    if let Some(it) = &facts.subscription {
        let sql = "SELECT account_id, seen_at FROM subscription WHERE id = ?1";
        let read = |row: &Row<'_>| {
            Ok((column::<AccountId>(row, "account_id")?, Timestamp(row.get("seen_at")?)))
        };
        let known = one(rows, sql, [&it.id], read)?;
        is_ours |= known.is_some();
        let others = known.as_ref().is_some_and(|(owner, _)| owner != account);
        if it.source != Source::Stripe || others || later(known.map(|(_, seen)| seen)) {
            return Err(Error::SeenBefore);
        }
    }
    // A refund of an unknown amount must not count as zero.
    for it in &facts.given_back {
        if let Some(price) = &it.unknown_price
            && one(
                rows,
                "SELECT 1 FROM subscription WHERE id = ?1",
                [&it.subscription],
                |_| Ok(()),
            )?
            .is_some()
        {
            return Err(Error::PriceUnknown { price: price.clone() });
        }
    }
    if let Some(pack) = &facts.pack {
        let known = invoice::find(rows, account, &pack.id)?;
        if later(known.map(|known| known.seen_at)) {
            return Err(Error::SeenBefore);
        }
    }
    let Some(invoice) = &facts.invoice else { return Ok(()) };
    let known = invoice::find(rows, account, &invoice.id)?;
    if later(known.as_ref().map(|known| known.seen_at)) {
        return Err(Error::SeenBefore);
    }
    let is_booked = known.is_some_and(|known| known.standing.granted.is_some());
    match &invoice.unknown_price {
        Some(price) if is_ours && invoice.paid && !is_booked => {
            Err(Error::PriceUnknown { price: price.clone() })
        }
        _ => Ok(()),
    }
}

/// The subscription to save. If its price belongs to no plan, it keeps the plan that is already
/// known. If none is known, there is no plan.
fn placed(
    rows: &Rows,
    it: &Subscription,
    unknown_price: Option<&str>,
) -> Result<Option<Subscription>, Error> {
    if unknown_price.is_none() {
        return Ok(Some(it.clone()));
    }
    let sql = "SELECT plan FROM subscription WHERE id = ?1";
    let plan = one(rows, sql, [&it.id], |row| row.get(0))?;
    Ok(plan.map(|plan| Subscription { plan, ..it.clone() }))
}

/// The plan and its credits, if an invoice in `facts` pays for another month of it for the first
/// time. The first month is not a renewal, and neither is a change of plan.
fn renewal(rows: &Rows, facts: &Facts) -> Result<Option<String>, Error> {
    let Some(invoice) = facts.invoice.as_ref().filter(|invoice| invoice.paid) else {
        return Ok(None);
    };
    let mut months = invoice.lines.iter().filter(|line| line.is_month && line.amount > 0);
    let Some(line) = months.next_back() else { return Ok(None) };
    let sql = "SELECT 1 FROM invoice WHERE subscription_id = ?1 AND id <> ?2 AND granted > 0
                   AND NOT EXISTS (SELECT 1 FROM invoice WHERE id = ?2 AND granted IS NOT NULL)
               LIMIT 1";
    let values = params![invoice.subscription, invoice.id];
    let is_renewal = one(rows, sql, values, |_| Ok(()))?.is_some();
    let words = || format!("{} ({} credits)", line.plan.name, line.plan.credits_per_month);
    Ok(is_renewal.then(words))
}

/// Whether the payment for a subscription that was paid until now has failed.
fn has_just_failed(rows: &Rows, it: &Subscription) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM subscription WHERE id = ?1 AND status = 'active'";
    let was_active = one(rows, sql, [&it.id], |_| Ok(()))?.is_some();
    Ok(was_active && it.status == Status::PastDue)
}

/// Tells the owner that a payment failed. This email cannot be switched off.
fn tell_of_failure(
    tx: &Transaction<'_>,
    account: &AccountId,
    notice: Option<&mail::Notice>,
    it: &Subscription,
) -> Result<(), Error> {
    let notice = notice.map(|notice| notice.about(&it.plan));
    match account::find(tx.rows(), account)? {
        Some(owner) => mail::tell(tx, notice.as_ref(), EmailKind::PaymentFailed, &owner),
        None => Ok(()),
    }
}

/// Another subscription that will also charge the account.
fn another(rows: &Rows, account: &AccountId, it: &Subscription) -> Result<Option<String>, Error> {
    let sql = "SELECT id FROM subscription WHERE account_id = ?1 AND id <> ?2 AND source = 'stripe'
                   AND status IN ('active', 'past_due') AND cancel_at IS NULL
                   AND EXISTS (SELECT 1 FROM subscription
                       WHERE id = ?2 AND account_id = ?1 AND cancel_at IS NULL)
               ORDER BY created_at, id LIMIT 1";
    one(rows, sql, params![account.as_str(), it.id], |row| row.get(0))
}

fn is_deleted(rows: &Rows, account: &AccountId) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM account WHERE id = ?1 AND deleted_at IS NOT NULL";
    Ok(one(rows, sql, [account.as_str()], |_| Ok(()))?.is_some())
}

fn subscription(
    tx: &mut Transaction<'_>,
    account: &AccountId,
    it: &Subscription,
    seen_at: Timestamp,
) -> Result<Vec<String>, Error> {
    let (rows, now) = (tx.rows(), tx.now());
    save(tx, account, it, seen_at)?;
    let mut told = vec![format!("{} of plan {} is {}", it.id, it.plan, it.status.as_str())];
    // A paid plan replaces an assigned one; otherwise both would grant credits.
    if let Some(given) = live_given(rows, account)?.filter(|_| it.is_live()) {
        save(tx, account, &cancel(&given, true, now), now)?;
        told.push(format!("it replaces {}, which the operator assigned", given.plan));
    }
    Ok(told)
}
