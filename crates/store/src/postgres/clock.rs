//! The server's time. Nodes whose own clocks differ agree on it, so that none of them takes
//! another's lease for expired.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use retouch_core::{Clock, Timestamp};

use crate::Error;
use crate::rows::{Rows, one, params};

/// The maximum time for an answer, in milliseconds. The time in a slower answer would be too
/// inaccurate.
const ANSWER_MS_MAX: i64 = 500;
/// How many times the server is asked in a row. The fastest answer is used.
const QUESTIONS: usize = 3;

/// The server's clock, advanced by the monotonic time that passes on this machine. Changes of this
/// machine's own clock have no effect.
#[derive(Debug)]
pub(crate) struct ServerClock {
    since: Instant,
    /// What the server's clock showed at `since`, in milliseconds.
    began_ms: AtomicI64,
}

impl ServerClock {
    /// Asks the server for its time.
    ///
    /// # Errors
    /// [`Error::Unreachable`] if it takes too long to answer, or an error of the database.
    pub(super) fn ask(rows: &Rows) -> Result<Self, Error> {
        let clock = Self { since: Instant::now(), began_ms: AtomicI64::new(0) };
        clock.set_right(rows)?;
        Ok(clock)
    }

    /// Asks the server for its time again.
    ///
    /// # Errors
    /// Like [`Self::ask`]; the clock then doesn't change.
    pub(super) fn set_right(&self, rows: &Rows) -> Result<(), Error> {
        let mut best: Option<(i64, i64)> = None;
        for _ in 0..QUESTIONS {
            let answer = self.question(rows)?;
            best = Some(best.map_or(answer, |best| best.min(answer)));
        }
        let quick = best.filter(|(took_ms, _)| *took_ms <= ANSWER_MS_MAX);
        let Some((_, began_ms)) = quick else {
            let message = format!("the server did not report its time within {ANSWER_MS_MAX} ms");
            return Err(Error::Unreachable { message });
        };
        self.began_ms.store(began_ms, Ordering::Relaxed);
        Ok(())
    }

    /// How long an answer took in milliseconds, and the server's time at `since`, assuming that
    /// the server answered halfway through.
    fn question(&self, rows: &Rows) -> Result<(i64, i64), Error> {
        let sql = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
        let asked_ms = self.passed_ms();
        let said: Option<i64> = one(rows, sql, params![], |row| row.get(0))?;
        let took_ms = self.passed_ms().saturating_sub(asked_ms);
        let said =
            said.ok_or_else(|| Error::Corrupt { what: "the server reported no time".into() })?;
        Ok((took_ms, said.saturating_sub(asked_ms + took_ms / 2)))
    }

    fn passed_ms(&self) -> i64 {
        i64::try_from(self.since.elapsed().as_millis()).unwrap_or(i64::MAX)
    }
}

impl Clock for ServerClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.began_ms.load(Ordering::Relaxed)).plus_ms(self.passed_ms())
    }
}
