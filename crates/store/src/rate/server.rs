//! Counts in the database that nodes share. Each takes one statement, which does not wait for the
//! disk.

use retouch_core::Timestamp;
use retouch_core::rate::{Taken, nanos};

use super::{Limit, Whose};
use crate::Error;
use crate::rows::{Row, Rows, one, params};

/// Does what [`retouch_core::Rate::take`] does, but on the server, because others count the same
/// caller at the same time. The values are the limit's name, the caller, the time, the cost of one
/// call and the window, in nanoseconds. If the call is refused, it returns the count as it was
/// before the statement began.
const COUNT: &str = "WITH counted AS (
        INSERT INTO rate (name, whose, full_at_ns) VALUES (?1, ?2, ?3 + ?4)
        ON CONFLICT (name, whose) DO UPDATE SET full_at_ns = ?4 + CASE
            WHEN rate.full_at_ns > ?3 + 2 * ?5 THEN ?3 ELSE GREATEST(rate.full_at_ns, ?3) END
        WHERE rate.full_at_ns + ?4 <= ?3 + ?5 OR rate.full_at_ns > ?3 + 2 * ?5
        RETURNING full_at_ns)
    SELECT TRUE, full_at_ns FROM counted
    UNION ALL SELECT FALSE, full_at_ns FROM rate
        WHERE name = ?1 AND whose = ?2 AND NOT EXISTS (SELECT 1 FROM counted)";
const LOOK: &str = "SELECT full_at_ns FROM rate WHERE name = ?1 AND whose = ?2";
/// Only one node does this at a time, because two could lock each other's rows in different orders.
const FORGET: &str = "DELETE FROM rate WHERE full_at_ns <= ?1
    AND (SELECT pg_try_advisory_xact_lock(19521031, hashtext(current_schema())))";

/// Counts a call. Returns whether it is allowed, and the new count.
pub(crate) fn count(
    rows: &Rows,
    limit: Limit,
    whose: Whose,
    now: Timestamp,
) -> Result<(bool, Taken), Error> {
    let (name, whose, rate) = (limit.name, whose.to_vec(), limit.rate);
    let (share, window) = (rate.share_ns(), rate.window_ns());
    let values = params![name, whose, nanos(now), share, window];
    let read = |row: &Row<'_>| Ok((row.get(0)?, Taken { full_at_ns: row.get(1)? }));
    if let Some((true, taken)) = one(rows, COUNT, values, read)? {
        return Ok((true, taken));
    }
    // The row as the statement saw it may be older than the one that it used to decide.
    let seen = one(rows, LOOK, params![name, whose], |row| row.get(0))?;
    let least = nanos(now).saturating_add(window - share + 1);
    Ok((false, Taken { full_at_ns: seen.unwrap_or(0).max(least) }))
}

/// Undoes one count.
pub(crate) fn give_back(rows: &Rows, limit: Limit, whose: Whose) -> Result<(), Error> {
    let sql = "UPDATE rate SET full_at_ns = full_at_ns - ?3 WHERE name = ?1 AND whose = ?2";
    rows.execute(sql, params![limit.name, whose.to_vec(), limit.rate.share_ns()])?;
    Ok(())
}

/// Forgets counts that no longer matter. Returns how many.
pub(crate) fn forget(rows: &Rows, now: Timestamp) -> Result<usize, Error> {
    rows.execute(FORGET, params![nanos(now)])
}
