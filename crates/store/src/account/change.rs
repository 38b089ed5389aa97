//! Changing the password and the email address.

use retouch_core::{AccountId, Email};

use super::free_credits::{self, Person};
use super::{Account, find, taken_by};
use crate::mail::{self, EmailKind, Notice};
use crate::queue::Touches;
use crate::rows::params;
use crate::session;
use crate::transaction::Transaction;
use crate::{Error, Store};

impl Store {
    /// The hash of an account's password, if it has one.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_password_hash(&self, account: &AccountId) -> Result<Option<String>, Error> {
        let account = account.clone();
        let sql = "SELECT password_hash FROM account WHERE id = ?1";
        let found = self
            .read(move |rows| crate::rows::one(rows, sql, [account.as_str()], |row| row.get(0)));
        Ok(found.await?.flatten())
    }

    /// Changes the password, ends all sessions except the one to keep, invalidates the links that
    /// were sent, and emails the owner.
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
        let notice = self.notice();
        self.write(Touches::global(&account), move |tx| {
            let password = NewPassword { hash: &hash, keep };
            change_password(tx, &account, password, notice.as_ref()).map(drop)
        })
        .await
    }

    /// Changes the email address to one that is not confirmed yet.
    ///
    /// # Errors
    /// [`Error::EmailTaken`], [`Error::EmailIsNobodys`], [`Error::AccountUnknown`].
    pub async fn change_email(&self, account: &AccountId, email: Email) -> Result<Account, Error> {
        let account = account.clone();
        let person = Person::of(&self.pseudonyms().await?, &email, None);
        self.write(Touches::global(&account), move |tx| change_email(tx, &account, &email, &person))
            .await
    }
}

/// A password to set.
#[derive(Clone, Copy)]
pub(crate) struct NewPassword<'a> {
    pub(crate) hash: &'a str,
    /// The session to keep, by the hash of its token.
    pub(crate) keep: Option<[u8; 32]>,
}

pub(crate) fn change_password(
    tx: &Transaction<'_>,
    account: &AccountId,
    NewPassword { hash, keep }: NewPassword<'_>,
    notice: Option<&Notice>,
) -> Result<Account, Error> {
    let rows = tx.rows();
    let found = find(rows, account)?.ok_or(Error::AccountUnknown)?;
    let sql = "UPDATE account SET password_hash = ?2 WHERE id = ?1";
    rows.execute(sql, params![account.as_str(), hash])?;
    session::end_all(rows, account, keep)?;
    // Cancel sign-ins that began with the old password.
    rows.execute("DELETE FROM challenge WHERE account_id = ?1", [account.as_str()])?;
    mail::revoke(rows, account)?;
    mail::tell(tx, notice, EmailKind::PasswordChanged, &found)?;
    Ok(found)
}

/// Changes the email address, and records that `person` owns the account too.
pub(crate) fn change_email(
    tx: &Transaction<'_>,
    account: &AccountId,
    email: &Email,
    person: &Person,
) -> Result<Account, Error> {
    let rows = tx.rows();
    let mut found = find(rows, account)?.ok_or(Error::AccountUnknown)?;
    if email.is_nobodys() {
        return Err(Error::EmailIsNobodys);
    }
    if taken_by(rows, email)?.is_some_and(|owner| owner != *account) {
        return Err(Error::EmailTaken);
    }
    let sql = "UPDATE account SET email = ?2, email_folded = ?3, verified_at = NULL WHERE id = ?1";
    rows.execute(sql, params![account.as_str(), email.as_str(), email.key()])?;
    mail::revoke(rows, account)?;
    free_credits::also_known_as(tx, account, person)?;
    found.email = email.clone();
    Ok(found)
}
