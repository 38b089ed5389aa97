//! Removes data that is no longer needed.

use std::sync::atomic::Ordering;

use crate::queue::Touches;
use crate::rows::{Value, one, params};
use crate::{Error, Store, admin, api_key, browser, edit, spending, webhook};

/// How long an idempotency key is kept at least, in milliseconds: 24 hours.
pub(crate) const IDEMPOTENCY_MS: i64 = 24 * 3_600_000;
/// How long a settled payment event is kept, in milliseconds: 400 days, to cover a year of
/// accounts. Removing it is safe, because providers repeat events only for days and every booking
/// has a source key of its own.
const PAYMENT_EVENT_MS: i64 = 400 * 24 * 3_600_000;

/// How long expired invitations and daily counts are kept for administrators, in milliseconds: 30
/// days.
const MONTH_MS: i64 = 30 * 24 * 3_600_000;
/// How long a failed edit keeps its prompt and plan, in milliseconds: a day, so that the caller can
/// see what went wrong.
const FAILED_WHOLE_MS: i64 = 24 * 3_600_000;
/// How long a failed edit is kept at all, in milliseconds: 30 days. Its ledger entries and the
/// day's counts in `edit_day` stay.
const FAILED_MS: i64 = 30 * 24 * 3_600_000;

/// The maximum number of rows per transaction, so that others don't wait for long.
const ROWS_MAX: i64 = 1_000;
/// How many idempotency keys to check at a time.
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
const EMAILS: Old = Old { table: "email_message", key: "id", is_old: "expires_at <= ?2" };
const CHALLENGES: Old = Old { table: "challenge", key: "token_hash", is_old: "expires_at <= ?2" };
const TOKENS: Old = Old { table: "oauth_token", key: "hash", is_old: "expires_at <= ?2" };
const KEYS: Old =
    Old { table: "api_key", key: "id", is_old: "(revoked_at <= ?2 OR expires_at <= ?2)" };
/// The idempotency key must be removed first, because it refers to the edit.
const FAILED_EDITS: Old = Old {
    table: "edit",
    key: "account_id, id",
    is_old: "status = 'failed' AND completed_at <= ?2 AND NOT EXISTS (SELECT 1 FROM idempotency
        WHERE idempotency.account_id = edit.account_id AND idempotency.edit_id = edit.id)",
};
/// What a failed edit loses after a day. The start of the instruction stays, so that its owner
/// recognizes it in a list.
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
    Old { table: "edit_day", key: "day, model, provider, outcome, share", is_old: "day < ?2" };
const USAGE: Old = Old { table: "account_day", key: "account_id, day, model", is_old: "day < ?2" };
const FIGURES: Old = Old { table: "day_figure", key: "day, name", is_old: "day < ?2" };

const INVITATIONS: Old = Old { table: "invitation", key: "id", is_old: "expires_at <= ?2" };
const REFUSALS: Old = Old { table: "refusal_day", key: "account_id, day", is_old: "day < ?2" };
const FREE_DAYS: Old = Old { table: "free_day", key: "day", is_old: "day < ?2" };
const DELIVERIES: Old =
    Old { table: "webhook_delivery", key: "webhook_id, id", is_old: "created_at <= ?2" };
const SPENDING: Old = Old { table: "provider_day", key: "provider, day", is_old: "day < ?2" };

/// Rows of a table that are no longer needed.
#[derive(Clone, Copy)]
struct Old {
    table: &'static str,
    /// The columns of its primary key.
    key: &'static str,
    /// The condition, with times in milliseconds as values from the second one on.
    is_old: &'static str,
}

/// How much was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Sessions that ended.
    pub sessions: usize,
    /// Idempotency keys whose edit failed or was deleted.
    pub idempotency_keys: usize,
    /// Payment events that were settled more than a year ago.
    pub payment_events: usize,
    /// Daily counts of finished edits that are more than a year old.
    pub days: usize,
    /// Daily sums of what an account was charged that are more than a year old.
    pub usage: usize,
    /// Daily figures for the operator that are more than a year old.
    pub figures: usize,
    /// Plans that were left so long ago that they no longer keep results.
    pub plans_left: usize,
    /// Emails that were not sent in time, and those whose links were not followed.
    pub emails: usize,
    /// Challenges that expired.
    pub challenges: usize,
    /// Invitations that expired a month ago.
    pub invitations: usize,
    /// Daily counts of refusals that are more than a month old.
    pub refusals: usize,
    /// Daily counts of free credits that are more than a month old.
    pub free_days: usize,
    /// Tokens of OAuth that expired.
    pub tokens: usize,
    /// API keys that were revoked or expired 90 days ago.
    pub keys: usize,
    /// Records of edits that failed a day ago and were cut to an outline.
    pub failed_cut: usize,
    /// Records of edits that failed 30 days ago.
    pub failed_edits: usize,
    /// Daily sums of provider costs that are more than a month old.
    pub spending: usize,
    /// Deliveries to webhooks whose event was 14 days ago.
    pub deliveries: usize,
    /// Browsers that have not signed in for as long as they are remembered.
    pub browsers: usize,
}

impl Store {
    /// Removes everything that is old: ended sessions, idempotency keys older than a day whose edit
    /// is gone, settled payment events, plans left long ago, expired emails, challenges and tokens,
    /// inactive API keys, old deliveries and counts, and the remains of failed edits. It continues until nothing
    /// that is old now is left, but takes only a thousand rows per transaction, so that other work
    /// gets its turn in between.
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
            emails: self.clear_all(EMAILS, &[now.0]).await?,
            challenges: self.clear_all(CHALLENGES, &[now.0]).await?,
            browsers: self.clear_all(BROWSERS, &[ago(browser::BROWSER_MS)]).await?,
            plans_left: self.clear_all(PLANS_LEFT, &[ago(edit::LEFT_PLAN_MS)]).await?,
            days: self.clear_all(DAYS, &[edit::oldest_day(now)]).await?,
            usage: self.clear_all(USAGE, &[edit::oldest_day(now)]).await?,
            figures: self.clear_all(FIGURES, &[admin::oldest_day(now)]).await?,
            tokens: self.clear_all(TOKENS, &[now.0]).await?,
            keys: self.clear_all(KEYS, &[ago(api_key::DEAD_MS)]).await?,
            failed_edits: self.clear_all(FAILED_EDITS, &[ago(FAILED_MS)]).await?,
            failed_cut: self.cut_all(FAILED_BULK, OUTLINE, &[ago(FAILED_WHOLE_MS)]).await?,
            invitations: self.clear_all(INVITATIONS, &[ago(MONTH_MS)]).await?,
            refusals: self.clear_all(REFUSALS, &[ago(MONTH_MS)]).await?,
            free_days: self.clear_all(FREE_DAYS, &[ago(MONTH_MS)]).await?,
            deliveries: self.clear_all(DELIVERIES, &[ago(webhook::KEPT_MS)]).await?,
            spending: self.clear_all(SPENDING, &[spending::oldest_day(now)]).await?,
        })
    }

    /// Removes idempotency keys up to `until` whose edit is gone. Most keys stay as long as their
    /// edits, so each process checks a key only once. Deleting an edit later also removes its key.
    async fn clear_keys(&self, until: i64) -> Result<usize, Error> {
        let mut cleared = 0;
        loop {
            // If the clock was set back, there are keys that have not been checked.
            let from = self.keys_looked_at.load(Ordering::Relaxed).min(until);
            let Some(end) = self.end_of_keys(from, until).await? else { return Ok(cleared) };
            cleared += self.clear_all(IDEMPOTENCY_KEYS, &[from, end]).await?;
            self.keys_looked_at.store(end, Ordering::Relaxed);
        }
    }

    /// The time of the last key in the next batch. `None` if there are no more.
    async fn end_of_keys(&self, from: i64, until: i64) -> Result<Option<i64>, Error> {
        let sql = "SELECT MAX(created_at) FROM (SELECT created_at FROM idempotency
                   WHERE created_at > ?1 AND created_at <= ?2 ORDER BY created_at LIMIT ?3) AS next";
        let found = self.read(move |rows| {
            one(rows, sql, params![from, until, KEYS_LOOKED_AT_MAX], |row| row.get(0))
        });
        Ok(found.await?.flatten())
    }

    /// Deletes old rows until none are left.
    async fn clear_all(&self, old: Old, moments: &[i64]) -> Result<usize, Error> {
        self.all_rounds(format!("DELETE FROM {}", old.table), old, moments).await
    }

    /// Updates old rows until none are left.
    async fn cut_all(&self, old: Old, cut: &str, moments: &[i64]) -> Result<usize, Error> {
        self.all_rounds(format!("UPDATE {} SET {cut}", old.table), old, moments).await
    }

    /// Repeats rounds until one finds fewer rows than the limit. The times are fixed, so this ends.
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

    /// Changes at most a thousand old rows in one transaction. Rows that others have locked are
    /// skipped to avoid deadlocks, and the condition is checked again for rows that changed after
    /// they were selected.
    async fn round(&self, verb: &str, old: Old, moments: &[i64]) -> Result<usize, Error> {
        let values: Vec<i64> = [ROWS_MAX].iter().chain(moments).copied().collect();
        let verb = verb.to_owned();
        self.write(Touches::Rows, move |tx| {
            let Old { table, key, is_old } = old;
            let skip_locked = tx.rows().skip_locked();
            let sql = format!(
                "{verb} WHERE {is_old} AND ({key}) IN (
                     SELECT {key} FROM {table} WHERE {is_old} LIMIT ?1{skip_locked})"
            );
            let values: Vec<Value<'_>> = values.iter().copied().map(Value::Integer).collect();
            tx.rows().execute(&sql, values.as_slice())
        })
        .await
    }
}
