//! The server's time: nodes whose own clocks differ agree on it, so that none of them takes the
//! lease of another one for over.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use retouch_core::{Clock, Timestamp};

use crate::Error;
use crate::rows::{Rows, one, params};

/// How long an answer may take that says what time it is, in milliseconds; a later one says too
/// little.
const ANSWER_MS_MAX: i64 = 500;

/// A node's own clock, set right by the server's.
#[derive(Debug)]
pub(crate) struct ServerClock {
    own: Arc<dyn Clock>,
    /// By how much the server's clock is ahead, in milliseconds.
    ahead_ms: AtomicI64,
}

impl ServerClock {
    pub(super) fn new(own: Arc<dyn Clock>) -> Self {
        Self { own, ahead_ms: AtomicI64::new(0) }
    }

    /// Asks the server what time it is.
    pub(super) fn set_right(&self, rows: &Rows) -> Result<(), Error> {
        let sql = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
        let asked_at = self.own.now();
        let said: Option<i64> = one(rows, sql, params![], |row| row.get(0))?;
        let took_ms = self.own.now().0.saturating_sub(asked_at.0);
        if let Some(said) = said.filter(|_| (0..=ANSWER_MS_MAX).contains(&took_ms)) {
            let ahead_ms = said.saturating_sub(asked_at.0 + took_ms / 2);
            self.ahead_ms.store(ahead_ms, Ordering::Relaxed);
        }
        Ok(())
    }
}

impl Clock for ServerClock {
    fn now(&self) -> Timestamp {
        self.own.now().plus_ms(self.ahead_ms.load(Ordering::Relaxed))
    }
}
