//! Browsers that an account has been signed in from before. A browser keeps a token, of which the
//! store only sees the SHA-256. The token does not sign anyone in: it gives the browser its own
//! allowance of password attempts, and suppresses the email about a new browser.

use retouch_core::{AccountId, Email};

use crate::rows::{Rows, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// The maximum number of browsers remembered per account. The one used longest ago is forgotten
/// first.
const BROWSERS_MAX: i64 = 20;
/// How long an unused browser is remembered, in milliseconds: 400 days, the longest lifetime that
/// browsers give cookies.
pub(crate) const BROWSER_MS: i64 = 400 * 24 * 3_600_000;
/// The maximum number of emails per hour about new browsers of one account.
const TOLD_PER_HOUR_MAX: i64 = 5;
const HOUR_MS: i64 = 3_600_000;

impl Store {
    /// Whether the account of `email` has been signed in from this browser before.
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

/// What is known about a browser that signs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Met {
    /// It was used before.
    Known,
    /// It is new, and the owner should be notified.
    New,
    /// It is new, but the owner was notified of many others within the hour.
    OneOfMany,
}

/// Remembers a browser that signs in to an account.
pub(crate) fn note(
    tx: &Transaction<'_>,
    account: &AccountId,
    token_hash: [u8; 32],
) -> Result<Met, Error> {
    let (rows, id, now) = (tx.rows(), account.as_str(), tx.now());
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
