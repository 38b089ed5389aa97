//! What tells whether a transaction was committed when the answer to its commit was lost.
//!
//! The server's own numbers of transactions do not tell: after a crash, or on a standby that has taken
//! over, it hands out again those that were lost, and then says of a lost one what became of another.
//! So each lane has a row, to which each of its transactions writes its number.

use retouch_core::Timestamp;

use super::Session;
use crate::Error;
use crate::rows::{Rows, Value, one, params};

/// How long the mark of a lane is kept that writes no more, in milliseconds: a day, since nobody is in
/// doubt for longer than seconds.
const KEPT_MS: i64 = 24 * 3_600_000;
/// Between a transaction's number and the next there is one that says that it was given up.
const STEP: i64 = 2;

/// The server names lanes, so that no two have one name however nodes come by their randomness.
const NAME: &str = "SELECT CAST(gen_random_uuid() AS TEXT)";
/// A number that was given up is never written: nothing is no number, and undoes the transaction.
const WRITE: &str = "INSERT INTO lane_mark (lane, number, at) VALUES (?1, ?2, ?3)
    ON CONFLICT (lane) DO UPDATE SET at = excluded.at,
        number = CASE WHEN lane_mark.number < excluded.number THEN excluded.number END";
/// Waits for the transaction if it has not ended, and gives it up if it has not come yet.
const SETTLE: &str = "INSERT INTO lane_mark (lane, number, at) VALUES (?1, ?2 + 1, ?3)
    ON CONFLICT (lane) DO UPDATE SET
        number = CASE WHEN lane_mark.number = ?2 THEN ?2 ELSE ?2 + 1 END
    RETURNING number";
const FORGET: &str = "DELETE FROM lane_mark WHERE at <= ?1 AND lane IN (
    SELECT lane FROM lane_mark WHERE at <= ?1 FOR UPDATE SKIP LOCKED)";

/// The mark of a lane: its name, empty before it has one, and the number of its last transaction.
#[derive(Debug, Default)]
pub(super) struct Mark {
    lane: String,
    number: i64,
}

impl Mark {
    /// Sees to it that the lane has a name.
    pub(super) fn name(&mut self, rows: &Rows) -> Result<(), Error> {
        if self.lane.is_empty() {
            let name: Option<String> = one(rows, NAME, params![], |row| row.get(0))?;
            self.lane = name.unwrap_or_default();
        }
        Ok(())
    }

    /// Goes on to another transaction, and writes in it that it is this one.
    pub(super) fn write(&mut self, session: &Session, now: Timestamp) -> Result<(), Error> {
        self.number += STEP;
        let values = [Value::Text(&self.lane), Value::Integer(self.number), Value::Integer(now.0)];
        session.put(WRITE, &values)
    }

    /// Whether the last transaction was committed; if not, it never will be.
    pub(super) fn settle(&self, rows: &Rows, now: Timestamp) -> Result<bool, Error> {
        let values = params![self.lane, self.number, now.0];
        let found: Option<i64> = one(rows, SETTLE, values, |row| row.get(0))?;
        Ok(found == Some(self.number))
    }
}

/// Forgets the marks of lanes that write no more.
pub(super) fn forget_old(rows: &Rows, now: Timestamp) -> Result<(), Error> {
    rows.execute(FORGET, [now.plus_ms(-KEPT_MS).0]).map(drop)
}
