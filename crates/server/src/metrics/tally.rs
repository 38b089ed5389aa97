//! Statistics of each route's attempts since this process started, for the admin pages. Long-term
//! data belongs in Prometheus.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The time scale has four steps per doubling, in thousandths and rounded up. A step is 19 %, which
/// is the precision of reported times.
const QUARTERS: [u64; 4] = [1_000, 1_190, 1_415, 1_682];
/// Steps from a millisecond to 17 minutes. Longer times count in the last step.
const STEPS: usize = 81;

/// The attempts on one route.
#[derive(Clone, Debug)]
pub struct Tally {
    /// The number of attempts by outcome; `done` is a success.
    pub outcomes: BTreeMap<&'static str, u64>,
    /// The number of successful attempts by duration, on the scale.
    times: [u64; STEPS],
}

impl Default for Tally {
    fn default() -> Self {
        Self { outcomes: BTreeMap::new(), times: [0; STEPS] }
    }
}

impl Tally {
    /// The number of finished attempts.
    pub fn attempts(&self) -> u64 {
        self.outcomes.values().sum()
    }

    /// The number of successful attempts.
    pub fn done(&self) -> u64 {
        self.outcomes.get("done").copied().unwrap_or(0)
    }

    /// The duration within which `percent` of the successful attempts finished, in milliseconds and
    /// at most 19 % too high; none if there are none.
    pub fn within_ms(&self, percent: u64) -> Option<u64> {
        let wanted = (self.done() * percent).div_ceil(100).max(1);
        let mut seen = 0;
        let step = self.times.iter().position(|count| {
            seen += count;
            seen >= wanted
        })?;
        Some(bound_ms(step))
    }

    fn count(&mut self, outcome: &'static str, duration_ms: u64) {
        *self.outcomes.entry(outcome).or_default() += 1;
        if outcome == "done"
            && let Some(count) = self.times.get_mut(step(duration_ms))
        {
            *count += 1;
        }
    }
}

/// The first step of the scale that is not below `duration_ms`, or the last step.
fn step(duration_ms: u64) -> usize {
    (0..STEPS).find(|step| bound_ms(*step) >= duration_ms).unwrap_or(STEPS - 1)
}

/// The upper bound of a step of the scale, in milliseconds.
fn bound_ms(step: usize) -> u64 {
    let thousandths = QUARTERS.get(step % QUARTERS.len()).copied().unwrap_or(1_000);
    (thousandths << (step / QUARTERS.len())).div_ceil(1_000)
}

/// A route: the requested model, the provider, and the provider's model.
type RouteName = (String, String, String);

/// The statistics of all routes.
#[derive(Debug, Default)]
pub(super) struct Tallies(Mutex<BTreeMap<RouteName, Tally>>);

impl Tallies {
    pub(super) fn count(&self, route: RouteName, outcome: &'static str, duration_ms: u64) {
        self.lock().entry(route).or_default().count(outcome, duration_ms);
    }

    pub(super) fn of(&self, model: &str, provider: &str, theirs: &str) -> Tally {
        let name = (model.to_owned(), provider.to_owned(), theirs.to_owned());
        self.lock().get(&name).cloned().unwrap_or_default()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<RouteName, Tally>> {
        // A panic elsewhere cannot leave a count inconsistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn times_are_told_to_a_fifth() {
        let mut tally = Tally::default();
        assert_eq!(tally.within_ms(50), None);
        for ms in 1..=100 {
            tally.count("done", ms * 10);
        }
        tally.count("failed", 1);
        assert_eq!((tally.attempts(), tally.done()), (101, 100));
        for (percent, exact) in [(50, 500), (95, 950), (100, 1_000), (0, 10)] {
            let reported = tally.within_ms(percent).unwrap();
            assert!(
                reported >= exact && reported <= exact * 12 / 10 + 1,
                "{percent} %: {reported}"
            );
        }
        tally.count("done", 0);
        assert_eq!(tally.within_ms(0), Some(1));
        tally.count("done", u64::MAX);
        assert_eq!(tally.within_ms(100), Some(1 << 20));
    }
}
