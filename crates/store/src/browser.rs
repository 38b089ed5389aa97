//! Browsers in which somebody has signed in to an account before. A browser keeps a token, and the
//! store sees only its SHA-256. The token opens nothing: it gives its browser attempts of its own at
//! the password, and saves the owner an email about a sign-in from a new browser.

use retouch_core::{AccountId, Email};

use crate::rows::{Rows, one, params};
use crate::unit::Unit;
use crate::{Error, Store};

/// Browsers that one account remembers; the one seen longest ago is forgotten first.
const BROWSERS_MAX: i64 = 20;
/// How long a browser is remembered that nobody signs in with, in milliseconds: 400 days, as long as
/// browsers keep cookies.
pub(crate) const BROWSER_MS: i64 = 400 * 24 * 3_600_000;
/// Browsers of one account that its owner is told of in an hour.
const TOLD_PER_HOUR_MAX: i64 = 5;
const HOUR_MS: i64 = 3_600_000;

impl Store {
    /// Whether somebody has signed in to the account of `email` with the browser before.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn knows_browser(&self, email: &Email, token_hash: &[u8; 32]) -> Result<bool, Error> {
        let (folded, token_hash) = (email.key().to_owned(), *token_hash);
        let since = self.clock.now().plus_ms(-BROWSER_MS).0;
        let sql = "SELECT 1 FROM known_browser JOIN account ON account.id = account_id
                   WHERE email_folded = ?1 AND token_hash = ?2 AND last_seen_at > ?3";
        let found = self
            .read(move |rows| one(rows, sql, params![folded, token_hash, since], |_| Ok(())))
            .await?;
        Ok(found.is_some())
    }
}

/// What is known of a browser that signs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Met {
    /// It was known before.
    Known,
    /// It is new, and the owner is to be told.
    New,
    /// It is new, and the owner has been told of many others within the hour.
    OneOfMany,
}

/// Remembers that somebody signs in to an account with a browser.
pub(crate) fn note(
    unit: &Unit<'_>,
    account: &AccountId,
    token_hash: [u8; 32],
) -> Result<Met, Error> {
    let (rows, id, now) = (unit.rows(), account.as_str(), unit.now());
    let sql =
        "UPDATE known_browser SET last_seen_at = ?3 WHERE account_id = ?1 AND token_hash = ?2";
    if rows.execute(sql, params![id, token_hash, now.0])? > 0 {
        return Ok(Met::Known);
    }
    let sql = "SELECT COUNT(*) FROM known_browser WHERE account_id = ?1 AND last_seen_at > ?2";
    let lately = one(rows, sql, params![id, now.plus_ms(-HOUR_MS).0], |row| row.get::<_, i64>(0))?;
    let sql =
        "INSERT INTO known_browser (account_id, token_hash, last_seen_at) VALUES (?1, ?2, ?3)";
    rows.execute(sql, params![id, token_hash, now.0])?;
    let sql = "DELETE FROM known_browser WHERE account_id = ?1 AND token_hash NOT IN (
                   SELECT token_hash FROM known_browser WHERE account_id = ?1
                   ORDER BY last_seen_at DESC LIMIT ?2)";
    rows.execute(sql, params![id, BROWSERS_MAX])?;
    Ok(if lately.unwrap_or(0) < TOLD_PER_HOUR_MAX { Met::New } else { Met::OneOfMany })
}

/// Forgets all browsers of an account.
pub(crate) fn forget(rows: &Rows, account: &AccountId) -> Result<(), Error> {
    rows.execute("DELETE FROM known_browser WHERE account_id = ?1", [account.as_str()])?;
    Ok(())
}
