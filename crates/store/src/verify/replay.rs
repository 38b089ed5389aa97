//! Rebuilds an account's ledger from its entries alone.

use std::borrow::Cow;
use std::collections::HashSet;

use retouch_core::credits::{Book, Delta, Entry, EntryKind, Hold, HoldState};
use retouch_core::{EditId, Timestamp};

use super::{ROWS_AT_ONCE, VerifyReport};
use crate::Error;
use crate::error::credits;
use crate::rows::{Row, Rows, all, one, params};
use crate::transaction::{hold_from_row, legs_from_text};

/// The first column of the hold in the row of an entry.
const HOLD_AT: usize = 17;

/// An entry, and the hold as it is stored if the entry ends it.
type Replayed = (Result<Entry, String>, Option<Hold>);

/// Replays an account's entries. If they are inconsistent, reports that and returns `None`. A hold
/// that ends is compared right away and then forgotten.
pub(super) fn account(
    rows: &Rows,
    account: &str,
    report: &mut VerifyReport,
) -> Result<Option<Book>, Error> {
    let mut book = Book::default();
    let mut begun = Begun::default();
    let mut after = i64::MIN;
    loop {
        // A hold that is another account's is as wrong as none.
        let sql = "SELECT entry.seq, entry.kind, entry.at, granted, available, entry.held, spent,
                       expired, taken_back, legs, available_after, held_after, hold_id,
                       entry.key_id, source_key, description, debt,
                       hold.amount, captured, state, hold.key_id, allocation, hold.at
                   FROM entry LEFT JOIN hold ON hold.id = entry.hold_id
                       AND hold.account_id = entry.account_id AND entry.kind <> 'hold'
                   WHERE entry.account_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";
        let values = params![account, after, ROWS_AT_ONCE];
        let read = |row: &Row<'_>| Ok((row.get(0)?, (readable(row)?, stored(row)?)));
        let entries: Vec<(i64, Replayed)> = all(rows, sql, values, read)?;
        let Some((last, _)) = entries.last() else { break };
        after = *last;
        for (_, (entry, stored)) in entries {
            report.entries += 1;
            let applied = entry.and_then(|entry| apply(&mut book, &entry).map(|()| entry));
            match applied {
                Ok(entry) => compare(&mut book, (&entry, stored), &mut begun, (account, report)),
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

/// Compares the hold of an entry with the stored one if it has ended. It leaves the book, which
/// otherwise would grow with every hold. A hold that is open is compared later.
fn compare(
    book: &mut Book,
    (entry, stored): (&Entry, Option<Hold>),
    begun: &mut Begun,
    (account, report): (&str, &mut VerifyReport),
) {
    let Some(id) = entry.hold else { return };
    if entry.kind == EntryKind::Hold {
        report.holds += 1;
        if !begun.is_new(entry.at, id) {
            report.note(account, format!("entry {}: hold {id} had already begun", entry.seq));
        }
    }
    let has_ended = book.holds.get(&id).is_some_and(|hold| hold.state != HoldState::Held);
    if has_ended && book.holds.remove(&id) != stored {
        report.note(account, format!("hold {id} does not match its entries"));
    }
}

/// The holds that have begun in one millisecond. A hold that began twice could match its row twice,
/// but then both began at the time in that row.
#[derive(Default)]
struct Begun {
    at: Timestamp,
    ids: HashSet<EditId>,
}

impl Begun {
    fn is_new(&mut self, at: Timestamp, id: EditId) -> bool {
        if self.at != at {
            self.at = at;
            self.ids.clear();
        }
        self.ids.insert(id)
    }
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

/// The hold in the row of an entry. `None` if there is none, or it is unreadable.
fn stored(row: &Row<'_>) -> Result<Option<Hold>, Error> {
    match row.get::<_, Option<i64>>(HOLD_AT)? {
        Some(_) => readable_hold(hold_from_row(row, HOLD_AT)),
        None => Ok(None),
    }
}

/// A hold as it is stored. `None` if it is missing, unreadable, or another account's.
pub(super) fn stored_hold(rows: &Rows, account: &str, id: EditId) -> Result<Option<Hold>, Error> {
    let sql = "SELECT amount, captured, state, key_id, allocation, at FROM hold
               WHERE id = ?1 AND account_id = ?2";
    let found = one(rows, sql, [&id.to_string(), account], |row| hold_from_row(row, 0));
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
    let kind = row.text(1)?.and_then(EntryKind::parse);
    let legs = legs_from_text(row.text(9)?.unwrap_or_default());
    let (hold, key) = (row.text(12)?.map(str::parse), row.text(13)?.map(str::parse));
    Ok(Entry {
        seq,
        kind: kind.ok_or_else(|| corrupt("unknown kind"))?,
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
        legs: legs.map_err(|_| corrupt("unreadable legs"))?,
        available_after: credits(row.get(10)?).map_err(|_| corrupt("a negative balance"))?,
        held_after: credits(row.get(11)?).map_err(|_| corrupt("a negative balance"))?,
        hold: hold.transpose().map_err(|_| corrupt("not the id of a hold"))?,
        key: key.transpose().map_err(|_| corrupt("not the id of a key"))?,
        source_key: row.get(14)?,
        description: Cow::Owned(row.get(15)?),
    })
}
