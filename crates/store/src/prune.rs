//! Clearing away what is of no use any more.

use std::sync::atomic::Ordering;

use crate::rows::{Value, one, params};
use crate::work::Touches;
use crate::{Error, Store, api_key, browser, edit, spending};

/// The minimum time that an idempotency key is kept, in milliseconds: 24 hours.
pub(crate) const IDEMPOTENCY_MS: i64 = 24 * 3_600_000;
/// How long a settled event of payments is kept, in milliseconds: 400 days, so that a year's books
/// can be looked through. Vendors repeat events for days; what was booked has a name of its own.
const PAYMENT_EVENT_MS: i64 = 400 * 24 * 3_600_000;

/// How long an administrator can look at expired invitations and at what was counted by day, in
/// milliseconds: 30 days.
const MONTH_MS: i64 = 30 * 24 * 3_600_000;
/// How long the record of a failed edit keeps what was asked and understood, in milliseconds: a day, so
/// that its caller can see what went wrong.
const FAILED_WHOLE_MS: i64 = 24 * 3_600_000;
/// How long there is a record of a failed edit at all, in milliseconds: 30 days. The entries of its hold
/// and of the release stay in the books, and the day's counts stay in `edit_day`.
const FAILED_MS: i64 = 30 * 24 * 3_600_000;

/// The most rows that one transaction clears away, so that it does not delay others for long.
const ROWS_MAX: i64 = 1_000;
/// How many idempotency keys are looked at in one go.
const KEYS_LOOKED_AT_MAX: i64 = 10_000;

const SESSIONS: Old =
    Old { table: "session", key: "token_hash", is_old: "(expires_at <= ?2 OR last_seen_at <= ?3)" };
const IDEMPOTENCY_KEYS: Old = Old {
    table: "idempotency",
    key: "account_id, call, key",
    is_old: "created_at > ?2 AND created_at <= ?3 AND EXISTS (SELECT 1 FROM edit
        WHERE edit.account_id = idempotency.account_id AND edit.id = idempotency.edit_id
            AND (edit.deleted_at IS NOT NULL OR edit.status = 'failed'))",
};
const PAYMENT_EVENTS: Old = Old {
    table: "payment_event",
    key: "id",
    is_old: "settled_at IS NOT NULL AND received_at <= ?2",
};
const LETTERS: Old = Old { table: "letter", key: "id", is_old: "expires_at <= ?2" };
const CHALLENGES: Old = Old { table: "challenge", key: "token_hash", is_old: "expires_at <= ?2" };
const KEYS: Old =
    Old { table: "api_key", key: "id", is_old: "(revoked_at <= ?2 OR expires_at <= ?2)" };
/// A key of an idempotent call goes first: it names the edit.
const FAILED_EDITS: Old = Old {
    table: "edit",
    key: "account_id, id",
    is_old: "status = 'failed' AND completed_at <= ?2 AND NOT EXISTS (SELECT 1 FROM idempotency
        WHERE idempotency.account_id = edit.account_id AND idempotency.edit_id = edit.id)",
};
/// What a failed edit loses after a day. The beginning of the instruction stays, by which its owner knows
/// it again in a list.
const FAILED_BULK: Old = Old {
    table: "edit",
    key: "account_id, id",
    is_old: "status = 'failed' AND request IS NOT NULL AND completed_at <= ?2",
};
const OUTLINE: &str =
    "instruction = substr(instruction, 1, 200), plan = NULL, request = NULL, usage = NULL,
    warnings = '[]', task = NULL";
const BROWSERS: Old =
    Old { table: "known_browser", key: "account_id, token_hash", is_old: "last_seen_at <= ?2" };
const PLANS_LEFT: Old =
    Old { table: "plan_left", key: "account_id, plan", is_old: "left_at <= ?2" };
const DAYS: Old =
    Old { table: "edit_day", key: "day, model, provider, outcome", is_old: "day < ?2" };

const INVITATIONS: Old = Old { table: "invitation", key: "id", is_old: "expires_at <= ?2" };
const REFUSALS: Old = Old { table: "refusal_day", key: "account_id, day", is_old: "day < ?2" };
const FREE_DAYS: Old = Old { table: "free_day", key: "day", is_old: "day < ?2" };
const SPENDING: Old = Old { table: "provider_day", key: "provider, day", is_old: "day < ?2" };

/// Rows of a table that are of no use any more.
#[derive(Clone, Copy)]
struct Old {
    table: &'static str,
    /// The columns of its primary key.
    key: &'static str,
    /// What says so of a row, with moments in milliseconds from the second value on.
    is_old: &'static str,
}

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
    /// Plans that were left so long ago that they keep no results any more.
    pub plans_left: usize,
    /// Letters that were never sent in time, and those whose links nobody has followed.
    pub letters: usize,
    /// Challenges that could be answered no more.
    pub challenges: usize,
    /// Invitations that expired a month ago.
    pub invitations: usize,
    /// Counts of refusals on days more than a month ago.
    pub refusals: usize,
    /// Counts of the free credits of days more than a month ago.
    pub free_days: usize,
    /// API keys that were revoked or expired 90 days ago.
    pub keys: usize,
    /// Records of edits that failed a day ago, of which only the outline is left.
    pub failed_cut: usize,
    /// Records of edits that failed 30 days ago.
    pub failed_edits: usize,
    /// Sums of what was spent at a provider in a day, of more than a month ago.
    pub spending: usize,
    /// Browsers that nobody has signed in with for longer than they are remembered.
    pub browsers: usize,
}

impl Store {
    /// Clears away ended sessions, idempotency keys that are older than a day and whose edit is
    /// gone, events of payments that were settled long ago, plans that were left long ago, letters whose time
    /// is over, challenges that nobody answered, API keys that stopped working long ago, what was counted
    /// long ago, and what failed edits leave. It goes on until all that is old at this moment is gone, a
    /// thousand rows in a transaction, so that other work gets its turn in between.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn prune(&self) -> Result<Pruned, Error> {
        let now = self.clock.now();
        let ago = |ms: i64| now.plus_ms(-ms).0;
        let seen = ago(self.settings.session_idle_ms);
        Ok(Pruned {
            sessions: self.clear_all(SESSIONS, &[now.0, seen]).await?,
            idempotency_keys: self.clear_keys(ago(IDEMPOTENCY_MS)).await?,
            payment_events: self.clear_all(PAYMENT_EVENTS, &[ago(PAYMENT_EVENT_MS)]).await?,
            letters: self.clear_all(LETTERS, &[now.0]).await?,
            challenges: self.clear_all(CHALLENGES, &[now.0]).await?,
            browsers: self.clear_all(BROWSERS, &[ago(browser::BROWSER_MS)]).await?,
            plans_left: self.clear_all(PLANS_LEFT, &[ago(edit::LEFT_PLAN_MS)]).await?,
            days: self.clear_all(DAYS, &[edit::oldest_day(now)]).await?,
            keys: self.clear_all(KEYS, &[ago(api_key::DEAD_MS)]).await?,
            failed_edits: self.clear_all(FAILED_EDITS, &[ago(FAILED_MS)]).await?,
            failed_cut: self.cut_all(FAILED_BULK, OUTLINE, &[ago(FAILED_WHOLE_MS)]).await?,
            invitations: self.clear_all(INVITATIONS, &[ago(MONTH_MS)]).await?,
            refusals: self.clear_all(REFUSALS, &[ago(MONTH_MS)]).await?,
            free_days: self.clear_all(FREE_DAYS, &[ago(MONTH_MS)]).await?,
            spending: self.clear_all(SPENDING, &[spending::oldest_day(now)]).await?,
        })
    }

    /// Clears away the keys up to a moment whose edit is gone. Most keys stay, as long as their edits, so each
    /// is looked at once by a process; an edit that goes later takes its key with it.
    async fn clear_keys(&self, until: i64) -> Result<usize, Error> {
        let mut cleared = 0;
        loop {
            // A clock that was set back leaves keys that have not been looked at.
            let from = self.keys_looked_at.load(Ordering::Relaxed).min(until);
            let Some(end) = self.end_of_keys(from, until).await? else { return Ok(cleared) };
            cleared += self.clear_all(IDEMPOTENCY_KEYS, &[from, end]).await?;
            self.keys_looked_at.store(end, Ordering::Relaxed);
        }
    }

    /// The moment of the last key of those that are looked at next; none where there are none.
    async fn end_of_keys(&self, from: i64, until: i64) -> Result<Option<i64>, Error> {
        let sql = "SELECT MAX(created_at) FROM (SELECT created_at FROM idempotency
                   WHERE created_at > ?1 AND created_at <= ?2 ORDER BY created_at LIMIT ?3) AS next";
        let found = self.read(move |rows| {
            one(rows, sql, params![from, until, KEYS_LOOKED_AT_MAX], |row| row.get(0))
        });
        Ok(found.await?.flatten())
    }

    /// Clears rows away until no more are found.
    async fn clear_all(&self, old: Old, moments: &[i64]) -> Result<usize, Error> {
        self.all_rounds(format!("DELETE FROM {}", old.table), old, moments).await
    }

    /// Sets columns of old rows until no more are found.
    async fn cut_all(&self, old: Old, cut: &str, moments: &[i64]) -> Result<usize, Error> {
        self.all_rounds(format!("UPDATE {} SET {cut}", old.table), old, moments).await
    }

    /// The moments are fixed, so the rows come to an end.
    async fn all_rounds(&self, verb: String, old: Old, moments: &[i64]) -> Result<usize, Error> {
        let mut done = 0;
        loop {
            let round = self.round(&verb, old, moments).await?;
            done += round;
            if i64::try_from(round).is_ok_and(|round| round < ROWS_MAX) {
                return Ok(done);
            }
        }
    }

    /// Changes at most a thousand old rows in a transaction of their own. Those that somebody else is at
    /// are passed by, so that nobody waits in a circle; and one that was changed after it had been picked
    /// is asked again whether it is old.
    async fn round(&self, verb: &str, old: Old, moments: &[i64]) -> Result<usize, Error> {
        let values: Vec<i64> = [ROWS_MAX].iter().chain(moments).copied().collect();
        let verb = verb.to_owned();
        self.write(Touches::Rows, move |unit| {
            let Old { table, key, is_old } = old;
            let pass_by = unit.rows().passing_by_locked();
            let sql = format!(
                "{verb} WHERE {is_old} AND ({key}) IN (
                     SELECT {key} FROM {table} WHERE {is_old} LIMIT ?1{pass_by})"
            );
            let values: Vec<Value<'_>> = values.iter().copied().map(Value::Integer).collect();
            unit.rows().execute(&sql, values.as_slice())
        })
        .await
    }
}
