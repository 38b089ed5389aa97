//! Rate limits: a number of requests per time window, as a burst or spread out. All functions are
//! pure; the only state is the moment at which the full burst is available again.
//!
//! This is the generic cell rate algorithm (ITU-T I.371, annex A, virtual scheduling): each request
//! takes a share of the window.

use std::num::NonZeroU32;

use crate::Timestamp;

/// Nanoseconds in a millisecond.
const NS: i64 = 1_000_000;

/// A maximum number of requests per time window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How many requests fit in the window, all at once or spread out.
    pub times_max: NonZeroU32,
    /// The window, in seconds.
    pub window_s: u32,
}

/// How much of a rate a caller has used, as the moment at which all of it is available again. The
/// moment is in nanoseconds since 1970-01-01T00:00:00Z, because the share of a single request is
/// not a whole number of milliseconds. A caller without requests in the last window has used
/// nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Taken {
    /// When the full rate is available again, in nanoseconds since 1970-01-01T00:00:00Z.
    pub full_at_ns: i64,
}

impl Taken {
    /// Whether none of it counts any longer at `now`.
    pub fn is_past(&self, now: Timestamp) -> bool {
        self.full_at_ns <= nanos(now)
    }
}

impl Rate {
    /// At most `times_max` requests per minute.
    pub const fn per_minute(times_max: NonZeroU32) -> Self {
        Self { times_max, window_s: 60 }
    }

    /// At most `times_max` requests per hour.
    pub const fn per_hour(times_max: NonZeroU32) -> Self {
        Self { times_max, window_s: 3_600 }
    }

    /// The share of the window that one request takes, in nanoseconds.
    pub fn share_ns(&self) -> i64 {
        (self.window_ns() / i64::from(self.times_max.get())).max(1)
    }

    /// The window, in nanoseconds.
    pub fn window_ns(&self) -> i64 {
        i64::from(self.window_s) * 1_000 * NS
    }

    /// Counts one request at `now`. None if the limit is reached.
    pub fn take(&self, taken: Taken, now: Timestamp) -> Option<Taken> {
        let full_at_ns = self.counted_ns(taken, now).saturating_add(self.share_ns());
        (full_at_ns <= nanos(now).saturating_add(self.window_ns())).then_some(Taken { full_at_ns })
    }

    /// How many requests are possible immediately at `now`.
    pub fn left(&self, taken: Taken, now: Timestamp) -> u32 {
        let open = self.window_ns() - (self.counted_ns(taken, now) - nanos(now));
        u32::try_from(open / self.share_ns()).unwrap_or(0).min(self.times_max.get())
    }

    /// How long to wait at `now` until the next request is possible, in seconds, rounded up, at
    /// least 1.
    pub fn wait_s(&self, taken: Taken, now: Timestamp) -> u64 {
        let ahead = self.counted_ns(taken, now) - nanos(now);
        seconds(ahead + self.share_ns() - self.window_ns()).max(1)
    }

    /// How long to wait at `now` until the full rate is available again, in seconds, rounded up.
    pub fn full_in_s(&self, taken: Taken, now: Timestamp) -> u64 {
        seconds(self.counted_ns(taken, now) - nanos(now))
    }

    /// The part of `taken` that still counts. Past moments don't count, and neither do those more
    /// than two windows ahead, which only a clock that was set back can produce. So such a clock
    /// blocks callers for at most two windows, and a clock that is slightly slow forgets nothing.
    fn counted_ns(&self, taken: Taken, now: Timestamp) -> i64 {
        let now = nanos(now);
        let is_believed = taken.full_at_ns <= now.saturating_add(2 * self.window_ns());
        if is_believed { taken.full_at_ns.max(now) } else { now }
    }
}

/// A moment in nanoseconds since 1970-01-01T00:00:00Z.
pub fn nanos(moment: Timestamp) -> i64 {
    moment.0.saturating_mul(NS)
}

fn seconds(ns: i64) -> u64 {
    u64::try_from(ns).unwrap_or(0).div_ceil(1_000_000_000)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use proptest::prelude::*;

    use super::{Rate, Taken};
    use crate::Timestamp;

    fn rate(times_max: u32) -> Rate {
        Rate::per_minute(NonZeroU32::new(times_max).unwrap())
    }

    /// Makes `times` requests at `now`. Returns how many were accepted, and the new state.
    fn come(rate: Rate, mut taken: Taken, (now, times): (Timestamp, u32)) -> (u32, Taken) {
        let mut heard = 0;
        for _ in 0..times {
            if let Some(next) = rate.take(taken, now) {
                (heard, taken) = (heard + 1, next);
            }
        }
        (heard, taken)
    }

    proptest! {
        /// A burst of exactly the full rate is accepted, followed by one request for each share of
        /// the window.
        #[test]
        fn so_many_in_one_go_and_then_one_for_each_share(
            times_max in 1_u32..20_000, began in 0_i64..4_000_000_000_000,
        ) {
            let (rate, now) = (rate(times_max), Timestamp(began));
            let (heard, taken) = come(rate, Taken::default(), (now, times_max + 5));
            prop_assert_eq!((heard, rate.left(taken, now)), (times_max, 0));
            let share_ms = (rate.share_ns() + 999_999) / 1_000_000;
            prop_assert_eq!(rate.wait_s(taken, now), (share_ms as u64).div_ceil(1_000));
            let then = now.plus_ms(share_ms);
            prop_assert!(rate.left(taken, then) >= 1);
            // A share is rounded down to a nanosecond, so that a whole window of them ends
            // slightly early.
            prop_assert!(rate.left(taken, now.plus_ms(share_ms - 2)) == 0 || share_ms < 2);
            prop_assert_eq!(rate.left(taken, now.plus_ms(60_000)), times_max);
        }

        /// However requests are distributed, no window accepts more than twice the rate: what was
        /// saved up before the window, plus what becomes available within it.
        #[test]
        fn no_window_has_more_than_was_saved_and_came_back(
            times_max in 1_u32..50, steps in prop::collection::vec((0_i64..20_000, 1_u32..30), 1..40),
        ) {
            let rate = rate(times_max);
            let (mut now, mut taken) = (Timestamp(0), Taken::default());
            let mut heard: Vec<(Timestamp, u32)> = Vec::new();
            for (pause, times) in steps {
                now = now.plus_ms(pause);
                let (count, next) = come(rate, taken, (now, times));
                // As many requests are accepted as `left` promised.
                prop_assert_eq!(count, times.min(rate.left(taken, now)));
                taken = next;
                heard.push((now, count));
                let window = heard.iter().filter(|(at, _)| now.0 - at.0 < 60_000);
                let within: u32 = window.map(|(_, count)| count).sum();
                prop_assert!(within <= 2 * times_max, "{} of {}", within, times_max);
            }
        }

        /// A clock that is set back blocks a caller for at most two windows, and `wait_s` is
        /// accurate.
        #[test]
        fn a_clock_set_back_costs_two_windows_at_most(
            times_max in 1_u32..100, back_ms in 0_i64..200_000,
        ) {
            let (rate, now) = (rate(times_max), Timestamp(20_000_000_000));
            let (_, taken) = come(rate, Taken::default(), (now, times_max));
            let before = now.plus_ms(-back_ms);
            if rate.left(taken, before) == 0 {
                let wait_s = rate.wait_s(taken, before);
                prop_assert!(wait_s <= 120, "{}", wait_s);
                prop_assert!(rate.take(taken, before).is_none());
                prop_assert!(rate.take(taken, before.plus_ms(wait_s as i64 * 1_000)).is_some());
            } else {
                prop_assert_eq!(rate.left(taken, before), times_max);
            }
        }
    }
}
