//! The one function that decides every credit command.

use std::borrow::Cow;

use super::{Book, Command, Credits, Delta, Entry, EntryKind, Grant, Leg, Opening, Refused};
use crate::Timestamp;

mod burn;
mod debt;
mod settle;

/// How long credits that come back after their bucket has expired can still be used, in
/// milliseconds: 7 days (rounded up to a full hour, so that an account has few such buckets).
pub const GRACE_MS: i64 = 7 * 24 * 3_600_000;

/// Decides a command on an account's book at `now`. Returns the entries to book, in order. Expired
/// credits are booked first, and a debt is paid last. If the clock went back, the time of the
/// latest entry is used.
///
/// # Errors
/// [`Refused`] if the command is not possible. The book never changes here.
pub fn decide(book: &Book, command: &Command, now: Timestamp) -> Result<Vec<Entry>, Refused> {
    let at = now.max(book.balance.last_at);
    let mut entries: Vec<Entry> = expire(book, at).into_iter().collect();
    let mut book = Cow::Borrowed(book);
    for expiry in &entries {
        // Applying the entries will report a book that contradicts itself. Until then, decide
        // nothing on it.
        if book.to_mut().apply(expiry).is_err() {
            return Ok(entries);
        }
    }
    let Some(entry) = settle(&book, command, at)? else { return Ok(entries) };
    // A debt is paid from available credits as soon as there are any.
    let owes = !book.balance.debt.is_zero() || entry.delta.debt > 0;
    let payment = match owes && book.to_mut().apply(&entry).is_ok() {
        true => debt::pay(&book, at),
        false => None,
    };
    entries.push(entry);
    entries.extend(payment);
    Ok(entries)
}

fn settle(book: &Book, command: &Command, at: Timestamp) -> Result<Option<Entry>, Refused> {
    match command {
        Command::Expire => Ok(None),
        Command::Grant(grant) => self::grant(book, grant, at).map(Some),
        Command::Paid(grant) => debt::paid(book, grant, at).map(Some),
        Command::Hold(hold) => settle::hold(book, hold, at).map(Some),
        Command::Capture { hold, credits } => settle::capture(book, *hold, *credits, at).map(Some),
        Command::Release { hold } => settle::release(book, *hold, at).map(Some),
        Command::TakeBack(wanted) => debt::take_back(book, wanted, at).map(Some),
    }
}

fn expire(book: &Book, at: Timestamp) -> Option<Entry> {
    let legs: Vec<Leg> = book
        .buckets
        .values()
        .filter(|bucket| !bucket.remaining.is_zero() && bucket.has_expired(at))
        .map(|bucket| {
            let lost = bucket.remaining.get();
            leg(bucket.number, Delta { available: -lost, expired: lost, ..Delta::default() })
        })
        .collect();
    (!legs.is_empty()).then(|| Entry {
        description: Cow::Borrowed("Expired"),
        ..entry(book, EntryKind::Expire, at, legs)
    })
}

fn grant(book: &Book, grant: &Grant, at: Timestamp) -> Result<Entry, Refused> {
    once(book, &grant.source_key)?;
    if grant.credits.is_zero() {
        return Err(Refused::Nothing);
    }
    if is_late(grant, at) {
        return Err(Refused::ExpiresInThePast);
    }
    if book.balance.granted.checked_add(grant.credits).is_none() {
        return Err(Refused::TooMany);
    }
    let credits = grant.credits.get();
    let delta = Delta { granted: credits, available: credits, ..Delta::default() };
    let legs = vec![opened(book, grant, delta)];
    Ok(Entry {
        source_key: Some(grant.source_key.clone()),
        description: Cow::Owned(grant.description.clone()),
        ..entry(book, EntryKind::Grant, at, legs)
    })
}

/// Whether the credits would already have expired.
fn is_late(grant: &Grant, at: Timestamp) -> bool {
    grant.expires_at.is_some_and(|moment| moment <= at)
}

/// The leg that opens the bucket of a grant.
fn opened(book: &Book, grant: &Grant, delta: Delta) -> Leg {
    let opening = Opening {
        kind: grant.kind,
        priority: grant.priority.unwrap_or(grant.kind.priority()),
        expires_at: grant.expires_at,
    };
    let bucket = book.balance.buckets.saturating_add(1);
    Leg { bucket, delta, opening: Some(opening) }
}

fn once(book: &Book, source_key: &str) -> Result<(), Refused> {
    if book.sources.contains(source_key) {
        return Err(Refused::AlreadyGranted { source_key: source_key.to_owned() });
    }
    Ok(())
}

fn leg(bucket: u32, delta: Delta) -> Leg {
    Leg { bucket, delta, opening: None }
}

/// The book's next entry. [`Book::apply`] checks what is computed here.
fn entry(book: &Book, kind: EntryKind, at: Timestamp, legs: Vec<Leg>) -> Entry {
    let delta = legs.iter().fold(Delta::default(), |sum, leg| sum.plus(leg.delta));
    let after = |part: Credits, change| part.changed_by(change).unwrap_or_default();
    Entry {
        seq: book.balance.seq + 1,
        kind,
        at,
        delta,
        legs,
        available_after: after(book.balance.available, delta.available),
        held_after: after(book.balance.held, delta.held),
        hold: None,
        key: None,
        source_key: None,
        description: Cow::Borrowed(""),
    }
}
