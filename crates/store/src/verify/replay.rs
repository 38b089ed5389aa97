//! Rebuilds an account's ledger from its entries alone.

use std::borrow::Cow;
use std::collections::HashMap;

use retouch_core::credits::{Book, Delta, Entry, EntryKind, Hold, HoldState};
use retouch_core::{EditId, Timestamp};

use super::{ROWS_AT_ONCE, VerifyReport};
use crate::Error;
use crate::error::credits;
use crate::rows::{Row, Rows, all, one, params};
use crate::transaction::{hold_from_row, legs_from_text};

/// Replays an account's entries. If they are inconsistent, reports that and returns `None`. A hold
/// that ends is compared right away and then forgotten.
pub(super) fn account(
    rows: &Rows,
    account: &str,
    report: &mut VerifyReport,
) -> Result<Option<Book>, Error> {
    let mut book = Book::default();
    let mut after = i64::MIN;
    loop {
        let sql =
            "SELECT seq, kind, at, granted, available, held, spent, expired, taken_back, legs,
                       available_after, held_after, hold_id, key_id, source_key, description,
                       debt
                   FROM entry WHERE account_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";
        let values = params![account, after, ROWS_AT_ONCE];
        let entries = all(rows, sql, values, |row| Ok((row.get(0)?, readable(row)?)))?;
        let Some((last, _)) = entries.last() else { break };
        let stored = named_holds(rows, account, after, *last)?;
        after = *last;
        for (_, entry) in entries {
            report.entries += 1;
            let applied = entry.and_then(|entry| apply(&mut book, &entry).map(|()| entry));
            match applied {
                Ok(entry) => {
                    if let Some(id) = entry.hold
                        && !is_hold_stored(&stored, &mut book, id)
                    {
                        report.note(account, format!("hold {id} does not match its entries"));
                    }
                }
                Err(what) => {
                    report.note(account, what);
                    return Ok(None);
                }
            }
        }
    }
    if let Err(broken) = book.check() {
        report.note(account, broken.to_string());
    }
    Ok(Some(book))
}

fn apply(book: &mut Book, entry: &Entry) -> Result<(), String> {
    book.apply(entry).map_err(|broken| broken.to_string())?;
    book.sources.clear();
    Ok(())
}

/// An entry, or what is wrong with its row.
fn readable(row: &Row<'_>) -> Result<Result<Entry, String>, Error> {
    match entry_from_row(row) {
        Ok(entry) => Ok(Ok(entry)),
        Err(Error::Corrupt { what }) => Ok(Err(what)),
        Err(fault) => Err(fault),
    }
}

/// The stored holds that the account's entries in this range refer to, as far as they can be read.
fn named_holds(
    rows: &Rows,
    account: &str,
    after: i64,
    last: i64,
) -> Result<HashMap<String, Hold>, Error> {
    let sql = "SELECT amount, captured, state, key_id, allocation, at, id FROM hold
               WHERE account_id = ?1 AND id IN (SELECT hold_id FROM entry
                   WHERE account_id = ?1 AND seq > ?2 AND seq <= ?3)";
    let read = |row: &Row<'_>| Ok((row.get("id")?, readable_hold(hold_from_row(row))?));
    let found = all(rows, sql, params![account, after, last], read)?;
    Ok(found.into_iter().filter_map(|(id, hold): (String, _)| Some((id, hold?))).collect())
}

/// Whether a hold that has ended is stored like this. It leaves the book, which otherwise would grow
/// with every hold. A hold that is open is compared later.
fn is_hold_stored(stored: &HashMap<String, Hold>, book: &mut Book, id: EditId) -> bool {
    if book.holds.get(&id).is_none_or(|hold| hold.state == HoldState::Held) {
        return true;
    }
    book.holds.remove(&id).as_ref() == stored.get(&id.to_string())
}

/// A hold as it is stored. `None` if it is missing, unreadable, or another account's.
pub(super) fn stored_hold(rows: &Rows, account: &str, id: EditId) -> Result<Option<Hold>, Error> {
    let sql = "SELECT amount, captured, state, key_id, allocation, at FROM hold
               WHERE id = ?1 AND account_id = ?2";
    let found = one(rows, sql, [&id.to_string(), account], hold_from_row);
    found.transpose().map_or(Ok(None), readable_hold)
}

/// `None` if the row contains something that this program cannot have written.
fn readable_hold(hold: Result<Hold, Error>) -> Result<Option<Hold>, Error> {
    match hold {
        Err(Error::Corrupt { .. }) => Ok(None),
        hold => hold.map(Some),
    }
}

fn entry_from_row(row: &Row<'_>) -> Result<Entry, Error> {
    let seq: i64 = row.get(0)?;
    let corrupt = |what: &str| Error::Corrupt { what: format!("entry {seq}: {what}") };
    let kind: String = row.get(1)?;
    let legs: String = row.get(9)?;
    let hold: Option<String> = row.get(12)?;
    let key: Option<String> = row.get(13)?;
    Ok(Entry {
        seq,
        kind: EntryKind::parse(&kind).ok_or_else(|| corrupt("unknown kind"))?,
        at: Timestamp(row.get(2)?),
        delta: Delta {
            granted: row.get(3)?,
            available: row.get(4)?,
            held: row.get(5)?,
            spent: row.get(6)?,
            expired: row.get(7)?,
            taken_back: row.get(8)?,
            debt: row.get(16)?,
        },
        legs: legs_from_text(&legs).map_err(|_| corrupt("unreadable legs"))?,
        available_after: credits(row.get(10)?).map_err(|_| corrupt("a negative balance"))?,
        held_after: credits(row.get(11)?).map_err(|_| corrupt("a negative balance"))?,
        hold: hold.map(|id| id.parse().map_err(|_| corrupt("not the id of a hold"))).transpose()?,
        key: key.map(|id| id.parse().map_err(|_| corrupt("not the id of a key"))).transpose()?,
        source_key: row.get(14)?,
        description: Cow::Owned(row.get(15)?),
    })
}
