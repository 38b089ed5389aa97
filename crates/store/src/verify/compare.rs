//! Compares a replayed ledger with the stored one.

use std::collections::BTreeMap;

use retouch_core::credits::{Book, KeyUse};

use super::VerifyReport;
use super::replay::stored_hold;
use crate::Error;
use crate::rows::{Row, Rows, all, one, params};
use crate::transaction::{balance_from_row, bucket_from_row, key_use_from_row};

/// Compares the result of an account's entries with what is stored for it.
pub(super) fn account(
    rows: &Rows,
    account: &str,
    book: &Book,
    report: &mut VerifyReport,
) -> Result<(), Error> {
    let sql = "SELECT granted, available, held, spent, expired, taken_back, seq, buckets, last_at,
                   debt
               FROM balance WHERE account_id = ?1";
    let stored = readable(one(rows, sql, [account], balance_from_row))?;
    if stored != Some(Some(book.balance)) {
        report.note(account, "the stored balance does not match its entries");
    }
    buckets(rows, account, book, report)?;
    holds(rows, account, book, report)?;
    keys(rows, account, book, report)
}

fn buckets(
    rows: &Rows,
    account: &str,
    book: &Book,
    report: &mut VerifyReport,
) -> Result<(), Error> {
    let sql = "SELECT number, kind, priority, expires_at, source_key,
                   granted, remaining, held, spent, expired, taken_back
               FROM bucket WHERE account_id = ?1";
    let stored = readable(all(rows, sql, [account], bucket_from_row))?.unwrap_or_default();
    let stored: BTreeMap<_, _> = stored.into_iter().map(|bucket| (bucket.number, bucket)).collect();
    for (number, bucket) in &book.buckets {
        if stored.get(number) != Some(bucket) {
            let what = format!("bucket {number} does not match its entries");
            report.note(account, what);
        }
    }
    for number in stored.keys().filter(|number| !book.buckets.contains_key(number)) {
        report.note(account, format!("bucket {number} has no entries"));
    }
    Ok(())
}

fn holds(rows: &Rows, account: &str, book: &Book, report: &mut VerifyReport) -> Result<(), Error> {
    for (id, hold) in &book.holds {
        if stored_hold(rows, account, *id)?.as_ref() != Some(hold) {
            report.note(account, format!("hold {id} does not match its entries"));
        }
    }
    Ok(())
}

fn keys(rows: &Rows, account: &str, book: &Book, report: &mut VerifyReport) -> Result<(), Error> {
    let sql = "SELECT key_id, credits, day, day_credits, month, month_credits FROM key_use
               WHERE account_id = ?1";
    let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, key_use_from_row(row, 1)?));
    let stored: BTreeMap<String, KeyUse> = all(rows, sql, [account], read)?.into_iter().collect();
    let given = book.keys.iter();
    let given: BTreeMap<String, KeyUse> =
        given.map(|(key, used)| (key.to_string(), *used)).collect();
    if stored != given {
        report.note(account, "the stored use of the API keys does not match the entries");
    }
    Ok(())
}

/// Rows of the ledger without a balance, except holds.
pub(super) fn strays(rows: &Rows, report: &mut VerifyReport) -> Result<(), Error> {
    for table in ["account", "entry", "bucket", "key_use"] {
        let column = if table == "account" { "id" } else { "account_id" };
        // Each step finds the next account in the primary key. `SELECT DISTINCT` would read all
        // rows.
        let sql = format!(
            "WITH RECURSIVE named(id) AS (
                 SELECT MIN({column}) FROM {table}
                 UNION ALL
                 SELECT (SELECT MIN({column}) FROM {table} WHERE {column} > named.id)
                 FROM named WHERE named.id IS NOT NULL)
             SELECT id FROM named WHERE id IS NOT NULL AND NOT EXISTS (
                 SELECT 1 FROM balance WHERE balance.account_id = named.id) LIMIT 1000"
        );
        list_strays(rows, (table, &sql), report)?;
    }
    Ok(())
}

/// Holds of accounts without a balance.
pub(super) fn stray_holds(rows: &Rows, report: &mut VerifyReport) -> Result<(), Error> {
    // With NOT IN, PostgreSQL would read all balances for each row once there are many.
    let sql = "SELECT DISTINCT account_id FROM hold WHERE NOT EXISTS (
                   SELECT 1 FROM balance WHERE balance.account_id = hold.account_id) LIMIT 1000";
    list_strays(rows, ("hold", sql), report)
}

fn list_strays(
    rows: &Rows,
    (table, sql): (&str, &str),
    report: &mut VerifyReport,
) -> Result<(), Error> {
    for account in all(rows, sql, params![], |row| row.get::<_, String>(0))? {
        report.note(
            &account,
            format!("table {table} has rows of this account, but there is no balance"),
        );
    }
    Ok(())
}

/// How many holds are stored.
pub(super) fn count_holds(rows: &Rows) -> Result<u64, Error> {
    let count: Option<i64> = one(rows, "SELECT COUNT(*) FROM hold", params![], |row| row.get(0))?;
    Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default())
}

/// Holds without an entry. A missing hold shows up when the entries are replayed.
pub(super) fn hold_counts(rows: &Rows, report: &mut VerifyReport) -> Result<(), Error> {
    let sql = "SELECT stored.account_id FROM
                   (SELECT account_id, COUNT(*) AS holds FROM hold GROUP BY account_id) stored
               LEFT JOIN (SELECT account_id, COUNT(*) AS holds FROM entry WHERE kind = 'hold'
                   GROUP BY account_id) made ON made.account_id = stored.account_id
               WHERE stored.holds > COALESCE(made.holds, 0) LIMIT 1000";
    for account in all(rows, sql, params![], |row| row.get::<_, String>(0))? {
        report.note(&account, "there are holds without an entry");
    }
    Ok(())
}

/// Edits that do not match their hold. Each must have one, and its charge must be the cost of the
/// edit.
pub(super) fn edits(rows: &Rows, report: &mut VerifyReport) -> Result<(), Error> {
    let sql = "SELECT edit.account_id, edit.id FROM edit
               LEFT JOIN hold ON hold.id = edit.id AND hold.account_id = edit.account_id
               WHERE NOT COALESCE(CASE edit.status
                   WHEN 'processing' THEN hold.state = 'held' AND hold.amount = edit.cost
                   WHEN 'succeeded' THEN hold.state = 'captured' AND hold.captured = edit.cost
                   ELSE hold.state = 'released' AND edit.cost = 0 END, FALSE)
               LIMIT 1000";
    let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
    for (account, edit) in all(rows, sql, params![], read)? {
        report.note(&account, format!("edit {edit} and its hold ended differently"));
    }
    Ok(())
}

/// Invoices whose credits do not match the entries of their account: the granted credits, less
/// those that were taken back or are owed.
pub(super) fn invoices(rows: &Rows, report: &mut VerifyReport) -> Result<(), Error> {
    let sql = "SELECT account_id, id FROM invoice
               WHERE granted > 0 AND granted - taken <> (
                   SELECT COALESCE(SUM(entry.granted - entry.taken_back - entry.debt), 0)
                   FROM entry WHERE entry.account_id = invoice.account_id
                       AND (entry.source_key = 'stripe:' || invoice.id
                           OR entry.source_key LIKE 'stripe:' || invoice.id || ':%'))
               LIMIT 1000";
    let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
    for (account, invoice) in all(rows, sql, params![], read)? {
        report.note(&account, format!("the credits of {invoice} do not match its entries"));
    }
    Ok(())
}

/// `None` if a row contains something that this program cannot have written.
fn readable<T>(answer: Result<T, Error>) -> Result<Option<T>, Error> {
    match answer {
        Err(Error::Corrupt { .. }) => Ok(None),
        answer => answer.map(Some),
    }
}
