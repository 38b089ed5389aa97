//! What is booked once a vendor of payments has been asked how things are.

use retouch_core::billing::{Facts, Invoice, Settling, Source, Standing, Subscription, cancel};
use retouch_core::{AccountId, Credits, Timestamp};
use rusqlite::{Connection, Row, params};

use super::event::is_open;
use super::row::{live_given, save};
use super::{Booked, book};
use crate::error::credits;
use crate::sqlite::{Unit, column, one};
use crate::{Error, Store};

/// What settling came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Whose it was, if anybody's.
    pub account: Option<AccountId>,
    /// A sentence for the operator.
    pub outcome: String,
}

impl Store {
    /// Books what `facts` ask for and settles the event that made somebody ask for them, in one
    /// transaction. An event that is settled already changes nothing.
    ///
    /// # Errors
    /// [`Error::SeenBefore`] where something later is known: look again, for the clock may have
    /// gone back meanwhile; [`Error::Refused`] where an account can have no more credits; faults of the database.
    pub async fn settle_event(&self, event: &str, facts: Facts) -> Result<Settled, Error> {
        let event = event.to_owned();
        self.write(move |unit| {
            if !is_open(unit.rows(), &event)? {
                return Ok(Settled { account: None, outcome: "settled before".into() });
            }
            let settled = settle(unit, &facts)?;
            let sql = "UPDATE payment_event SET settled_at = ?2, account_id = ?3, outcome = ?4
                       WHERE id = ?1";
            let account = settled.account.as_ref().map(AccountId::as_str);
            let values = params![event, unit.now().0, account, settled.outcome];
            unit.rows().prepare_cached(sql)?.execute(values)?;
            Ok(settled)
        })
        .await
    }

    /// Books what `facts` ask for, where somebody asked without an event.
    ///
    /// # Errors
    /// Like [`Store::settle_event`].
    pub async fn settle_facts(&self, facts: Facts) -> Result<Settled, Error> {
        self.write(move |unit| settle(unit, &facts)).await
    }

    /// Who an account is at the vendor.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_customer(&self, account: &AccountId) -> Result<Option<String>, Error> {
        let account = account.clone();
        let sql = "SELECT id FROM customer WHERE account_id = ?1";
        self.read(move |rows| one(rows, sql, [account.as_str()], |row| Ok(row.get(0)?))).await
    }

    /// Remembers who an account is at the vendor; the one that was remembered first stays, and is
    /// the answer.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`]; faults of the database.
    pub async fn keep_customer(&self, account: &AccountId, id: String) -> Result<String, Error> {
        let account = account.clone();
        self.write(move |unit| {
            let rows = unit.rows();
            let sql = "INSERT INTO customer (account_id, id, created_at)
                       SELECT id, ?2, ?3 FROM account WHERE id = ?1 AND deleted_at IS NULL
                       ON CONFLICT (account_id) DO NOTHING";
            rows.prepare_cached(sql)?.execute(params![account.as_str(), id, unit.now().0])?;
            let sql = "SELECT id FROM customer WHERE account_id = ?1";
            one(rows, sql, [account.as_str()], |row| Ok(row.get(0)?))?.ok_or(Error::AccountUnknown)
        })
        .await
    }
}

fn settle(unit: &mut Unit<'_>, facts: &Facts) -> Result<Settled, Error> {
    let rows = unit.rows();
    let sql = "SELECT account_id FROM customer WHERE id = ?1";
    let account = match &facts.customer {
        Some(customer) => one(rows, sql, [customer], |row| column(row, "account_id"))?,
        None => None,
    };
    let Some(account): Option<AccountId> = account else {
        return Ok(Settled { account: None, outcome: "no account of ours is concerned".into() });
    };
    let mut told = Vec::new();
    if let Some(it) = &facts.subscription {
        told.extend(subscription(unit, (&account, it), facts.seen_at)?);
    }
    if let Some(invoice) = &facts.invoice {
        told.extend(self::invoice(unit, (&account, invoice), facts.seen_at)?);
    }
    let outcome = if told.is_empty() { "nothing to do".to_owned() } else { told.join("; ") };
    Ok(Settled { account: Some(account), outcome })
}

fn subscription(
    unit: &mut Unit<'_>,
    (account, it): (&AccountId, &Subscription),
    seen_at: Timestamp,
) -> Result<Vec<String>, Error> {
    let (rows, now) = (unit.rows(), unit.now());
    if it.source != Source::Stripe || !save(rows, (account, it), seen_at)? {
        return Err(Error::SeenBefore);
    }
    let mut told = vec![format!("{} of plan {} is {}", it.id, it.plan, it.status.as_str())];
    // Whoever pays for a plan has no use for one that was given: two would grant twice.
    if let Some(given) = live_given(rows, account)?.filter(|_| it.is_live()) {
        save(rows, (account, &cancel(&given, true, now)), now)?;
        told.push(format!("it replaces {} of the operator", given.plan));
    }
    Ok(told)
}

fn invoice(
    unit: &mut Unit<'_>,
    (account, invoice): (&AccountId, &Invoice),
    seen_at: Timestamp,
) -> Result<Vec<String>, Error> {
    let (mut standing, last_seen) = standing(unit.rows(), account, invoice)?;
    if last_seen.is_some_and(|last| last > seen_at) {
        return Err(Error::SeenBefore);
    }
    let mut told = Vec::new();
    while let Some(settling) = standing.next(invoice) {
        standing = booked(unit, account, (&standing, &settling))?;
        told.push(step(&standing, &invoice.id));
    }
    let sql = "INSERT INTO invoice
                   (id, account_id, subscription_id, granted, asked, taken, steps, seen_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
               ON CONFLICT (id) DO UPDATE SET granted = excluded.granted, asked = excluded.asked,
                   taken = excluded.taken, steps = excluded.steps, seen_at = excluded.seen_at";
    unit.rows().prepare_cached(sql)?.execute(params![
        invoice.id,
        account.as_str(),
        invoice.subscription,
        standing.granted.map(Credits::get),
        standing.asked.get(),
        standing.taken.get(),
        standing.steps,
        seen_at.0,
    ])?;
    Ok(told)
}

fn booked(
    unit: &mut Unit<'_>,
    account: &AccountId,
    (standing, settling): (&Standing, &Settling),
) -> Result<Standing, Error> {
    let after = |taken| standing.after(settling, taken);
    Ok(match book(unit, account, &settling.command)? {
        Booked::Done(taken) => after(taken),
        Booked::Before => after(Credits::ZERO),
        // A month that was over before anybody heard of it has granted nothing.
        Booked::TooLate if standing.granted.is_none() => {
            Standing { granted: Some(Credits::ZERO), ..*standing }
        }
        Booked::TooLate => after(Credits::ZERO),
    })
}

fn step(standing: &Standing, invoice: &str) -> String {
    let granted = standing.granted.unwrap_or_default();
    match (standing.asked, standing.taken) {
        (Credits::ZERO, _) => format!("{granted} credits for {invoice}"),
        (asked, taken) => format!("{taken} of {asked} credits of {invoice} taken back"),
    }
}

fn standing(
    rows: &Connection,
    account: &AccountId,
    invoice: &Invoice,
) -> Result<(Standing, Option<Timestamp>), Error> {
    let sql = "SELECT granted, asked, taken, steps, seen_at, account_id FROM invoice WHERE id = ?1";
    let read = |row: &Row<'_>| {
        let owner: AccountId = column(row, "account_id")?;
        let granted: Option<i64> = row.get("granted")?;
        let standing = Standing {
            granted: granted.map(credits).transpose()?,
            asked: credits(row.get("asked")?)?,
            taken: credits(row.get("taken")?)?,
            steps: row.get("steps")?,
        };
        Ok((owner, standing, Timestamp(row.get("seen_at")?)))
    };
    match one(rows, sql, [&invoice.id], read)? {
        None => Ok((Standing::default(), None)),
        Some((owner, standing, seen)) if owner == *account => Ok((standing, Some(seen))),
        // A customer belongs to one account for ever, and an invoice to one customer.
        Some(_) => Err(Error::Corrupt { what: format!("{} is another account's", invoice.id) }),
    }
}
