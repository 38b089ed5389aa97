//! Invoices, and booking what all invoices of a customer are worth together. A pack of credits is
//! stored as an invoice of its own, without a customer and a claim: it counts only for itself.

use std::collections::BTreeMap;

use retouch_core::billing::{Claim, Facts, Invoice, Pack, Standing, Terms, dues};
use retouch_core::credits::{BucketKind, Command};
use retouch_core::{AccountId, Credits, Timestamp};

use super::book;
use crate::Error;
use crate::error::credits;
use crate::rows::{Row, Rows, all, column, one, params};
use crate::transaction::Transaction;

/// An invoice whose state is known.
pub(super) struct Known {
    id: String,
    pub(super) standing: Standing,
    pub(super) seen_at: Timestamp,
    /// What it is worth. `None` if it is not paid.
    claim: Option<Claim>,
}

/// The result of settling a customer's invoices.
#[derive(Default)]
pub(super) struct Booked {
    /// Sentences about it, for the operator.
    pub(super) told: Vec<String>,
    /// The source keys of entries that left a debt.
    pub(super) owed: Vec<String>,
}

/// Saves what the invoices in `facts` are worth, then books the difference for all invoices of the
/// customer. The account must be locked.
pub(super) fn settle(
    tx: &mut Transaction<'_>,
    account: &AccountId,
    customer: &str,
    facts: &Facts,
) -> Result<Booked, Error> {
    let seen = Seen { account, customer, at: facts.seen_at };
    for invoice in facts.given_back.iter().chain(&facts.invoice) {
        note(tx.rows(), &seen, invoice)?;
    }
    let mut booked = Booked::default();
    if let Some(pack) = &facts.pack {
        settle_pack(tx, &seen, pack, &mut booked)?;
    }
    if facts.invoice.is_none() && facts.given_back.is_empty() {
        return Ok(booked);
    }
    let known = of_customer(tx.rows(), customer)?;
    let claims = known.iter().filter_map(|it| Some((it.id.as_str(), it.claim.as_ref()?)));
    let dues: BTreeMap<&str, Credits> = dues(claims);
    // Take credits back first, so that nothing is granted that another invoice owes.
    let due = |it: &Known| dues.get(it.id.as_str()).copied().unwrap_or_default();
    let worth = |it| Some(Worth { invoice: it, due: due(it), terms: terms(it)? });
    let mut ordered: Vec<_> = known.iter().filter_map(worth).collect();
    ordered.sort_by_key(|it| it.invoice.standing.granted.unwrap_or_default() <= it.due);
    for worth in &ordered {
        bring(tx, account, worth, &mut booked)?;
    }
    Ok(booked)
}

/// The kind and the expiry of what an invoice grants. `None` if it is not paid.
fn terms(invoice: &Known) -> Option<Terms> {
    let expires_at = invoice.claim.as_ref()?.expires_at;
    Some(Terms { expired: Credits::ZERO, expires_at, kind: BucketKind::Plan })
}

/// Books what a pack is worth now.
fn settle_pack(
    tx: &mut Transaction<'_>,
    seen: &Seen<'_>,
    pack: &Pack,
    booked: &mut Booked,
) -> Result<(), Error> {
    let sql = "INSERT INTO invoice (id, account_id, subscription_id, asked, taken, steps, seen_at)
               VALUES (?1, ?2, '', 0, 0, 0, ?3)
               ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at";
    tx.rows().execute(sql, params![pack.id, seen.account.as_str(), seen.at.0])?;
    let Some(known) = find(tx.rows(), seen.account, &pack.id)? else { return Ok(()) };
    let terms = Terms { expired: Credits::ZERO, expires_at: None, kind: BucketKind::Purchase };
    bring(tx, seen.account, &Worth { invoice: &known, due: pack.due(), terms }, booked)
}

/// An invoice, and what it has to grant in the end.
struct Worth<'a> {
    invoice: &'a Known,
    due: Credits,
    terms: Terms,
}

/// Whose invoices a report is about, and when it was true.
struct Seen<'a> {
    account: &'a AccountId,
    customer: &'a str,
    at: Timestamp,
}

/// Books commands until the invoice has granted what it is worth.
fn bring(
    tx: &mut Transaction<'_>,
    account: &AccountId,
    Worth { invoice: it, due, terms }: &Worth<'_>,
    booked: &mut Booked,
) -> Result<(), Error> {
    let (id, mut standing) = (it.id.as_str(), it.standing);
    let terms = Terms { expired: expired(tx.rows(), account, id)?, ..*terms };
    while let Some(settling) = standing.next(id, *due, terms) {
        let effect = book(tx, account, &settling.command)?;
        standing = standing.after(&settling, effect.back);
        booked.told.push(step(&standing, id));
        if let Command::TakeBack(taken) = &settling.command
            && !effect.owed.is_zero()
        {
            booked.owed.push(taken.source_key.clone());
        }
    }
    let sql = "UPDATE invoice SET granted = ?2, asked = ?3, taken = ?4, steps = ?5 WHERE id = ?1";
    let granted = standing.granted.map(Credits::get);
    let values = params![id, granted, standing.asked.get(), standing.taken.get(), standing.steps];
    if standing != it.standing {
        tx.rows().execute(sql, values)?;
    }
    Ok(())
}

fn step(standing: &Standing, invoice: &str) -> String {
    let granted = standing.granted.unwrap_or_default();
    match (standing.asked, standing.taken) {
        (Credits::ZERO, _) => format!("{granted} credits for {invoice}"),
        (asked, taken) => format!("{taken} of {asked} credits of {invoice} taken back"),
    }
}

/// Saves what an invoice is worth, unless a later state is known.
fn note(rows: &Rows, seen: &Seen<'_>, invoice: &Invoice) -> Result<(), Error> {
    let Seen { account, customer, at } = *seen;
    if let Some(known) = find(rows, account, &invoice.id)?
        && known.seen_at > at
    {
        return Ok(());
    }
    let claim = invoice.claim().map(|claim| serde_json::to_string(&claim)).transpose()?;
    let sql = "INSERT INTO invoice (id, account_id, subscription_id, asked, taken, steps, seen_at,
                   customer_id, claim)
               VALUES (?1, ?2, ?3, 0, 0, 0, ?4, ?5, ?6)
               ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at,
                   customer_id = excluded.customer_id, claim = excluded.claim";
    let its = &invoice.subscription;
    let values = params![invoice.id, account.as_str(), its, at.0, customer, claim];
    rows.execute(sql, values)?;
    Ok(())
}

/// Finds a known invoice.
pub(super) fn find(rows: &Rows, account: &AccountId, id: &str) -> Result<Option<Known>, Error> {
    let sql = "SELECT id, granted, asked, taken, steps, seen_at, claim, account_id FROM invoice
               WHERE id = ?1";
    let read = |row: &Row<'_>| Ok((column::<AccountId>(row, "account_id")?, from_row(row)?));
    match one(rows, sql, [id], read)? {
        // An invoice belongs to one customer forever, and a customer to one account.
        Some((owner, _)) if owner != *account => {
            Err(Error::Corrupt { what: format!("invoice {id} belongs to another account") })
        }
        found => Ok(found.map(|(_, known)| known)),
    }
}

fn of_customer(rows: &Rows, customer: &str) -> Result<Vec<Known>, Error> {
    let sql = "SELECT id, granted, asked, taken, steps, seen_at, claim FROM invoice
               WHERE customer_id = ?1 ORDER BY id";
    all(rows, sql, [customer], from_row)
}

fn from_row(row: &Row<'_>) -> Result<Known, Error> {
    let granted: Option<i64> = row.get("granted")?;
    let claim: Option<String> = row.get("claim")?;
    Ok(Known {
        id: row.get("id")?,
        standing: Standing {
            granted: granted.map(credits).transpose()?,
            asked: credits(row.get("asked")?)?,
            taken: credits(row.get("taken")?)?,
            steps: row.get("steps")?,
        },
        seen_at: Timestamp(row.get("seen_at")?),
        claim: claim.map(|text| serde_json::from_str(&text)).transpose()?,
    })
}

/// How many of the credits granted for an invoice expired unused.
fn expired(rows: &Rows, account: &AccountId, id: &str) -> Result<Credits, Error> {
    let sql = "SELECT CAST(COALESCE(SUM(expired), 0) AS BIGINT) FROM bucket WHERE account_id = ?1
               AND (source_key = 'stripe:' || ?2 OR source_key LIKE 'stripe:' || ?2 || ':%')";
    let sum = one(rows, sql, params![account.as_str(), id], |row| credits(row.get(0)?))?;
    Ok(sum.unwrap_or_default())
}
