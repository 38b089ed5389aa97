//! Another password, another address.

use retouch_core::{AccountId, Email};
use rusqlite::{Connection, params};

use super::{Account, find, taken_by};
use crate::session;
use crate::{Error, Store};

impl Store {
    /// An account's password's hash, where it has a password.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_password_hash(&self, account: &AccountId) -> Result<Option<String>, Error> {
        let account = account.clone();
        let sql = "SELECT password_hash FROM account WHERE id = ?1";
        let found = self.read(move |rows| {
            crate::sqlite::one(rows, sql, [account.as_str()], |row| Ok(row.get(0)?))
        });
        Ok(found.await?.flatten())
    }

    /// Puts another password in place of the old one and ends the account's sessions, but for the
    /// one to keep.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`].
    pub async fn change_password(
        &self,
        account: &AccountId,
        hash: String,
        keep: Option<[u8; 32]>,
    ) -> Result<(), Error> {
        let account = account.clone();
        self.write(move |unit| change_password(unit.rows(), &account, (&hash, keep))).await
    }

    /// Gives an account another address.
    ///
    /// # Errors
    /// [`Error::EmailTaken`], [`Error::AccountUnknown`].
    pub async fn change_email(&self, account: &AccountId, email: Email) -> Result<Account, Error> {
        let account = account.clone();
        self.write(move |unit| change_email(unit.rows(), &account, &email)).await
    }
}

pub(crate) fn change_password(
    rows: &Connection,
    account: &AccountId,
    (hash, keep): (&str, Option<[u8; 32]>),
) -> Result<(), Error> {
    let sql = "UPDATE account SET password_hash = ?2 WHERE id = ?1 AND deleted_at IS NULL";
    if rows.execute(sql, params![account.as_str(), hash])? == 0 {
        return Err(Error::AccountUnknown);
    }
    session::end_all(rows, account, keep).map(drop)
}

pub(crate) fn change_email(
    rows: &Connection,
    account: &AccountId,
    email: &Email,
) -> Result<Account, Error> {
    let mut found = find(rows, account)?.ok_or(Error::AccountUnknown)?;
    if taken_by(rows, email)?.is_some_and(|owner| owner != *account) {
        return Err(Error::EmailTaken);
    }
    let sql = "UPDATE account SET email = ?2, email_folded = ?3 WHERE id = ?1";
    rows.execute(sql, params![account.as_str(), email.as_str(), email.key()])?;
    found.email = email.clone();
    Ok(found)
}
