//! Takes credits back, and handles the debt that remains if they were already spent.

use std::borrow::Cow;

use super::{burn, entry, is_late, leg, once, opened};
use crate::Timestamp;
use crate::credits::{
    Allotment, Book, Credits, Delta, Entry, EntryKind, Grant, Leg, Refused, TakeBack,
};

/// Takes credits back. What is not available becomes a debt if the command says so.
pub(super) fn take_back(book: &Book, wanted: &TakeBack, at: Timestamp) -> Result<Entry, Refused> {
    once(book, &wanted.source_key)?;
    if wanted.credits.is_zero() {
        return Err(Refused::Nothing);
    }
    let parts = match &wanted.only_from {
        None => burn::take(book, wanted.credits.min(book.balance.available)),
        Some(source) => burn::take_from(book, wanted.credits, |bucket| bucket.is_from(source)),
    };
    let taken: i64 = parts.iter().map(|part| part.credits.get()).sum();
    let excused_max = wanted.excused_max.unwrap_or(wanted.credits).get();
    let debt = (wanted.credits.get() - taken - excused_max).max(0);
    if book.balance.debt.changed_by(debt).is_none() {
        return Err(Refused::TooMany);
    }
    let taken_back = entry(book, EntryKind::TakeBack, at, legs(parts));
    Ok(Entry {
        source_key: Some(wanted.source_key.clone()),
        description: Cow::Owned(wanted.description.clone()),
        delta: Delta { debt, ..taken_back.delta },
        ..taken_back
    })
}

/// Pays as much of the debt as the available credits allow. None if there is nothing to pay.
pub(super) fn pay(book: &Book, at: Timestamp) -> Option<Entry> {
    let credits = book.balance.debt.min(book.balance.available);
    if credits.is_zero() {
        return None;
    }
    let paid = entry(book, EntryKind::TakeBack, at, legs(burn::take(book, credits)));
    Some(Entry {
        description: Cow::Borrowed("Used to pay owed credits"),
        delta: Delta { debt: -credits.get(), ..paid.delta },
        ..paid
    })
}

/// Books credits that were paid for: they pay a debt first, and the rest opens a bucket.
pub(super) fn paid(book: &Book, grant: &Grant, at: Timestamp) -> Result<Entry, Refused> {
    once(book, &grant.source_key)?;
    if grant.credits.is_zero() {
        return Err(Refused::Nothing);
    }
    let debt = grant.credits.min(book.balance.debt);
    let rest = grant.credits.checked_sub(debt).unwrap_or_default();
    if book.balance.granted.checked_add(rest).is_none() {
        return Err(Refused::TooMany);
    }
    let granted = rest.get();
    let delta = match is_late(grant, at) {
        true => Delta { granted, expired: granted, ..Delta::default() },
        false => Delta { granted, available: granted, ..Delta::default() },
    };
    let legs = if rest == Credits::ZERO { Vec::new() } else { vec![opened(book, grant, delta)] };
    let booked = entry(book, EntryKind::Grant, at, legs);
    Ok(Entry {
        source_key: Some(grant.source_key.clone()),
        description: Cow::Owned(grant.description.clone()),
        delta: Delta { debt: -debt.get(), ..booked.delta },
        ..booked
    })
}

fn legs(parts: Vec<Allotment>) -> Vec<Leg> {
    let taken = parts.into_iter().map(|part| {
        let taken = part.credits.get();
        leg(part.bucket, Delta { available: -taken, taken_back: taken, ..Delta::default() })
    });
    taken.collect()
}
