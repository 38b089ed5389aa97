//! Finds out whether a transaction was committed if the answer to its commit was lost.
//!
//! The server's own transaction IDs can't tell. After a crash, or on a standby that has taken
//! over, the server reuses the IDs of lost transactions, and then reports the status of another
//! transaction. So each writer has a row in `lane_mark`, to which each of its transactions writes
//! a number.

use retouch_core::Timestamp;

use super::Session;
use crate::Error;
use crate::rows::{Rows, Value, one, params};

/// How long the mark of a writer that has stopped is kept, in milliseconds: one day. The outcome
/// of a transaction is in doubt for seconds at most.
const KEPT_MS: i64 = 24 * 3_600_000;
/// The number after a transaction's own number marks it as abandoned, so numbers advance by two.
const STEP: i64 = 2;

/// The server generates the names of writers, so that they are unique whatever source of
/// randomness a node has.
const NAME: &str = "SELECT CAST(gen_random_uuid() AS TEXT)";
/// A number that was given up is never written: nothing is no number, and undoes the transaction.
const WRITE: &str = "INSERT INTO writer_mark (writer, number, at) VALUES (?1, ?2, ?3)
    ON CONFLICT (writer) DO UPDATE SET at = excluded.at,
        number = CASE WHEN writer_mark.number < excluded.number THEN excluded.number END";
/// Waits for the transaction if it has not ended, and gives it up if it has not come yet.
const SETTLE: &str = "INSERT INTO writer_mark (writer, number, at) VALUES (?1, ?2 + 1, ?3)
    ON CONFLICT (writer) DO UPDATE SET
        number = CASE WHEN writer_mark.number = ?2 THEN ?2 ELSE ?2 + 1 END
    RETURNING number";
const FORGET: &str = "DELETE FROM writer_mark WHERE at <= ?1 AND writer IN (
    SELECT writer FROM writer_mark WHERE at <= ?1 FOR UPDATE SKIP LOCKED)";

/// The mark of a writer: its name (empty until it has one) and the number of its last transaction.
#[derive(Debug, Default)]
pub(super) struct Mark {
    writer: String,
    number: i64,
}

impl Mark {
    /// Gives the writer a name if it has none.
    pub(super) fn name(&mut self, rows: &Rows) -> Result<(), Error> {
        if self.writer.is_empty() {
            let name: Option<String> = one(rows, NAME, params![], |row| row.get(0))?;
            self.writer = name.unwrap_or_default();
        }
        Ok(())
    }

    /// Starts the next number and writes it in the transaction that has begun.
    pub(super) fn write(&mut self, session: &Session, now: Timestamp) -> Result<(), Error> {
        self.number += STEP;
        let values =
            [Value::Text(&self.writer), Value::Integer(self.number), Value::Integer(now.0)];
        session.put(WRITE, &values)
    }

    /// Whether the last transaction was committed. If not, it can't be committed any more.
    pub(super) fn settle(&self, rows: &Rows, now: Timestamp) -> Result<bool, Error> {
        let values = params![self.writer, self.number, now.0];
        let found: Option<i64> = one(rows, SETTLE, values, |row| row.get(0))?;
        Ok(found == Some(self.number))
    }
}

/// Deletes the marks of writers that have stopped.
pub(super) fn forget_old(rows: &Rows, now: Timestamp) -> Result<(), Error> {
    rows.execute(FORGET, [now.plus_ms(-KEPT_MS).0]).map(drop)
}
