//! Counts in the database that several nodes share: one statement each, which waits for no disk.

use retouch_core::Timestamp;
use retouch_core::rate::{Taken, nanos};

use super::{Limit, Whose};
use crate::Error;
use crate::prune::Old;
use crate::rows::{Row, Rows, one, params};

/// What can be taken as often as ever.
pub(crate) const PAST: Old =
    Old { table: "rate", key: "name, whose", is_old: "full_at_ns <= ?2 * 1000000" };

/// What [`retouch_core::Rate::take`] decides, by the server, since others count the same at the same time: the name, whose,
/// now, the share of one time and the window, in nanoseconds. Where nothing was taken it says what there was.
const COUNT: &str = "WITH counted AS (
        INSERT INTO rate (name, whose, full_at_ns) VALUES (?1, ?2, ?3 + ?4)
        ON CONFLICT (name, whose) DO UPDATE SET full_at_ns = ?4 + CASE
            WHEN rate.full_at_ns > ?3 + 2 * ?5 THEN ?3 ELSE GREATEST(rate.full_at_ns, ?3) END
        WHERE rate.full_at_ns + ?4 <= ?3 + ?5 OR rate.full_at_ns > ?3 + 2 * ?5
        RETURNING full_at_ns)
    SELECT TRUE, full_at_ns FROM counted
    UNION ALL SELECT FALSE, full_at_ns FROM rate
        WHERE name = ?1 AND whose = ?2 AND NOT EXISTS (SELECT 1 FROM counted)";

/// Counts somebody; whether they may come, and what they have taken then.
pub(crate) fn count(
    rows: &Rows,
    (limit, whose): (Limit, Whose),
    now: Timestamp,
) -> Result<(bool, Taken), Error> {
    let (share, window) = (limit.rate.share_ns(), limit.rate.window_ns());
    let values = params![limit.name, whose.to_vec(), nanos(now), share, window];
    let read = |row: &Row<'_>| Ok((row.get(0)?, Taken { full_at_ns: row.get(1)? }));
    let found = one(rows, COUNT, values, read)?;
    // Somebody else took the last time while there was nothing yet to be seen of it.
    Ok(found.unwrap_or((false, Taken { full_at_ns: nanos(now).saturating_add(window) })))
}
