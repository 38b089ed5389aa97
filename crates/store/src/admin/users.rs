//! Accounts as administrators see them.

use retouch_core::credits::Balance;
use retouch_core::{AccountId, Credits, Timestamp};

use crate::account::{self, Account};
use crate::error::credits;
use crate::page::Place;
use crate::refusal;
use crate::rows::{Row, Rows, all, one, params};
use crate::transaction::balance_from_row;
use crate::{Error, Page, PageRequest, Store};

/// An account in the list of all accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The account.
    pub account: Account,
    /// Whether it is an administrator.
    pub is_administrator: bool,
    /// When it was deleted.
    pub deleted_at: Option<Timestamp>,
    /// When it was suspended.
    pub suspended_at: Option<Timestamp>,
    /// Available credits, including any that expired after the last entry.
    pub available: Credits,
    /// Reserved credits.
    pub held: Credits,
}

/// An account in detail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserDetail {
    /// The account.
    pub user: User,
    /// When its address was confirmed.
    pub verified_at: Option<Timestamp>,
    /// Its balance.
    pub balance: Balance,
    /// Its sessions, including any that just expired.
    pub sessions: i64,
    /// When the latest of them was last used.
    pub last_seen_at: Option<Timestamp>,
    /// API keys that are not revoked.
    pub keys: i64,
    /// The number of edits that succeeded, failed, and are in progress.
    pub edits: [i64; 3],
    /// How many of its requests providers refused today (UTC).
    pub refusals_today: i64,
}

/// The columns that [`from_row`] reads from `account` and `balance`.
const COLUMNS: &str =
    "account.id, account.email, account.created_at, role, suspended_at, deleted_at,
    COALESCE(available, 0) AS available, COALESCE(held, 0) AS held";

impl Store {
    /// Lists all accounts except deleted ones, newest first, or only those whose address contains
    /// `words` or whose id is `words`.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_users(&self, words: &str, page: &PageRequest) -> Result<Page<User>, Error> {
        let place = Place::read("users", page)?;
        let words = words.trim().to_lowercase();
        self.read(move |rows| {
            let sql = format!(
                "SELECT {COLUMNS} FROM account LEFT JOIN balance ON account_id = account.id
                 WHERE account.id < ?1 AND deleted_at IS NULL AND (?3 = '' OR account.id = ?3
                     OR replace(email_folded, ?3, '') <> email_folded)
                 ORDER BY account.id DESC LIMIT ?2"
            );
            let found = all(rows, &sql, params![place.before(), place.rows(), words], from_row)?;
            Ok(place.page(found, |user| user.account.id.to_string()))
        })
        .await
    }

    /// Finds an account by its id.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_user(&self, account: &AccountId) -> Result<Option<UserDetail>, Error> {
        let (account, now) = (account.clone(), self.clock.now());
        self.read(move |rows| find(rows, &account, now)).await
    }
}

fn find(rows: &Rows, account: &AccountId, now: Timestamp) -> Result<Option<UserDetail>, Error> {
    let id = [account.as_str()];
    let sql = format!(
        "SELECT {COLUMNS} FROM account LEFT JOIN balance ON account_id = account.id
         WHERE account.id = ?1"
    );
    let Some(user) = one(rows, &sql, id, from_row)? else { return Ok(None) };
    let sql = "SELECT verified_at FROM account WHERE id = ?1";
    let verified: Option<i64> = one(rows, sql, id, |row| row.get(0))?.flatten();
    let sql = "SELECT granted, available, held, spent, expired, taken_back, seq, buckets, last_at,
                   debt
               FROM balance WHERE account_id = ?1";
    let balance = one(rows, sql, id, balance_from_row)?.unwrap_or_default();
    let sql = "SELECT COUNT(*), MAX(last_seen_at) FROM session WHERE account_id = ?1";
    let (sessions, last_seen) =
        one(rows, sql, id, |row| Ok((row.get(0)?, row.get(1)?)))?.unwrap_or((0, None));
    let sql = "SELECT COUNT(*) FROM api_key WHERE account_id = ?1 AND revoked_at IS NULL";
    let keys = one(rows, sql, id, |row| row.get(0))?.unwrap_or(0);
    let sql = "SELECT COUNT(*) FILTER (WHERE status = 'succeeded'),
                   COUNT(*) FILTER (WHERE status = 'failed'),
                   COUNT(*) FILTER (WHERE status = 'processing')
               FROM edit WHERE account_id = ?1";
    let counts = |row: &Row<'_>| Ok([row.get(0)?, row.get(1)?, row.get(2)?]);
    let edits = one(rows, sql, id, counts)?.unwrap_or_default();
    let (verified_at, last_seen_at) = (verified.map(Timestamp), last_seen.map(Timestamp));
    let refusals_today = refusal::today(rows, account, now)?;
    Ok(Some(UserDetail {
        user,
        verified_at,
        balance,
        sessions,
        last_seen_at,
        keys,
        edits,
        refusals_today,
    }))
}

fn from_row(row: &Row<'_>) -> Result<User, Error> {
    let role: String = row.get("role")?;
    Ok(User {
        account: account::from_row(row)?,
        is_administrator: role == "administrator",
        deleted_at: row.get::<_, Option<i64>>("deleted_at")?.map(Timestamp),
        suspended_at: row.get::<_, Option<i64>>("suspended_at")?.map(Timestamp),
        available: credits(row.get("available")?)?,
        held: credits(row.get("held")?)?,
    })
}
