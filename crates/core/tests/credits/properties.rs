//! Properties that hold for every sequence of commands, whatever the clock does.

use proptest::prelude::*;
use retouch_core::credits::{
    Book, Broken, BucketKind, Command, EntryKind, Grant, Hold, HoldState, KeyAllowance, KeyLimits,
    KeyPeriod, NewHold, TakeBack, decide,
};
use retouch_core::{Credits, Timestamp};

use crate::{HOUR_MS, book, credits, edit, grant, hold, key, run};

/// A random command over a few IDs, so that commands affect each other.
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
            1 => (1..40_u32, 0..30_u32, prop::option::of(0..40 * HOUR_MS)).prop_map(
                |(number, source, expires_at)| Command::Paid(Grant {
                    expires_at: expires_at.map(Timestamp),
                    ..grant(number, &format!("source-{source}"))
                })
            ),
            6 => (0..40_u128, 0..25_u32, key_limit).prop_map(|(id, number, key_limit)| {
                let allow = |(seed, limit): (u64, Option<u32>)| KeyAllowance {
                    id: key(seed),
                    limits: KeyLimits {
                        life: limit.map(credits),
                        day: limit.map(|limit| credits(limit / 2)),
                        month: limit.map(|limit| credits(limit / 2 + 10)),
                    },
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
    only_from: (number % 2 == 0).then(|| format!("source-{}", number / 2)),
                excused_max: (number % 3 == 0).then(|| credits(number / 5)),
                source_key: format!("source-{source}"),
                description: String::new(),
            })),
        ]
}

/// Steps of a clock that mostly advances or stands still, and sometimes jumps in either direction.
fn step_ms() -> impl Strategy<Value = i64> {
    prop_oneof![4 => Just(0), 4 => 0..HOUR_MS, 1 => -20 * HOUR_MS..0, 1 => 0..300 * HOUR_MS]
}

/// Whether a hold may have changed from `before` to `after`.
fn may_follow(before: &Hold, after: &Hold) -> bool {
    let ended = before.state != HoldState::Held;
    let as_before = before.amount == after.amount && before.allocation == after.allocation;
    as_before && after.captured <= after.amount && (!ended || before == after)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// After every step: the sums are right, nothing is negative (the types ensure that), ended
    /// holds don't change, entries are numbered and timed in order, no accepted hold exceeds its
    /// key's limit, no expired credits were used, and replaying gives the same book.
    #[test]
    fn the_books_hold(steps in prop::collection::vec((command(), step_ms()), 1..120)) {
        let (mut book, mut trimmed, mut replayed) = (Book::default(), Book::default(), Book::default());
        let mut now = 0;
        for (command, step) in &steps {
            now += step;
            let before = book.clone();
            let decided = decide(&book, command, Timestamp(now));
            // A store that trimmed its book and looked up what the command names decides the same.
            trimmed.sources = book.sources.clone();
            trimmed.holds.clone_from(&book.holds);
            prop_assert_eq!(&decided, &decide(&trimmed, command, Timestamp(now)));
            for entry in decided.iter().flatten() {
                prop_assert_eq!(entry.seq, book.balance.seq + 1);
                prop_assert!(entry.at >= book.balance.last_at);
                prop_assert_eq!(book.apply(entry), Ok(()));
                prop_assert_eq!(replayed.apply(entry), Ok(()));
                prop_assert_eq!(trimmed.apply(entry), Ok(()));
                // Between two entries of a command, a debt may not have been paid yet.
                let is_sound = matches!(book.check(), Ok(()) | Err(Broken::DebtUnpaid { .. }));
                prop_assert!(is_sound);
                let used = entry.kind == EntryKind::Hold;
                for leg in entry.legs.iter().filter(|_| used) {
                    prop_assert!(!book.buckets[&leg.bucket].has_expired(entry.at));
                }
            }
            prop_assert_eq!(book.check(), Ok(()));
            trimmed.trim();
            for (id, hold) in &before.holds {
                prop_assert!(may_follow(hold, &book.holds[id]));
            }
            if let (Ok(_), Command::Hold(NewHold { key: Some(key), .. })) = (&decided, command) {
                let KeyLimits { life, day, month } = key.limits;
                let limits =
                    [(KeyPeriod::Life, life), (KeyPeriod::Day, day), (KeyPeriod::Month, month)];
                for (period, limit) in limits {
                    let used = book.keys[&key.id].counted(period, book.balance.last_at);
                    prop_assert!(limit.is_none_or(|limit| used <= limit));
                }
            }
        }
        for (key, used) in &book.keys {
            let at = book.balance.last_at;
            let counted = |since_ms: i64| {
                let own = book.holds.values().filter(|hold| hold.key.as_ref() == Some(key));
                let own = own.filter(|hold| hold.at.0 >= since_ms);
                own.map(|hold| hold.counted().get()).sum::<i64>()
            };
            prop_assert_eq!(used.life.get(), counted(i64::MIN));
            let midnight = at.0.div_euclid(24 * HOUR_MS) * 24 * HOUR_MS;
            prop_assert_eq!(used.counted(KeyPeriod::Day, at).get(), counted(midnight));
        }
        prop_assert_eq!(&book, &replayed);
        prop_assert_eq!(trimmed.balance, book.balance);
    }

    /// A hold never costs more than was captured, however late it ends.
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
