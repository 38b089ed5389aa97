//! Sessions: a browser that has signed in. The store sees only the SHA-256 of a session's token.

use retouch_core::{AccountId, Timestamp};
use rusqlite::{Row, params};

use crate::account::{self, Account};
use crate::sqlite::one;
use crate::{Error, Store};

/// How often the use of a session is written down, in milliseconds.
const TOUCH_MS: i64 = 10 * 60_000;

/// A session to begin.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// SHA-256 of the token that the browser keeps.
    pub token_hash: [u8; 32],
    /// When it ends, however much it is used.
    pub expires_at: Timestamp,
}

/// A session that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Who signed in.
    pub account: Account,
    /// When.
    pub created_at: Timestamp,
    /// When it was last seen in use (written at most every ten minutes).
    pub last_seen_at: Timestamp,
    /// When it ends, however much it is used.
    pub expires_at: Timestamp,
}

impl Store {
    /// Begins a session.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`], [`Error::Suspended`].
    pub async fn create_session(&self, account: &AccountId, new: NewSession) -> Result<(), Error> {
        let account = account.clone();
        self.write(move |unit| {
            let rows = unit.rows();
            let sql = "SELECT suspended_at IS NOT NULL FROM account WHERE id = ?1";
            let is_suspended = one(rows, sql, [account.as_str()], |row| Ok(row.get(0)?))?;
            if is_suspended.ok_or(Error::AccountUnknown)? {
                return Err(Error::Suspended);
            }
            let sql = "INSERT INTO session (token_hash, account_id, created_at, last_seen_at,
                       expires_at) VALUES (?1, ?2, ?3, ?3, ?4)";
            let values = params![new.token_hash, account.as_str(), unit.now().0, new.expires_at.0];
            rows.prepare_cached(sql)?.execute(values)?;
            Ok(())
        })
        .await
    }

    /// The session of a token, unless it has ended: by its time, unused for
    /// `Settings::session_idle_ms`, or because its account is suspended.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_session(&self, token_hash: &[u8; 32]) -> Result<Option<Session>, Error> {
        let (token_hash, now) = (*token_hash, self.clock.now());
        let sql = "SELECT account.id, account.email, account.created_at, session.last_seen_at,
                       session.expires_at, session.created_at AS begun_at
                   FROM session JOIN account ON account.id = session.account_id
                   WHERE token_hash = ?1 AND account.suspended_at IS NULL";
        let found = self.glance(move |rows| one(rows, sql, [token_hash], from_row)).await?;
        let idle_ms = self.settings.session_idle_ms;
        let found = found.filter(|session| {
            session.expires_at > now && session.last_seen_at.plus_ms(idle_ms) > now
        });
        if found.as_ref().is_some_and(|session| session.last_seen_at.plus_ms(TOUCH_MS) <= now) {
            self.touch_session(token_hash);
        }
        Ok(found)
    }

    /// Ends a session; whether there was one.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn delete_session(&self, token_hash: &[u8; 32]) -> Result<bool, Error> {
        let token_hash = *token_hash;
        let sql = "DELETE FROM session WHERE token_hash = ?1";
        self.write(move |unit| Ok(unit.rows().execute(sql, [token_hash])? > 0)).await
    }

    fn touch_session(&self, token_hash: [u8; 32]) {
        let sql =
            "UPDATE session SET last_seen_at = ?2 WHERE token_hash = ?1 AND last_seen_at < ?2";
        self.post(move |unit| {
            unit.rows().execute(sql, params![token_hash, unit.now().0])?;
            Ok(())
        });
    }
}

fn from_row(row: &Row<'_>) -> Result<Session, Error> {
    Ok(Session {
        account: account::from_row(row)?,
        created_at: Timestamp(row.get("begun_at")?),
        last_seen_at: Timestamp(row.get("last_seen_at")?),
        expires_at: Timestamp(row.get("expires_at")?),
    })
}
