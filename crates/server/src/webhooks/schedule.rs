//! When an event is sent again that was not accepted.

use retouch_core::Entropy;

const SECOND_MS: i64 = 1_000;
const MINUTE_MS: i64 = 60 * SECOND_MS;
const HOUR_MS: i64 = 60 * MINUTE_MS;

/// The waits after each attempt, as Standard Webhooks recommends: ten attempts in 75 hours.
pub const WAITS_MS: [i64; 9] = [
    5 * SECOND_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    24 * HOUR_MS,
];

/// How long to wait after attempt number `attempt`, counted from 1, in milliseconds; up to a tenth
/// more than the schedule says, so that what failed together is not tried again together. `None`
/// after the last attempt.
pub fn wait_ms(attempt: i64, entropy: &dyn Entropy) -> Option<i64> {
    let index = usize::try_from(attempt.checked_sub(1)?).ok()?;
    let wait_ms = WAITS_MS.get(index)?;
    let mut dice = [0; 2];
    entropy.fill(&mut dice);
    let share = i64::from(u16::from_le_bytes(dice));
    Some(wait_ms + wait_ms / 10 * share / i64::from(u16::MAX))
}

#[cfg(test)]
mod tests {
    use retouch_core::SeededEntropy;

    use super::*;

    #[test]
    fn each_wait_is_at_least_as_long_as_the_schedule_says_and_a_tenth_more_at_most() {
        let entropy = SeededEntropy::new(7);
        for (attempt, expected) in (1..).zip(WAITS_MS) {
            for _ in 0..100 {
                let wait_ms = wait_ms(attempt, &entropy).unwrap();
                assert!((expected..=expected + expected / 10).contains(&wait_ms), "{wait_ms}");
            }
        }
        for attempt in [i64::MIN, 0, 10, 11, i64::MAX] {
            assert_eq!(wait_ms(attempt, &entropy), None, "{attempt}");
        }
    }
}
