//! The minimum transfer rate of clients.

use std::time::Duration;

use tokio::time::Instant;

use crate::config::ConnectionSettings;

/// The minimum transfer rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    bytes_per_second_min: u32,
    grace: Duration,
}

impl Pace {
    /// The operator's limits.
    pub(super) fn of(settings: &ConnectionSettings) -> Self {
        Self {
            bytes_per_second_min: settings.bytes_per_second_min,
            grace: Duration::from_millis(settings.grace_ms),
        }
    }

    /// How long a client may make no progress.
    pub(super) fn grace(&self) -> Duration {
        self.grace
    }

    fn time_for(self, bytes: usize) -> Duration {
        // Buffers are small enough that the precision does not matter.
        #[expect(clippy::cast_precision_loss, reason = "an estimate of time")]
        Duration::from_secs_f64(bytes as f64 / f64::from(self.bytes_per_second_min.max(1)))
    }
}

/// Measures how far a transfer is behind the minimum rate. Only time spent waiting for the client
/// counts. A fast start does not earn a pause later.
#[derive(Debug)]
pub(super) struct Meter {
    pace: Pace,
    behind: Duration,
    waiting_since: Option<Instant>,
}

impl Meter {
    pub(super) fn new(pace: Pace) -> Self {
        Self { pace, behind: Duration::ZERO, waiting_since: None }
    }

    /// Starts waiting for the client, unless already waiting.
    pub(super) fn wait(&mut self, now: Instant) {
        self.waiting_since.get_or_insert(now);
    }

    /// Whether the transfer waits for the client.
    pub(super) fn is_waiting(&self) -> bool {
        self.waiting_since.is_some()
    }

    /// The client has sent or read `bytes`, which ends the waiting. `sharing` transfers, including
    /// this one, share the rate.
    pub(super) fn moved(&mut self, bytes: usize, sharing: u32, now: Instant) {
        if let Some(since) = self.waiting_since.take() {
            self.behind += now.saturating_duration_since(since) / sharing.max(1);
        }
        self.behind = self.behind.saturating_sub(self.pace.time_for(bytes));
    }

    /// When the transfer will be too far behind, unless the client makes progress before.
    pub(super) fn gives_up_at(&self, sharing: u32) -> Option<Instant> {
        let left = self.pace.grace.saturating_sub(self.behind);
        Some(self.waiting_since? + left * sharing.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace { bytes_per_second_min: 1_000, grace: Duration::from_secs(10) };

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_silent_client_has_the_grace_and_no_more() {
        let start = Instant::now();
        let mut meter = Meter::new(PACE);
        assert_eq!(meter.gives_up_at(1), None, "nobody waits yet");
        meter.wait(start);
        meter.wait(start + seconds(3));
        assert_eq!(meter.gives_up_at(1), Some(start + seconds(10)));
        assert_eq!(meter.gives_up_at(4), Some(start + seconds(40)), "four share the rate");
    }

    #[test]
    fn a_client_at_the_rate_goes_on_and_a_slower_one_ends() {
        let start = Instant::now();
        let ends = |bytes_per_second: usize| {
            let mut meter = Meter::new(PACE);
            (0..1_000).find(|second| {
                let now = start + seconds(*second);
                meter.wait(now);
                let late = meter.gives_up_at(1).is_some_and(|at| at < now + seconds(1));
                meter.moved(bytes_per_second, 1, now + seconds(1));
                late
            })
        };
        assert_eq!(ends(1_000), None);
        assert_eq!(ends(500), Some(19));
        assert_eq!(ends(1), Some(10));
    }

    #[test]
    fn many_bytes_at_first_earn_no_silence_later() {
        let start = Instant::now();
        let mut meter = Meter::new(PACE);
        meter.moved(1 << 30, 1, start);
        meter.wait(start);
        assert_eq!(meter.gives_up_at(1), Some(start + seconds(10)));
    }
}
