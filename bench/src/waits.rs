//! The times of calls, and their statistics.

use std::time::Duration;

/// The times of many calls, in nanoseconds, shortest first.
#[derive(Debug)]
pub(crate) struct Waits(Vec<u64>);

impl Waits {
    /// Takes the times in any order.
    pub(crate) fn new(mut waits: Vec<u64>) -> Self {
        waits.sort_unstable();
        Self(waits)
    }

    /// How many calls there were.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The time that this share of the calls did not exceed, in milliseconds; zero without calls.
    pub(crate) fn at_ms(&self, share: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of a length is an index"
        )]
        let index = (last as f64 * share).round() as usize;
        self.0.get(index).copied().unwrap_or(0) as f64 / 1e6
    }
}

/// Whole nanoseconds. A call that takes longer than 584 years counts as that long.
pub(crate) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
