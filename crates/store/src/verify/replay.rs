//! A book made anew from its entries alone.

use std::borrow::Cow;

use retouch_core::credits::{Book, Delta, Entry, EntryKind, HoldState};
use retouch_core::{EditId, Timestamp};
use rusqlite::{Connection, Row};

use super::VerifyReport;
use crate::Error;
use crate::error::credits;
use crate::sqlite::{hold_from_row, legs_from_text, one};

/// Replays an account's entries; none where they contradict themselves, which is noted. A hold
/// that ends is compared at once and then forgotten.
pub(super) fn account(
    rows: &Connection,
    account: &str,
    report: &mut VerifyReport,
) -> Result<Option<Book>, Error> {
    let sql = "SELECT seq, kind, at, granted, available, held, spent, expired, taken_back, legs,
                   available_after, held_after, hold_id, key_id, source_key, description
               FROM entry WHERE account_id = ?1 ORDER BY seq";
    let mut statement = rows.prepare_cached(sql)?;
    let mut entries = statement.query([account])?;
    let mut book = Book::default();
    while let Some(row) = entries.next()? {
        report.entries += 1;
        let entry = match entry_from_row(row) {
            Ok(entry) => entry,
            Err(Error::Corrupt { what }) => {
                report.note(account, what);
                return Ok(None);
            }
            Err(fault) => return Err(fault),
        };
        if let Err(broken) = book.apply(&entry) {
            report.note(account, broken.to_string());
            return Ok(None);
        }
        book.sources.clear();
        if let Some(id) = entry.hold {
            ended_hold(rows, (account, &mut book, id), report)?;
        }
    }
    if let Err(broken) = book.check() {
        report.note(account, broken.to_string());
    }
    Ok(Some(book))
}

fn ended_hold(
    rows: &Connection,
    (account, book, id): (&str, &mut Book, EditId),
    report: &mut VerifyReport,
) -> Result<(), Error> {
    let Some(hold) = book.holds.get(&id).filter(|hold| hold.state != HoldState::Held) else {
        return Ok(());
    };
    if stored_hold(rows, account, id)?.as_ref() != Some(hold) {
        report.note(account, format!("hold {id} is stored otherwise than its entries give it"));
    }
    book.holds.remove(&id);
    Ok(())
}

/// A hold as it is stored; none where it is missing, another account's, or unreadable.
pub(super) fn stored_hold(
    rows: &Connection,
    account: &str,
    id: EditId,
) -> Result<Option<retouch_core::credits::Hold>, Error> {
    let sql = "SELECT amount, captured, state, key_id, allocation FROM hold
               WHERE id = ?1 AND account_id = ?2";
    match one(rows, sql, [&id.to_string(), account], hold_from_row) {
        Err(Error::Corrupt { .. }) => Ok(None),
        hold => hold,
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
        },
        legs: legs_from_text(&legs).map_err(|_| corrupt("unreadable legs"))?,
        available_after: credits(row.get(10)?).map_err(|_| corrupt("a negative balance"))?,
        held_after: credits(row.get(11)?).map_err(|_| corrupt("a negative balance"))?,
        hold: hold.map(|id| id.parse().map_err(|_| corrupt("no hold's name"))).transpose()?,
        key: key.map(|id| id.parse().map_err(|_| corrupt("no key's name"))).transpose()?,
        source_key: row.get(14)?,
        description: Cow::Owned(row.get(15)?),
    })
}
