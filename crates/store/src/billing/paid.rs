//! What is booked once a vendor of payments has been asked how things are.

use retouch_core::billing::{Facts, Source, Subscription, cancel};
use retouch_core::{AccountId, Timestamp};

use super::event::is_open;
use super::row::{live_given, save};
use super::{invoice, pause};
use crate::rows::{Row, Rows, column, one, params};
use crate::unit::Unit;
use crate::work::Touches;
use crate::{Error, Store};

/// What settling came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Whose it was, if anybody's.
    pub account: Option<AccountId>,
    /// A sentence for the operator.
    pub outcome: String,
    /// Whether somebody has to see to something.
    pub notice: Notice,
}

/// What settling has found that somebody has to see to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Nothing.
    Plain,
    /// The account is charged for two plans: the operator has to see to it.
    PaidTwice,
    /// The account is deleted: its customer has to go, and what it paid has to go back.
    AccountDeleted,
    /// The account may not use paid providers until an administrator has looked.
    Paused,
}

impl Settled {
    fn nobody(outcome: &str) -> Self {
        Self { account: None, outcome: outcome.to_owned(), notice: Notice::Plain }
    }
}

impl Store {
    /// Books what `facts` ask for and settles the event that made somebody ask for them, in one
    /// transaction. An event that is settled already changes nothing.
    ///
    /// # Errors
    /// [`Error::SeenBefore`] where something later is known: look again, for the clock may have
    /// gone back meanwhile; [`Error::PriceUnknown`] where a price was paid that is no plan's;
    /// [`Error::Refused`] where an account can have no more credits; faults of the database.
    pub async fn settle_event(&self, event: &str, facts: Facts) -> Result<Settled, Error> {
        let event = event.to_owned();
        self.write(Touches::House(None), move |unit| {
            if !is_open(unit.rows(), &event)? {
                return Ok(Settled::nobody("already settled"));
            }
            let settled = settle(unit, &facts)?;
            let sql = "UPDATE payment_event SET settled_at = ?2, account_id = ?3, outcome = ?4
                       WHERE id = ?1";
            let account = settled.account.as_ref().map(AccountId::as_str);
            let values = params![event, unit.now().0, account, settled.outcome];
            unit.rows().execute(sql, values)?;
            Ok(settled)
        })
        .await
    }

    /// Books what `facts` ask for, where somebody asked without an event.
    ///
    /// # Errors
    /// Like [`Store::settle_event`].
    pub async fn settle_facts(&self, facts: Facts) -> Result<Settled, Error> {
        self.write(Touches::House(None), move |unit| settle(unit, &facts)).await
    }
}

fn settle(unit: &mut Unit<'_>, facts: &Facts) -> Result<Settled, Error> {
    let rows = unit.rows();
    let sql = "SELECT account_id FROM customer WHERE id = ?1";
    let account = match &facts.customer {
        Some(customer) => one(rows, sql, [customer], |row| column(row, "account_id"))?,
        None => None,
    };
    let (Some(account), Some(customer)): (Option<AccountId>, _) = (account, &facts.customer) else {
        return Ok(Settled::nobody("it concerns no account here"));
    };
    // Before anything is read on which credits depend.
    unit.lock(&[&account])?;
    let rows = unit.rows();
    check(rows, (&account, facts))?;
    let mut told = Vec::new();
    let mut notice = Notice::Plain;
    // First: of all that is written only credits may be refused.
    if is_deleted(rows, &account)? {
        told.push("the account is deleted; its payments are refunded".to_owned());
        notice = Notice::AccountDeleted;
    } else {
        let booked = invoice::settle(unit, (&account, customer), facts)?;
        told.extend(booked.told);
        let pauses = pause::begin(unit, &account, (&facts.alarms, &booked.owed))?;
        if !pauses.is_empty() {
            told.extend(pauses);
            notice = Notice::Paused;
        }
    }
    if let Some(it) = &facts.subscription {
        match placed(unit.rows(), (it, facts.unknown_price.as_deref()))? {
            Some(it) => told.extend(subscription(unit, (&account, &it), facts.seen_at)?),
            None => told.push(format!("{} is not one of our plans", it.id)),
        }
        if it.is_live()
            && notice != Notice::AccountDeleted
            && let Some(other) = another(unit.rows(), (&account, it))?
        {
            told.push(format!("{other} is charged as well: cancel one of them"));
            notice = Notice::PaidTwice;
        }
    }
    let outcome = if told.is_empty() { "nothing to do".to_owned() } else { told.join("; ") };
    Ok(Settled { account: Some(account), outcome, notice })
}

/// Whether all of `facts` can be booked: a refusal comes before anything is written.
fn check(rows: &Rows, (account, facts): (&AccountId, &Facts)) -> Result<(), Error> {
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
    // What was given back and cannot be told must not be taken for nothing.
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

/// The subscription as it is to be kept. One whose price is no plan's keeps the plan that is known
/// of it; where none is, it is no plan.
fn placed(
    rows: &Rows,
    (it, unknown_price): (&Subscription, Option<&str>),
) -> Result<Option<Subscription>, Error> {
    if unknown_price.is_none() {
        return Ok(Some(it.clone()));
    }
    let sql = "SELECT plan FROM subscription WHERE id = ?1";
    let plan = one(rows, sql, [&it.id], |row| row.get(0))?;
    Ok(plan.map(|plan| Subscription { plan, ..it.clone() }))
}

/// Another subscription that the account is going to be charged for too.
fn another(
    rows: &Rows,
    (account, it): (&AccountId, &Subscription),
) -> Result<Option<String>, Error> {
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
    unit: &mut Unit<'_>,
    (account, it): (&AccountId, &Subscription),
    seen_at: Timestamp,
) -> Result<Vec<String>, Error> {
    let (rows, now) = (unit.rows(), unit.now());
    save(rows, (account, it), seen_at)?;
    let mut told = vec![format!("{} of plan {} is {}", it.id, it.plan, it.status.as_str())];
    // Whoever pays for a plan has no use for one that was given: two would grant twice.
    if let Some(given) = live_given(rows, account)?.filter(|_| it.is_live()) {
        save(rows, (account, &cancel(&given, true, now)), now)?;
        told.push(format!("it replaces {}, which the operator assigned", given.plan));
    }
    Ok(told)
}
