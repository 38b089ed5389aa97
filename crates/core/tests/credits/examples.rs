//! Tests the book of an account with worked examples.

use retouch_core::credits::{
    Book, BucketKind, Command, EntryKind, GRACE_MS, Grant, HoldState, KeyAllowance, KeyLimits,
    KeyPeriod, NewHold, Refused, TakeBack, decide,
};
use retouch_core::{Credits, Timestamp};

use crate::{HOUR_MS, book, credits, edit, grant, hold, key, remaining, run};

#[test]
fn what_is_lost_soonest_is_used_first() {
    use BucketKind::{Operator, Plan, Purchase};
    let mut book = book(&[
        (10, Purchase, None),
        (10, Plan, None),
        (10, Plan, Some(9_000)),
        (10, Plan, Some(5_000)),
        (10, Operator, Some(1_000)),
    ]);
    let mut seen = Vec::new();
    for id in 0..5 {
        run(&mut book, &hold(id, 10), 1).unwrap();
        seen.push(remaining(&book));
    }
    assert_eq!(
        seen,
        [
            [10, 10, 10, 0, 10],
            [10, 10, 0, 0, 10],
            [10, 0, 0, 0, 10],
            [10, 0, 0, 0, 0],
            [0, 0, 0, 0, 0],
        ]
    );
}

#[test]
fn a_hold_over_several_buckets_goes_back_to_where_it_came_from() {
    let mut book = book(&[(5, BucketKind::Plan, None), (5, BucketKind::Purchase, None)]);
    run(&mut book, &hold(1, 8), 1).unwrap();
    let charge = Command::Capture { hold: edit(1), credits: credits(6) };
    run(&mut book, &charge, 2).unwrap();
    assert_eq!(remaining(&book), [0, 4]);
    assert_eq!((book.balance.spent, book.balance.available), (credits(6), credits(4)));
}

#[test]
fn what_comes_back_late_can_be_used_for_seven_more_days() {
    let mut book = book(&[(10, BucketKind::Plan, Some(HOUR_MS))]);
    run(&mut book, &hold(1, 6), 1).unwrap();
    let released = run(&mut book, &Command::Release { hold: edit(1) }, HOUR_MS).unwrap();
    let kinds: Vec<_> = released.iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [EntryKind::Expire, EntryKind::Release]);
    assert_eq!((book.balance.available, book.balance.expired), (credits(6), credits(4)));
    let grace = &book.buckets[&2];
    assert_eq!((grace.kind, grace.remaining), (BucketKind::Grace, credits(6)));
    let end = HOUR_MS + GRACE_MS;
    assert_eq!(grace.expires_at, Some(Timestamp(end)));
    run(&mut book, &hold(2, 1), end - 1).unwrap();
    assert_eq!(
        decide(&book, &hold(3, 1), Timestamp(end)),
        Err(Refused::Insufficient { needed: credits(1), available: credits(0) })
    );
}

#[test]
fn many_late_returns_of_an_hour_share_one_bucket() {
    let mut book = book(&[(100, BucketKind::Plan, Some(10))]);
    for id in 0..50 {
        run(&mut book, &hold(id, 2), 1).unwrap();
    }
    for id in 0..50 {
        run(&mut book, &Command::Release { hold: edit(id) }, 20 + i64::try_from(id).unwrap())
            .unwrap();
    }
    assert_eq!(book.buckets.len(), 2);
    assert_eq!(book.balance.available, credits(100));
}

#[test]
fn a_key_is_held_to_its_limit_over_its_life() {
    let mut book = book(&[(100, BucketKind::Plan, None)]);
    let with_key = |id: u128, number: u32| {
        let key = Some(KeyAllowance {
            id: key(1),
            limits: KeyLimits { life: Some(credits(10)), ..KeyLimits::default() },
        });
        let credits = credits(number);
        Command::Hold(NewHold { id: edit(id), credits, key, description: String::new() })
    };
    run(&mut book, &with_key(1, 8), 1).unwrap();
    let (limit, used, needed) = (credits(10), credits(8), credits(3));
    let over = Refused::KeyLimit { period: KeyPeriod::Life, limit, used, needed };
    assert_eq!(run(&mut book, &with_key(2, 3), 1), Err(over));
    run(&mut book, &Command::Capture { hold: edit(1), credits: credits(5) }, 1).unwrap();
    run(&mut book, &with_key(3, 5), 1).unwrap();
    run(&mut book, &Command::Release { hold: edit(3) }, 1).unwrap();
    assert_eq!(book.keys[&key(1)].life, credits(5), "what was given back does not count");
}

/// 2026-11-30T23:00:00Z, an hour before a new day and a new month.
const LATE_MS: i64 = 1_796_079_600_000;

#[test]
fn a_key_is_held_to_its_limits_on_days_and_months() {
    let mut book = book(&[(100, BucketKind::Purchase, None)]);
    let limits = KeyLimits { life: None, day: Some(credits(10)), month: Some(credits(15)) };
    let with_key = |id: u128, number: u32| {
        let key = Some(KeyAllowance { id: key(1), limits });
        let credits = credits(number);
        Command::Hold(NewHold { id: edit(id), credits, key, description: String::new() })
    };
    let over = |period, limit, used, needed| {
        let (limit, used, needed) = (credits(limit), credits(used), credits(needed));
        Err(Refused::KeyLimit { period, limit, used, needed })
    };
    run(&mut book, &with_key(1, 8), LATE_MS).unwrap();
    assert_eq!(run(&mut book, &with_key(2, 3), LATE_MS), over(KeyPeriod::Day, 10, 8, 3));
    // A new day and a new month begin.
    let midnight = LATE_MS + HOUR_MS;
    assert_eq!(run(&mut book, &with_key(2, 11), midnight), over(KeyPeriod::Day, 10, 0, 11));
    run(&mut book, &with_key(2, 9), midnight).unwrap();
    // What is given back of a hold of yesterday does not count for today.
    run(&mut book, &Command::Release { hold: edit(1) }, midnight).unwrap();
    assert_eq!(run(&mut book, &with_key(3, 2), midnight), over(KeyPeriod::Day, 10, 9, 2));
    // What is given back today does.
    run(&mut book, &Command::Capture { hold: edit(2), credits: credits(7) }, midnight).unwrap();
    run(&mut book, &with_key(3, 3), midnight).unwrap();
    let next = midnight + 24 * HOUR_MS;
    assert_eq!(run(&mut book, &with_key(4, 6), next), over(KeyPeriod::Month, 15, 10, 6));
    run(&mut book, &with_key(4, 5), next).unwrap();
    // The clock goes back: the time of the last entry counts.
    assert_eq!(run(&mut book, &with_key(5, 1), LATE_MS), over(KeyPeriod::Month, 15, 15, 1));
}

#[test]
fn taking_back_takes_what_is_there_and_once() {
    let mut book = book(&[(10, BucketKind::Purchase, None)]);
    run(&mut book, &hold(1, 4), 1).unwrap();
    let refund = |key: &str| {
        Command::TakeBack(TakeBack {
            credits: credits(10),
            excused_max: None,
            only_from: None,
            source_key: key.into(),
            description: String::new(),
        })
    };
    run(&mut book, &refund("refund"), 1).unwrap();
    assert_eq!((book.balance.available, book.balance.taken_back), (credits(0), credits(6)));
    let again = Refused::AlreadyGranted { source_key: "refund".into() };
    assert_eq!(run(&mut book, &refund("refund"), 1), Err(again));
    run(&mut book, &refund("another"), 1).unwrap();
    assert_eq!(book.balance.taken_back, credits(6));
}

#[test]
fn what_cannot_be_taken_back_is_owed_and_paid_as_soon_as_it_can_be() {
    let mut book = book(&[(10, BucketKind::Plan, None), (5, BucketKind::SignUp, None)]);
    run(&mut book, &hold(1, 4), 1).unwrap();
    run(&mut book, &hold(2, 3), 1).unwrap();
    run(&mut book, &Command::Capture { hold: edit(1), credits: credits(4) }, 1).unwrap();
    let refund = |key: &str, number, excused_max| {
        Command::TakeBack(TakeBack {
            credits: credits(number),
            excused_max: Some(credits(excused_max)),
            only_from: Some("0".into()),
            source_key: key.into(),
            description: String::new(),
        })
    };
    // Of the plan's 10 credits, 3 are available, 4 are spent and 3 are held. The 5 credits from
    // the sign-up pay part of the remaining 7.
    run(&mut book, &refund("refund", 10, 0), 1).unwrap();
    assert_eq!((book.balance.available, book.balance.debt), (credits(0), credits(2)));
    run(&mut book, &Command::Release { hold: edit(2) }, 2).unwrap();
    assert_eq!((book.balance.available, book.balance.debt), (credits(1), credits(0)));
    run(&mut book, &refund("another", 9, 2), 3).unwrap();
    assert_eq!((book.balance.available, book.balance.debt), (credits(0), credits(6)));
    run(&mut book, &Command::Grant(grant(4, "gift")), 4).unwrap();
    assert_eq!((book.balance.available, book.balance.debt), (credits(0), credits(2)));
    // Paid credits pay the debt. If they have already expired, the rest can't be used.
    let late = Grant { expires_at: Some(Timestamp(1)), ..grant(7, "late") };
    run(&mut book, &Command::Paid(late), 5).unwrap();
    let it = book.balance;
    assert_eq!((it.available, it.debt, it.expired), (credits(0), credits(0), credits(5)));
    run(&mut book, &Command::Paid(grant(7, "paid")), 5).unwrap();
    assert_eq!(book.balance.available, credits(7));
}

#[test]
fn nonsense_is_refused() {
    let mut book = book(&[(10, BucketKind::Purchase, None)]);
    let refusals = [
        (Command::Grant(grant(0, "a")), Refused::Nothing),
        (Command::Grant(grant(1, "0")), Refused::AlreadyGranted { source_key: "0".into() }),
        (
            Command::Grant(Grant { expires_at: Some(Timestamp(5)), ..grant(1, "b") }),
            Refused::ExpiresInThePast,
        ),
        (Command::Grant(Grant { credits: Credits::MAX, ..grant(1, "c") }), Refused::TooMany),
        (Command::Release { hold: edit(9) }, Refused::HoldUnknown),
        (hold(1, 11), Refused::Insufficient { needed: credits(11), available: credits(10) }),
    ];
    for (command, refused) in refusals {
        assert_eq!(run(&mut book, &command, 5), Err(refused));
    }
    run(&mut book, &hold(1, 5), 5).unwrap();
    assert_eq!(run(&mut book, &hold(1, 5), 5), Err(Refused::HoldIdTaken));
    let asked = Command::Capture { hold: edit(1), credits: credits(6) };
    let too_much = Refused::CaptureTooMuch { asked: credits(6), held: credits(5) };
    assert_eq!(run(&mut book, &asked, 5), Err(too_much));
}

#[test]
fn a_free_edit_holds_nothing_and_is_charged_nothing() {
    let mut book = Book::default();
    run(&mut book, &hold(1, 0), 1).unwrap();
    run(&mut book, &Command::Capture { hold: edit(1), credits: credits(0) }, 1).unwrap();
    assert_eq!(book.holds[&edit(1)].state, HoldState::Captured);
}
