//! Rebuilds an account's ledger from its entries alone.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::mpsc::{self, SyncSender};
use std::{iter, thread};

use retouch_core::credits::{Book, Delta, Entry, EntryKind, Hold, HoldState};
use retouch_core::{EditId, Timestamp};

use super::VerifyReport;
use crate::Error;
use crate::error::credits;
use crate::rows::{Row, Rows, all, one, params};
use crate::transaction::{hold_from_row, legs_from_text};

/// The first column of the hold in the row of an entry.
const HOLD_AT: usize = 16;

/// How many entries are read at a time.
const PAGE_ENTRIES: usize = 1_000;
/// How many pages of entries wait in memory.
const PAGES_AHEAD: usize = 4;

/// Entries by their number.
type Page = Vec<(i64, Replayed)>;

/// An entry, and the hold as it is stored if the entry ends it.
type Replayed = (Result<Entry, String>, Option<Hold>);

/// Replays an account's entries. If they are inconsistent, reports that and returns `None`. A hold
/// that ends is compared right away and then forgotten. Of an account with many entries, the next
/// ones are read while earlier ones are replayed.
pub(super) fn account(
    rows: &Rows,
    account: &str,
    report: &mut VerifyReport,
) -> Result<Option<Book>, Error> {
    let mut replay = Replay { book: Book::default(), begun: Begun::default(), account, report };
    let first = page(rows, account, i64::MIN)?;
    let last = first.last().filter(|_| first.len() == PAGE_ENTRIES).map(|(seq, _)| *seq);
    let Some(last) = last else {
        return Ok(replay.pages([first]).then(|| replay.ended()));
    };
    thread::scope(|scope| {
        let (sender, pages) = mpsc::sync_channel(PAGES_AHEAD);
        let replaying = scope
            .spawn(move || replay.pages(iter::once(first).chain(pages)).then(|| replay.ended()));
        let read = read_on(rows, (account, last), &sender);
        drop(sender);
        let book = replaying.join().map_err(|_| Error::Panicked)?;
        read.map(|()| book)
    })
}

/// Sends the entries after `last`, until there are no more or nobody wants them.
fn read_on(
    rows: &Rows,
    (account, mut last): (&str, i64),
    sender: &SyncSender<Page>,
) -> Result<(), Error> {
    loop {
        let page = page(rows, account, last)?;
        let Some((seq, _)) = page.last() else { return Ok(()) };
        last = *seq;
        if sender.send(page).is_err() {
            return Ok(());
        }
    }
}

/// The entries after `last`, up to [`PAGE_ENTRIES`].
fn page(rows: &Rows, account: &str, last: i64) -> Result<Page, Error> {
    // A hold that is another account's is as wrong as none.
    let sql = "SELECT entry.seq, entry.kind, entry.at, granted, available, entry.held, spent,
                   expired, taken_back, legs, available_after, held_after, hold_id,
                   entry.key_id, source_key, debt,
                   hold.amount, captured, state, hold.key_id, allocation, hold.at
               FROM entry LEFT JOIN hold ON hold.id = entry.hold_id
                   AND hold.account_id = entry.account_id AND entry.kind <> 'hold'
               WHERE entry.account_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";
    let values = params![account, last, PAGE_ENTRIES as i64];
    all(rows, sql, values, |row| Ok((row.get(0)?, (readable(row)?, stored(row)?))))
}

/// A ledger that is being rebuilt.
struct Replay<'a> {
    book: Book,
    begun: Begun,
    account: &'a str,
    report: &'a mut VerifyReport,
}

impl Replay<'_> {
    /// Replays entries. Returns whether they are consistent.
    fn pages(&mut self, pages: impl IntoIterator<Item = Page>) -> bool {
        for (_, (entry, stored)) in pages.into_iter().flatten() {
            self.report.entries += 1;
            let applied = entry.and_then(|entry| apply(&mut self.book, &entry).map(|()| entry));
            match applied {
                Ok(entry) => self.compare(&entry, stored.as_ref()),
                Err(what) => {
                    self.report.note(self.account, what);
                    return false;
                }
            }
        }
        true
    }

    /// The book after all entries.
    fn ended(self) -> Book {
        if let Err(broken) = self.book.check() {
            self.report.note(self.account, broken.to_string());
        }
        self.book
    }

    /// Compares the hold of an entry with the stored one if it has ended. It leaves the book, which
    /// otherwise would grow with every hold. A hold that is open is compared later.
    fn compare(&mut self, entry: &Entry, stored: Option<&Hold>) {
        let Some(id) = entry.hold else { return };
        if entry.kind == EntryKind::Hold {
            self.report.holds += 1;
            if !self.begun.is_new(entry.at, id) {
                let what = format!("entry {}: hold {id} had already begun", entry.seq);
                self.report.note(self.account, what);
            }
        }
        let has_ended = self.book.holds.get(&id).is_some_and(|hold| hold.state != HoldState::Held);
        if has_ended && self.book.holds.remove(&id).as_ref() != stored {
            self.report.note(self.account, format!("hold {id} does not match its entries"));
        }
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
            debt: row.get(15)?,
        },
        legs: legs.map_err(|_| corrupt("unreadable legs"))?,
        available_after: credits(row.get(10)?).map_err(|_| corrupt("a negative balance"))?,
        held_after: credits(row.get(11)?).map_err(|_| corrupt("a negative balance"))?,
        hold: hold.transpose().map_err(|_| corrupt("not the id of a hold"))?,
        key: key.transpose().map_err(|_| corrupt("not the id of a key"))?,
        source_key: row.get(14)?,
        // The replay does not need it.
        description: Cow::Borrowed(""),
    })
}
