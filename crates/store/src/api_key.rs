//! API keys, which programs sign their calls with. The store only sees the SHA-256 of a secret.

mod scopes;

use retouch_core::credits::{KeyLimits, KeyUse, PeriodUse};
use retouch_core::{AccountId, Credits, KeyId, Timestamp};

use crate::account::{self, Account};
use crate::billing::plan_of_account;
use crate::error::credits;
use crate::mail::{self, EmailKind};
use crate::page::Place;
use crate::queue::Touches;
use crate::rows::{Row, Rows, all, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Page, PageRequest, Store};

pub use self::scopes::{Scope, Scopes, ScopesError};

/// How often the use of a key is recorded, in milliseconds.
const TOUCH_MS: i64 = 60_000;

/// The maximum number of active keys per account.
const LIVE_MAX: usize = 50;
/// The maximum number of inactive keys that are kept per account: the latest ones.
const DEAD_MAX: usize = 100;
/// How long an inactive key is kept, in milliseconds: 90 days, so that its owner can look up which
/// key signed a past call.
pub(crate) const DEAD_MS: i64 = 90 * 24 * 3_600_000;

/// The columns that [`from_row`] reads.
const COLUMNS: &str = "api_key.id AS key_id, api_key.account_id, name, start,
    api_key.created_at AS made_at, expires_at, revoked_at, last_used_at, credit_limit, day_limit,
    month_limit, scopes, COALESCE(key_use.credits, 0) AS used, COALESCE(key_use.day, 0) AS used_day,
    COALESCE(key_use.day_credits, 0) AS day_used, COALESCE(key_use.month, 0) AS used_month,
    COALESCE(key_use.month_credits, 0) AS month_used";
/// The tables that have them.
const TABLES: &str = "api_key LEFT JOIN key_use
    ON key_use.account_id = api_key.account_id AND key_use.key_id = api_key.id";

/// An API key, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// Its id.
    pub id: KeyId,
    /// The account that owns it.
    pub account: AccountId,
    /// The name that its owner chose.
    pub name: String,
    /// The first characters of the secret, so that its owner recognizes it. Empty if a program
    /// received the key through OAuth.
    pub start: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// Its spending limits.
    pub limits: KeyLimits,
    /// What it has used or reserved.
    pub used: KeyUse,
    /// What it may do.
    pub scopes: Scopes,
}

/// An API key that a caller presented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyFound {
    /// The key.
    pub key: ApiKey,
    /// The account that owns it.
    pub account: Account,
    /// The plan of that account, if any.
    pub plan: Option<String>,
}

/// An API key to create.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// The name that its owner chose.
    pub name: String,
    /// SHA-256 of the secret.
    pub hash: [u8; 32],
    /// The first characters of the secret.
    pub start: String,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// Its spending limits.
    pub limits: KeyLimits,
    /// What it may do.
    pub scopes: Scopes,
}

impl ApiKey {
    /// Whether it is active at `now`.
    pub fn is_usable(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|moment| moment > now)
    }
}

impl Store {
    /// Creates a key and emails the owner.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`]; [`Error::TooMany`] if the account already has 50 active keys.
    pub async fn create_key(&self, account: &AccountId, new: NewKey) -> Result<ApiKey, Error> {
        let (key, hash) = self.new_key(account, new);
        let notice = self.notice();
        self.write(Touches::global(&key.account), move |tx| {
            let made = insert(tx, &key, hash)?;
            let owner = account::find(tx.rows(), &key.account)?.ok_or(Error::AccountUnknown)?;
            let notice = notice.as_ref().map(|notice| notice.about(&key.start));
            mail::tell(tx, notice.as_ref(), EmailKind::KeyCreated, &owner)?;
            Ok(made)
        })
        .await
    }

    /// Checks that an account may have one more key.
    ///
    /// # Errors
    /// [`Error::TooMany`] if not.
    pub async fn check_key_room(&self, account: &AccountId) -> Result<(), Error> {
        let (account, now) = (account.clone(), self.clock.now());
        self.read(move |rows| check_room(rows, &account, now)).await
    }

    /// Finds the active key with this secret, and its account. Keys of suspended accounts don't
    /// count.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_key(&self, hash: &[u8; 32]) -> Result<Option<KeyFound>, Error> {
        self.find_key_where("api_key.hash = ?1", hash).await
    }

    /// Finds the active key that meets `condition`, in which `?1` is a hash and `?2` the time.
    pub(crate) async fn find_key_where(
        &self,
        condition: &'static str,
        hash: &[u8; 32],
    ) -> Result<Option<KeyFound>, Error> {
        let (hash, now) = (*hash, self.clock.now());
        let found = self
            .peek_row(move |rows| {
                let sql = format!(
                    "SELECT {COLUMNS}, account.id, account.email, account.created_at, {}
                     FROM {TABLES} JOIN account ON account.id = api_key.account_id
                     WHERE {condition} AND account.suspended_at IS NULL
                         AND (api_key.expires_at IS NULL OR api_key.expires_at > ?2)",
                    plan_of_account!()
                );
                let read = |row: &Row<'_>| {
                    let (key, account) = (from_row(row)?, account::from_row(row)?);
                    Ok(KeyFound { key, account, plan: row.get("plan")? })
                };
                one(rows, &sql, params![hash, now.0], read)
            })
            .await?;
        Ok(found.filter(|found| found.key.is_usable(now)))
    }

    /// Lists an account's keys, newest first, including revoked ones.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_keys(
        &self,
        account: &AccountId,
        page: &PageRequest,
    ) -> Result<Page<ApiKey>, Error> {
        let (account, place) = (account.clone(), Place::read("keys", page)?);
        self.read(move |rows| {
            let sql = format!(
                "SELECT {COLUMNS} FROM {TABLES}
                 WHERE api_key.account_id = ?1 AND api_key.id < ?2
                 ORDER BY api_key.id DESC LIMIT ?3"
            );
            let values = params![account.as_str(), place.before(), place.rows()];
            Ok(place.page(all(rows, &sql, values, from_row)?, |key| key.id.to_string()))
        })
        .await
    }

    /// Revokes an account's key immediately. `false` if the account has no such key.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn revoke_key(&self, account: &AccountId, key: &KeyId) -> Result<bool, Error> {
        let (account, key) = (account.clone(), key.clone());
        self.write(Touches::account(&account), move |tx| {
            let has_it = find(tx.rows(), &account, &key)?.is_some();
            revoke(tx, &account, &key)?;
            Ok(has_it)
        })
        .await
    }

    /// Records in the background that a key was used now, at most once a minute.
    pub fn touch_key(&self, key: &ApiKey) {
        let now = self.clock.now();
        if key.last_used_at.is_some_and(|moment| moment.plus_ms(TOUCH_MS) > now) {
            return;
        }
        let id = key.id.clone();
        self.post(move |tx| {
            let sql = "UPDATE api_key SET last_used_at = ?2
                       WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at <= ?3)";
            let values = params![id.as_str(), now.0, now.plus_ms(-TOUCH_MS).0];
            tx.rows().execute(sql, values)?;
            Ok(())
        });
    }

    /// Builds the key with a new id. Also returns the hash of its secret.
    pub(crate) fn new_key(&self, account: &AccountId, new: NewKey) -> (ApiKey, [u8; 32]) {
        let key = ApiKey {
            id: self.ids.key(),
            account: account.clone(),
            name: new.name,
            start: new.start,
            created_at: self.clock.now(),
            expires_at: new.expires_at,
            revoked_at: None,
            last_used_at: None,
            limits: new.limits,
            used: KeyUse::default(),
            scopes: new.scopes,
        };
        (key, new.hash)
    }
}

/// Revokes an account's key. Returns whether it was active.
pub(crate) fn revoke(
    tx: &Transaction<'_>,
    account: &AccountId,
    key: &KeyId,
) -> Result<bool, Error> {
    let sql = "UPDATE api_key SET revoked_at = ?3
               WHERE id = ?1 AND account_id = ?2 AND revoked_at IS NULL";
    let values = params![key.as_str(), account.as_str(), tx.now().0];
    Ok(tx.rows().execute(sql, values)? > 0)
}

/// The account that owns a key.
pub(crate) fn owner(rows: &Rows, key: &KeyId) -> Result<Option<AccountId>, Error> {
    let sql = "SELECT account_id FROM api_key WHERE id = ?1";
    one(rows, sql, [key.as_str()], |row| column(row, "account_id"))
}

/// Finds a key by its id, if the account owns it.
pub(crate) fn find(rows: &Rows, account: &AccountId, key: &KeyId) -> Result<Option<ApiKey>, Error> {
    let sql =
        format!("SELECT {COLUMNS} FROM {TABLES} WHERE api_key.id = ?1 AND api_key.account_id = ?2");
    one(rows, &sql, [key.as_str(), account.as_str()], from_row)
}

/// Checks that the account may have one more key.
fn check_room(rows: &Rows, account: &AccountId, now: Timestamp) -> Result<(), Error> {
    let live = "SELECT 1 FROM api_key WHERE account_id = ?1 AND revoked_at IS NULL
                    AND (expires_at IS NULL OR expires_at > ?2) LIMIT ?3";
    let most = i64::try_from(LIVE_MAX).unwrap_or(i64::MAX);
    let found = all(rows, live, params![account.as_str(), now.0, most], |_| Ok(()))?;
    if found.len() >= LIVE_MAX {
        return Err(Error::TooMany { what: "active API keys", most: LIVE_MAX });
    }
    Ok(())
}

/// Checks that the account may have one more key, and removes its oldest inactive keys so that
/// creating and revoking keys does not fill the table.
fn make_room(tx: &Transaction<'_>, account: &AccountId) -> Result<(), Error> {
    let (rows, now) = (tx.rows(), tx.now());
    check_room(rows, account, now)?;
    let kept = i64::try_from(DEAD_MAX).unwrap_or(i64::MAX);
    let excess = "DELETE FROM api_key WHERE account_id = ?1 AND id IN (
                      SELECT id FROM api_key WHERE account_id = ?1
                          AND (revoked_at IS NOT NULL OR expires_at <= ?2)
                      ORDER BY COALESCE(revoked_at, expires_at) DESC, id DESC
                      LIMIT 1000 OFFSET ?3)";
    rows.execute(excess, params![account.as_str(), now.0, kept])?;
    Ok(())
}

/// Inserts a new key, if the account may have one more.
pub(crate) fn insert(tx: &Transaction<'_>, key: &ApiKey, hash: [u8; 32]) -> Result<ApiKey, Error> {
    make_room(tx, &key.account)?;
    let rows = tx.rows();
    let sql = "SELECT 1 FROM account WHERE id = ?1 AND deleted_at IS NULL";
    one(rows, sql, [key.account.as_str()], |_| Ok(()))?.ok_or(Error::AccountUnknown)?;
    let sql = "INSERT INTO api_key (id, account_id, name, hash, start, created_at, expires_at,
               scopes, credit_limit, day_limit, month_limit)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    let KeyLimits { life, day, month } = key.limits;
    rows.execute(
        sql,
        params![
            key.id.as_str(),
            key.account.as_str(),
            key.name,
            hash,
            key.start,
            key.created_at.0,
            key.expires_at.map(|moment| moment.0),
            key.scopes.text(),
            life.map(Credits::get),
            day.map(Credits::get),
            month.map(Credits::get),
        ],
    )?;
    Ok(key.clone())
}

fn from_row(row: &Row<'_>) -> Result<ApiKey, Error> {
    let moment = |name| Ok::<_, Error>(row.get::<_, Option<i64>>(name)?.map(Timestamp));
    let used = |number, name| {
        Ok::<_, Error>(PeriodUse { number: row.get(number)?, credits: credits(row.get(name)?)? })
    };
    Ok(ApiKey {
        id: column(row, "key_id")?,
        account: column(row, "account_id")?,
        name: row.get("name")?,
        start: row.get("start")?,
        created_at: Timestamp(row.get("made_at")?),
        expires_at: moment("expires_at")?,
        revoked_at: moment("revoked_at")?,
        last_used_at: moment("last_used_at")?,
        limits: limits(row)?,
        scopes: scopes(row)?,
        used: KeyUse {
            life: credits(row.get("used")?)?,
            day: used("used_day", "day_used")?,
            month: used("used_month", "month_used")?,
        },
    })
}

/// The limits of a key, from their columns.
pub(crate) fn limits(row: &Row<'_>) -> Result<KeyLimits, Error> {
    let limit = |name| row.get::<_, Option<i64>>(name)?.map(credits).transpose();
    Ok(KeyLimits {
        life: limit("credit_limit")?,
        day: limit("day_limit")?,
        month: limit("month_limit")?,
    })
}

fn scopes(row: &Row<'_>) -> Result<Scopes, Error> {
    let text: String = row.get("scopes")?;
    text.parse()
        .map_err(|_| Error::Corrupt { what: format!("an API key has unknown scopes {text:?}") })
}
