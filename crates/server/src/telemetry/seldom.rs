//! Limits log lines that anyone can cause to one a minute.

use std::sync::{Mutex, PoisonError};

use retouch_core::Timestamp;

/// Minimum time between two lines, in milliseconds.
const EVERY_MS: i64 = 60_000;

/// Counts occurrences, and says when to log them.
#[derive(Debug, Default)]
pub struct Seldom(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    logged: Option<Timestamp>,
    since: u64,
}

impl Seldom {
    /// Counts an occurrence at `now`. If a line is due, returns the count since the last line.
    pub fn count(&self, now: Timestamp) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.since += 1;
        // A clock that is set back must not silence the log.
        let waits = state.logged.is_some_and(|at| (0..EVERY_MS).contains(&(now.0 - at.0)));
        if waits {
            return None;
        }
        state.logged = Some(now);
        Some(std::mem::take(&mut state.since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_a_minute_counts_what_it_leaves_out() {
        let seldom = Seldom::default();
        let at = |second: i64| seldom.count(Timestamp(second * 1_000));
        assert_eq!(at(100), Some(1));
        assert_eq!((at(101), at(159)), (None, None));
        assert_eq!(at(160), Some(3));
        assert_eq!(at(10), Some(1), "the clock went back");
    }
}
