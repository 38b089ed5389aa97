//! Expired results. Their records are updated first, and their files are removed afterwards, like
//! those of deleted edits.

use std::collections::BTreeMap;

use retouch_core::catalogue::Retention;
use retouch_core::{AccountId, Timestamp};

use crate::queue::Touches;
use crate::rows::{Row, Rows, Value, all, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// The maximum number of accounts per call.
const ACCOUNTS_MAX: usize = 100;
/// The maximum number of results that expire per call.
const RESULTS_MAX: usize = 200;

/// How long a plan that ended or was replaced still keeps results, in milliseconds: 30 days, so
/// that people who come back soon find everything.
pub(crate) const LEFT_PLAN_MS: i64 = 30 * 24 * 3_600_000;

/// The condition for a plan that keeps results: it is active, or ended after ?2.
macro_rules! keeps {
    () => {
        "(it.status IN ('active', 'past_due') OR (it.status = 'ended' AND it.seen_at > ?2))"
    };
}

/// The condition for a result that can still expire, exactly as in the index.
macro_rules! kept {
    () => {
        "status = 'succeeded' AND stored <> '[]' AND deleted_at IS NULL AND expired_at IS NULL"
    };
}

/// Results that expired in a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expired {
    /// How many. Their files are queued for removal.
    pub results: usize,
    /// Where the next call starts. `None`: all accounts have been checked.
    pub next: Option<ExpiryPlace>,
    /// Accounts whose results could not expire, and why.
    pub failed: Vec<(AccountId, Error)>,
}

/// A position in the list of accounts. The default is the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpiryPlace {
    after: String,
}

impl Store {
    /// Expires results that are older than their accounts' plans allow now: at most two hundred, of
    /// at most a hundred accounts. Several processes may do so at the same time. A failure for one
    /// account does not affect the others.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn expire_results(
        &self,
        retention: &Retention,
        from: &ExpiryPlace,
    ) -> Result<Expired, Error> {
        let (rules, now, place) = (retention.clone(), self.clock.now(), from.clone());
        let (due, next) = self.read(move |rows| look(rows, &rules, &place, now)).await?;
        let mut expired = Expired { results: 0, next, failed: Vec::new() };
        let mut before = from.clone();
        for account in due {
            let results_max = RESULTS_MAX - expired.results;
            match self.expire_results_of(&account, retention, results_max).await {
                Ok(results) => expired.results += results,
                Err(error) if is_of_the_account(&error) => {
                    expired.failed.push((account.clone(), error));
                }
                Err(error) => return Err(error),
            }
            if expired.results == RESULTS_MAX {
                // This account may have more. Start with it next time.
                expired.next = Some(before);
                break;
            }
            before = ExpiryPlace { after: account.to_string() };
        }
        Ok(expired)
    }

    async fn expire_results_of(
        &self,
        account: &AccountId,
        retention: &Retention,
        results_max: usize,
    ) -> Result<usize, Error> {
        let (retention, of) = (retention.clone(), account.clone());
        let expiring = move |tx: &mut Transaction<'_>| expire(tx, &of, &retention, results_max);
        self.write(Touches::account(account), expiring).await
    }

    /// When the result with this blob expired. `None` if it has not, or if its owner deleted it.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_expiry(&self, blob: &str) -> Result<Option<Timestamp>, Error> {
        let blob = blob.to_owned();
        self.read_row(move |rows| {
            let sql = "SELECT expired_at FROM edit
                       WHERE blob = ?1 AND deleted_at IS NULL AND expired_at IS NOT NULL";
            one(rows, sql, [blob], |row| row.get(0).map(Timestamp))
        })
        .await
    }
}

/// Whether an error concerns only this account, so that the others may succeed.
const fn is_of_the_account(error: &Error) -> bool {
    matches!(error, Error::Database { .. } | Error::Corrupt { .. } | Error::Panicked)
}

/// The accounts with results to expire among those from `place` on, and where the rest starts.
fn look(
    rows: &Rows,
    retention: &Retention,
    place: &ExpiryPlace,
    now: Timestamp,
) -> Result<(Vec<AccountId>, Option<ExpiryPlace>), Error> {
    let plans = plans(rows, place, now)?;
    let last = plans.keys().next_back().filter(|_| plans.len() == ACCOUNTS_MAX);
    let next = last.map(|account| ExpiryPlace { after: account.clone() });
    let limit = |(account, plans): (String, Vec<String>)| {
        let kept_ms = retention.kept_ms(plans.iter().map(String::as_str))?;
        Some((account, now.plus_ms(-kept_ms).0))
    };
    let limits: Vec<(String, i64)> = plans.into_iter().filter_map(limit).collect();
    let due = if limits.is_empty() { Vec::new() } else { due(rows, &limits)? };
    Ok((due, next))
}

/// The next accounts, each with the plans that keep its results.
fn plans(
    rows: &Rows,
    place: &ExpiryPlace,
    now: Timestamp,
) -> Result<BTreeMap<String, Vec<String>>, Error> {
    let sql = concat!(
        "SELECT page.id, it.plan
         FROM (SELECT id FROM account WHERE id > ?1 AND deleted_at IS NULL
               ORDER BY id LIMIT ?3) AS page
         LEFT JOIN subscription AS it ON it.account_id = page.id AND ",
        keeps!()
    );
    let limit = i64::try_from(ACCOUNTS_MAX).unwrap_or(i64::MAX);
    let left_since = now.plus_ms(-LEFT_PLAN_MS).0;
    let values = params![place.after, left_since, limit];
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, Option<String>>(1)?));
    let mut plans = BTreeMap::<String, Vec<String>>::new();
    for (account, plan) in all(rows, sql, values, read)? {
        plans.entry(account).or_default().extend(plan);
    }
    let Some(last) = plans.keys().next_back() else { return Ok(plans) };
    let sql = "SELECT account_id, plan FROM plan_left
               WHERE account_id > ?1 AND account_id <= ?2 AND left_at > ?3";
    let values = params![place.after, last, left_since];
    let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
    for (account, plan) in all(rows, sql, values, read)? {
        plans.entry(account).and_modify(|known| known.push(plan));
    }
    Ok(plans)
}

/// Which of the accounts have a result that is older than their limit.
fn due(rows: &Rows, limits: &[(String, i64)]) -> Result<Vec<AccountId>, Error> {
    let places: Vec<String> = (0..ACCOUNTS_MAX)
        .map(|place| format!("(?{}, ?{})", 2 * place + 1, 2 * place + 2))
        .collect();
    let sql = format!(
        "WITH due (account_id, until) AS (VALUES {})
         SELECT account_id FROM due WHERE EXISTS (
             SELECT 1 FROM edit
             WHERE edit.account_id = due.account_id AND completed_at <= due.until AND {})",
        places.join(", "),
        kept!()
    );
    // One prepared statement for any number of accounts. Unused placeholders get a name that no
    // account has.
    let limits = limits.iter().map(|(account, until)| (account.as_str(), *until));
    let values = limits.chain(std::iter::repeat(("", 0))).take(ACCOUNTS_MAX);
    let values: Vec<_> =
        values.flat_map(|(account, until)| [Value::Text(account), Value::Integer(until)]).collect();
    all(rows, &sql, values.as_slice(), |row| column(row, "account_id"))
}

/// Expires at most this many of an account's results. Returns how many.
fn expire(
    tx: &Transaction<'_>,
    account: &AccountId,
    retention: &Retention,
    results_max: usize,
) -> Result<usize, Error> {
    let (rows, now) = (tx.rows(), tx.now());
    // The plan may have changed since the accounts were read.
    let sql = concat!(
        "SELECT it.plan FROM subscription AS it WHERE it.account_id = ?1 AND ",
        keeps!(),
        " UNION SELECT plan FROM plan_left WHERE account_id = ?1 AND left_at > ?2"
    );
    let values = params![account.as_str(), now.plus_ms(-LEFT_PLAN_MS).0];
    let plans: Vec<String> = all(rows, sql, values, |row| row.get(0))?;
    let Some(kept_ms) = retention.kept_ms(plans.iter().map(String::as_str)) else { return Ok(0) };
    let sql = concat!(
        "UPDATE edit SET expired_at = ?3 WHERE account_id = ?1 AND id IN (
             SELECT id FROM edit WHERE account_id = ?1 AND completed_at <= ?2 AND ",
        kept!(),
        " LIMIT ?4)"
    );
    let limit = i64::try_from(results_max).unwrap_or(i64::MAX);
    let values = params![account.as_str(), now.plus_ms(-kept_ms).0, now.0, limit];
    rows.execute(sql, values)
}
