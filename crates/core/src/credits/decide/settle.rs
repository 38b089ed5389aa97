//! Opens holds, and captures or releases each of them once.

use std::borrow::Cow;

use super::{GRACE_MS, burn, entry, leg};
use crate::credits::{
    Book, BucketKind, Credits, Delta, Entry, EntryKind, Hold, HoldState, KeyAllowance, KeyLimits,
    KeyPeriod, Leg, NewHold, Opening, Refused,
};
use crate::{EditId, Timestamp};

/// Milliseconds in an hour.
const HOUR_MS: i64 = 3_600_000;

pub(super) fn hold(book: &Book, wanted: &NewHold, at: Timestamp) -> Result<Entry, Refused> {
    if book.holds.contains_key(&wanted.id) {
        return Err(Refused::HoldIdTaken);
    }
    let (needed, available) = (wanted.credits, book.balance.available);
    if needed > available {
        return Err(Refused::Insufficient { needed, available });
    }
    if let Some(key) = &wanted.key {
        allow(book, key, (needed, at))?;
    }
    let legs = burn::take(book, needed)
        .into_iter()
        .map(|part| {
            let held = part.credits.get();
            leg(part.bucket, Delta { available: -held, held, ..Delta::default() })
        })
        .collect();
    Ok(Entry {
        hold: Some(wanted.id),
        key: wanted.key.as_ref().map(|key| key.id.clone()),
        description: Cow::Owned(wanted.description.clone()),
        ..entry(book, EntryKind::Hold, at, legs)
    })
}

pub(super) fn capture(
    book: &Book,
    id: EditId,
    asked: Credits,
    at: Timestamp,
) -> Result<Entry, Refused> {
    let hold = open_hold(book, id)?;
    if asked > hold.amount {
        return Err(Refused::CaptureTooMuch { asked, held: hold.amount });
    }
    Ok(Entry {
        hold: Some(id),
        description: Cow::Borrowed("Charged: the result is stored"),
        ..entry(book, EntryKind::Capture, at, end(book, hold, asked, at))
    })
}

pub(super) fn release(book: &Book, id: EditId, at: Timestamp) -> Result<Entry, Refused> {
    let hold = open_hold(book, id)?;
    Ok(Entry {
        hold: Some(id),
        description: Cow::Borrowed("Refunded: nothing was charged"),
        ..entry(book, EntryKind::Release, at, end(book, hold, Credits::ZERO, at))
    })
}

fn allow(
    book: &Book,
    key: &KeyAllowance,
    (needed, at): (Credits, Timestamp),
) -> Result<(), Refused> {
    let all = book.keys.get(&key.id).copied().unwrap_or_default();
    let KeyLimits { life, day, month } = key.limits;
    let limits = [(KeyPeriod::Life, life), (KeyPeriod::Month, month), (KeyPeriod::Day, day)];
    for (period, limit) in limits {
        let (Some(limit), used) = (limit, all.counted(period, at)) else { continue };
        if used.checked_add(needed).is_none_or(|sum| sum > limit) {
            return Err(Refused::KeyLimit { period, limit, used, needed });
        }
    }
    Ok(())
}

fn open_hold(book: &Book, id: EditId) -> Result<&Hold, Refused> {
    match book.holds.get(&id) {
        None => Err(Refused::HoldUnknown),
        Some(hold) if hold.state == HoldState::Held => Ok(hold),
        Some(hold) => Err(Refused::HoldEnded { state: hold.state }),
    }
}

/// Goes through the allocation in its order. `spent` is charged first, and the rest returns to its
/// bucket, or to a grace bucket if its own has expired in the meantime.
fn end(book: &Book, hold: &Hold, mut spent: Credits, at: Timestamp) -> Vec<Leg> {
    let mut legs = Vec::with_capacity(hold.allocation.len());
    let mut late: i64 = 0;
    for part in &hold.allocation {
        let charged = spent.min(part.credits);
        spent = spent.checked_sub(charged).unwrap_or_default();
        let back = part.credits.get() - charged.get();
        let expired = book.buckets.get(&part.bucket).is_some_and(|bucket| bucket.has_expired(at));
        let delta = Delta { held: -part.credits.get(), spent: charged.get(), ..Delta::default() };
        if expired {
            late += back;
            legs.push(leg(part.bucket, Delta { granted: -back, ..delta }));
        } else {
            legs.push(leg(part.bucket, Delta { available: back, ..delta }));
        }
    }
    legs.extend(grace(book, late, at));
    legs
}

/// Puts credits that return late into the account's grace bucket of this hour, or opens one.
fn grace(book: &Book, credits: i64, at: Timestamp) -> Option<Leg> {
    if credits == 0 {
        return None;
    }
    let hours = at.plus_ms(GRACE_MS).0.saturating_add(HOUR_MS - 1).div_euclid(HOUR_MS);
    let expires_at = Some(Timestamp(hours.saturating_mul(HOUR_MS)));
    let existing = book
        .buckets
        .values()
        .filter(|bucket| bucket.kind == BucketKind::Grace && bucket.is_open())
        .find(|bucket| bucket.expires_at == expires_at);
    let opening =
        Opening { kind: BucketKind::Grace, priority: BucketKind::Grace.priority(), expires_at };
    Some(Leg {
        bucket: existing.map_or(book.balance.buckets.saturating_add(1), |bucket| bucket.number),
        delta: Delta { granted: credits, available: credits, ..Delta::default() },
        opening: existing.is_none().then_some(opening),
    })
}
