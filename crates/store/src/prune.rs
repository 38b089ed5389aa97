//! Clearing away what is of no use any more.

use crate::rows::params;
use crate::work::Touches;
use crate::{Error, Store, challenge, edit};

/// How long an idempotency key is kept at least, in milliseconds: 24 hours (product.md,
/// "Idempotency").
const IDEMPOTENCY_MS: i64 = 24 * 3_600_000;
/// How long a settled event of payments is kept, in milliseconds: 400 days, so that a year's books
/// can be looked through. Vendors repeat events for days; what was booked has a name of its own.
const PAYMENT_EVENT_MS: i64 = 400 * 24 * 3_600_000;
/// The most rows of one table that one call clears away, so that it does not hold up the others.
const ROWS_MAX: i64 = 1_000;

/// How much was cleared away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Sessions that had ended.
    pub sessions: usize,
    /// Idempotency keys whose edit failed or was deleted.
    pub idempotency_keys: usize,
    /// Events of payments that were settled more than a year ago.
    pub payment_events: usize,
    /// Counts of how the edits of a day ended, of more than a year ago.
    pub days: usize,
    /// Letters that were never sent in time, and those whose links nobody has followed.
    pub letters: usize,
    /// Challenges that could be answered no more.
    pub challenges: usize,
}

impl Store {
    /// Clears away ended sessions, idempotency keys that are older than a day and whose edit is
    /// gone, events of payments that were settled long ago, letters whose time is over, challenges that
    /// nobody answered (at most a thousand of each), and what was counted long ago.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn prune(&self) -> Result<Pruned, Error> {
        let idle_ms = self.settings.session_idle_ms;
        self.write(Touches::House(None), move |unit| {
            let (rows, now) = (unit.rows(), unit.now());
            let sql = "DELETE FROM session WHERE token_hash IN (SELECT token_hash FROM session
                       WHERE expires_at <= ?1 OR last_seen_at <= ?2 LIMIT ?3)";
            let sessions = rows.execute(sql, params![now.0, now.plus_ms(-idle_ms).0, ROWS_MAX])?;
            let sql = "DELETE FROM idempotency WHERE (account_id, call, key) IN (
                           SELECT it.account_id, it.call, it.key FROM idempotency it
                           JOIN edit ON edit.account_id = it.account_id AND edit.id = it.edit_id
                           WHERE it.created_at <= ?1
                               AND (edit.deleted_at IS NOT NULL OR edit.status = 'failed')
                           LIMIT ?2)";
            let old = now.plus_ms(-IDEMPOTENCY_MS).0;
            let idempotency_keys = rows.execute(sql, params![old, ROWS_MAX])?;
            let sql = "DELETE FROM payment_event WHERE id IN (SELECT id FROM payment_event
                       WHERE settled_at IS NOT NULL AND received_at <= ?1 LIMIT ?2)";
            let old = now.plus_ms(-PAYMENT_EVENT_MS).0;
            let payment_events = rows.execute(sql, params![old, ROWS_MAX])?;
            let sql = "DELETE FROM letter WHERE id IN (SELECT id FROM letter
                       WHERE expires_at <= ?1 LIMIT ?2)";
            let letters = rows.execute(sql, params![now.0, ROWS_MAX])?;
            let challenges = challenge::prune(rows, now, ROWS_MAX)?;
            let days = edit::prune_days(unit)?;
            Ok(Pruned { sessions, idempotency_keys, payment_events, letters, challenges, days })
        })
        .await
    }
}
