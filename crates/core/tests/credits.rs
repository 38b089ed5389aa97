//! The books hold whatever is asked of them: random commands against the deciding function.

use proptest::prelude::*;
use retouch_core::credits::{
    Book, BucketKind, Command, Entry, EntryKind, GRACE_MS, Grant, Hold, HoldState, KeyAllowance,
    NewHold, Refused, TakeBack, decide,
};
use retouch_core::{Credits, EditId, Ids, KeyId, SeededEntropy, TestClock, Timestamp};
use uuid::Uuid;

const HOUR_MS: i64 = 3_600_000;

fn credits(number: u32) -> Credits {
    Credits::from(number)
}

fn edit(number: u128) -> EditId {
    EditId(Uuid::from_u128(number))
}

fn key(seed: u64) -> KeyId {
    Ids::new(
        std::sync::Arc::new(TestClock::new(Timestamp(0))),
        std::sync::Arc::new(SeededEntropy::new(seed)),
    )
    .key()
}

fn grant(number: u32, source_key: &str) -> Grant {
    Grant {
        kind: BucketKind::Operator,
        credits: credits(number),
        source_key: source_key.into(),
        expires_at: None,
        priority: None,
        description: String::new(),
    }
}

fn hold(id: u128, number: u32) -> Command {
    Command::Hold(NewHold {
        id: edit(id),
        credits: credits(number),
        key: None,
        description: String::new(),
    })
}

/// Decides and books; what was booked.
fn run(book: &mut Book, command: &Command, now: i64) -> Result<Vec<Entry>, Refused> {
    let entries = decide(book, command, Timestamp(now))?;
    for entry in &entries {
        book.apply(entry).unwrap();
    }
    book.check().unwrap();
    Ok(entries)
}

/// A book with buckets of (credits, kind, expiry).
fn book(buckets: &[(u32, BucketKind, Option<i64>)]) -> Book {
    let mut book = Book::default();
    for (number, (amount, kind, expires_at)) in buckets.iter().enumerate() {
        let grant = Grant {
            kind: *kind,
            expires_at: expires_at.map(Timestamp),
            ..grant(*amount, &number.to_string())
        };
        run(&mut book, &Command::Grant(grant), 0).unwrap();
    }
    book
}

fn remaining(book: &Book) -> Vec<i64> {
    book.buckets.values().map(|bucket| bucket.remaining.get()).collect()
}

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
        let key = Some(KeyAllowance { id: key(1), limit: Some(credits(10)) });
        let credits = credits(number);
        Command::Hold(NewHold { id: edit(id), credits, key, description: String::new() })
    };
    run(&mut book, &with_key(1, 8), 1).unwrap();
    let over = Refused::KeyLimit { limit: credits(10), used: credits(8), needed: credits(3) };
    assert_eq!(run(&mut book, &with_key(2, 3), 1), Err(over));
    run(&mut book, &Command::Capture { hold: edit(1), credits: credits(5) }, 1).unwrap();
    run(&mut book, &with_key(3, 5), 1).unwrap();
    run(&mut book, &Command::Release { hold: edit(3) }, 1).unwrap();
    assert_eq!(book.keys[&key(1)], credits(5), "what was given back does not count");
}

#[test]
fn taking_back_takes_what_is_there_and_once() {
    let mut book = book(&[(10, BucketKind::Purchase, None)]);
    run(&mut book, &hold(1, 4), 1).unwrap();
    let refund = |key: &str| {
        Command::TakeBack(TakeBack {
            credits: credits(10),
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

/// Any command over few names, so that they meet each other.
fn command() -> impl Strategy<Value = Command> {
    let kind = prop::sample::select(BucketKind::ALL.to_vec());
    let expiry = prop::option::of(0..40 * HOUR_MS);
    let key_limit = prop::option::of((0..3_u64, prop::option::of(0..60_u32)));
    prop_oneof![
        3 => (kind, 0..40_u32, 0..30_u32, expiry, prop::option::of(0..3_u8)).prop_map(
            |(kind, number, source, expires_at, priority)| Command::Grant(Grant {
                kind,
                expires_at: expires_at.map(Timestamp),
                priority,
                ..grant(number, &format!("source-{source}"))
            })
        ),
        6 => (0..40_u128, 0..25_u32, key_limit).prop_map(|(id, number, key_limit)| {
            let allow = |(seed, limit): (u64, Option<u32>)| KeyAllowance {
                id: key(seed),
                limit: limit.map(credits),
            };
            Command::Hold(NewHold {
                id: edit(id),
                credits: credits(number),
                key: key_limit.map(allow),
                description: String::new(),
            })
        }),
        4 => (0..40_u128, 0..25_u32).prop_map(|(id, number)| Command::Capture {
            hold: edit(id),
            credits: credits(number),
        }),
        3 => (0..40_u128).prop_map(|id| Command::Release { hold: edit(id) }),
        1 => Just(Command::Expire),
        1 => (1..30_u32, 0..30_u32).prop_map(|(number, source)| Command::TakeBack(TakeBack {
            credits: credits(number),
            source_key: format!("source-{source}"),
            description: String::new(),
        })),
    ]
}

/// Steps of a clock that mostly goes on, stands still, and now and then jumps either way.
fn step_ms() -> impl Strategy<Value = i64> {
    prop_oneof![4 => Just(0), 4 => 0..HOUR_MS, 1 => -20 * HOUR_MS..0, 1 => 0..300 * HOUR_MS]
}

/// What may have happened to a hold between two looks at it.
fn may_follow(before: &Hold, after: &Hold) -> bool {
    let ended = before.state != HoldState::Held;
    let as_before = before.amount == after.amount && before.allocation == after.allocation;
    as_before && after.captured <= after.amount && (!ended || before == after)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// After every step: the sums are right, nothing is negative (the types see to that), ended
    /// holds stay as they are, entries are numbered and timed in order, no key is over a limit
    /// that let a hold pass, nothing that has expired was used, and replaying gives the same.
    #[test]
    fn the_books_hold(steps in prop::collection::vec((command(), step_ms()), 1..120)) {
        let (mut book, mut trimmed, mut replayed) = (Book::default(), Book::default(), Book::default());
        let mut now = 0;
        for (command, step) in &steps {
            now += step;
            let before = book.clone();
            let decided = decide(&book, command, Timestamp(now));
            // A store that has trimmed its book and looked up what is named decides the same.
            trimmed.sources = book.sources.clone();
            trimmed.holds.clone_from(&book.holds);
            prop_assert_eq!(&decided, &decide(&trimmed, command, Timestamp(now)));
            for entry in decided.iter().flatten() {
                prop_assert_eq!(entry.seq, book.balance.seq + 1);
                prop_assert!(entry.at >= book.balance.last_at);
                prop_assert_eq!(book.apply(entry), Ok(()));
                prop_assert_eq!(replayed.apply(entry), Ok(()));
                prop_assert_eq!(trimmed.apply(entry), Ok(()));
                prop_assert_eq!(book.check(), Ok(()));
                let used = entry.kind == EntryKind::Hold;
                for leg in entry.legs.iter().filter(|_| used) {
                    prop_assert!(!book.buckets[&leg.bucket].has_expired(entry.at));
                }
            }
            trimmed.trim();
            for (id, hold) in &before.holds {
                prop_assert!(may_follow(hold, &book.holds[id]));
            }
            if let (Ok(_), Command::Hold(NewHold { key: Some(key), .. })) = (&decided, command) {
                prop_assert!(key.limit.is_none_or(|limit| book.keys[&key.id] <= limit));
            }
        }
        for (key, used) in &book.keys {
            let counted = book.holds.values().filter(|hold| hold.key.as_ref() == Some(key));
            prop_assert_eq!(used.get(), counted.map(|hold| hold.counted().get()).sum::<i64>());
        }
        prop_assert_eq!(&book, &replayed);
        prop_assert_eq!(trimmed.balance, book.balance);
    }

    /// A hold never costs more than was captured of it, however late it ends.
    #[test]
    fn a_failure_never_costs_credits(
        amounts in prop::collection::vec((1..20_u32, prop::option::of(1..10_i64)), 1..6),
        share in 0..100_u32,
        end in 0..20_i64,
    ) {
        let buckets: Vec<_> =
            amounts.iter().map(|(number, expiry)| (*number, BucketKind::Plan, *expiry)).collect();
        let mut book = book(&buckets);
        let all: u32 = amounts.iter().map(|(number, _)| number).sum();
        let held = all * share / 100;
        run(&mut book, &hold(1, held), 0).unwrap();
        run(&mut book, &Command::Expire, end).unwrap();
        let before = book.balance.available;
        run(&mut book, &Command::Release { hold: edit(1) }, end).unwrap();
        prop_assert_eq!(book.balance.available, before.checked_add(credits(held)).unwrap());
        prop_assert_eq!(book.balance.spent, Credits::ZERO);
    }
}
