//! Identities: people known through an OpenID Connect provider, by issuer and subject.

use retouch_core::{AccountId, Timestamp};

use crate::account::free_credits::{self, Person};
use crate::account::{self, Account, NewAccount};
use crate::mail::{self, EmailKind};
use crate::queue::Touches;
use crate::rows::{Row, Rows, all, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// The maximum number of identities per account.
pub const IDENTITIES_MAX: usize = 10;

/// A person, as an identity provider knows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The identity provider.
    pub issuer: String,
    /// The provider's id for the person, which is never reused for another one.
    pub subject: String,
    /// The address that the provider knows. It is only shown to the owner and proves nothing here.
    pub email: Option<String>,
}

/// An identity of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Who it is at the provider.
    pub subject: Subject,
    /// When it was linked.
    pub created_at: Timestamp,
    /// When it was last used to sign in.
    pub last_used_at: Option<Timestamp>,
}

impl Store {
    /// Finds the account of an identity, and records that the identity was used.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn use_identity(&self, subject: Subject) -> Result<Option<Account>, Error> {
        self.write(Touches::Global(None), move |tx| {
            let Some(owner) = owner(tx.rows(), &subject)? else { return Ok(None) };
            let sql = "UPDATE identity SET last_used_at = ?3, email = ?4
                       WHERE issuer = ?1 AND subject = ?2";
            let values = params![subject.issuer, subject.subject, tx.now().0, subject.email];
            tx.rows().execute(sql, values)?;
            account::find(tx.rows(), &owner)
        })
        .await
    }

    /// Creates an account with an identity and grants its sign-up credits. If the identity was
    /// linked to an account in the meantime, returns that one. The provider must have verified the
    /// address.
    ///
    /// # Errors
    /// [`Error::EmailTaken`], [`Error::InvitationUnusable`].
    pub async fn create_account_by_identity(
        &self,
        new: NewAccount,
        subject: Subject,
    ) -> Result<Account, Error> {
        let making = self.making(new, Some(&subject)).await?;
        self.write(Touches::Global(None), move |tx| match owner(tx.rows(), &subject)? {
            Some(owner) => account::find(tx.rows(), &owner)?.ok_or(Error::AccountUnknown),
            None => {
                let made = account::create(tx, &making)?;
                account::note_verified(tx, &made.id)?;
                insert(tx, &made.id, &subject)?;
                Ok(made)
            }
        })
        .await
    }

    /// Links an identity to an account and emails the owner. If it is already linked, nothing
    /// changes.
    ///
    /// # Errors
    /// [`Error::IdentityTaken`], [`Error::TooMany`], [`Error::AccountUnknown`].
    pub async fn link_identity(&self, account: &AccountId, subject: Subject) -> Result<(), Error> {
        let (account, notice) = (account.clone(), self.notice());
        let person = Person::of_subject(&self.pseudonyms().await?, &subject);
        self.write(Touches::global(&account), move |tx| {
            let rows = tx.rows();
            let found = account::find(rows, &account)?.ok_or(Error::AccountUnknown)?;
            match owner(rows, &subject)? {
                Some(owner) if owner == account => return Ok(()),
                Some(_) => return Err(Error::IdentityTaken),
                None => {}
            }
            if list(rows, &account)?.len() >= IDENTITIES_MAX {
                return Err(Error::TooMany { what: "identities", most: IDENTITIES_MAX });
            }
            insert(tx, &account, &subject)?;
            free_credits::also_known_as(tx, &account, &person)?;
            mail::tell(tx, notice.as_ref(), EmailKind::IdentityLinked, &found)
        })
        .await
    }

    /// Lists an account's identities, oldest first.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_identities(&self, account: &AccountId) -> Result<Vec<Identity>, Error> {
        let account = account.clone();
        self.read(move |rows| list(rows, &account)).await
    }

    /// Unlinks an identity and emails the owner. Returns whether it was linked. `live` is the
    /// identity provider that is currently configured.
    ///
    /// # Errors
    /// [`Error::LastWayIn`], [`Error::AccountUnknown`].
    pub async fn unlink_identity(
        &self,
        account: &AccountId,
        gone: Subject,
        live: Option<&str>,
    ) -> Result<bool, Error> {
        let (account, live) = (account.clone(), live.map(str::to_owned));
        let notice = self.notice();
        self.write(Touches::global(&account), move |tx| {
            let rows = tx.rows();
            if owner(rows, &gone)?.is_none_or(|owner| owner != account) {
                return Ok(false);
            }
            let is_way_in = live.as_ref() == Some(&gone.issuer);
            if is_way_in && ways_in(rows, &account, live.as_deref())? <= 1 {
                return Err(Error::LastWayIn);
            }
            let sql = "DELETE FROM identity WHERE issuer = ?1 AND subject = ?2";
            rows.execute(sql, [&gone.issuer, &gone.subject])?;
            let found = account::find(rows, &account)?.ok_or(Error::AccountUnknown)?;
            mail::tell(tx, notice.as_ref(), EmailKind::IdentityUnlinked, &found)?;
            Ok(true)
        })
        .await
    }
}

/// The number of working sign-in methods of an account: a password, identities of the provider
/// `live`, and passkeys that are not disabled.
pub(crate) fn ways_in(rows: &Rows, account: &AccountId, live: Option<&str>) -> Result<i64, Error> {
    let sql = "SELECT CASE WHEN password_hash IS NULL THEN 0 ELSE 1 END
                   + (SELECT COUNT(*) FROM identity WHERE account_id = ?1 AND issuer = ?2)
                   + (SELECT COUNT(*) FROM passkey WHERE account_id = ?1 AND doubted_at IS NULL)
               FROM account WHERE id = ?1";
    let count = one(rows, sql, params![account.as_str(), live], |row| row.get(0))?;
    Ok(count.unwrap_or(0))
}

/// Removes all sign-in methods of an account except its password.
pub(crate) fn forget(rows: &Rows, account: &AccountId) -> Result<(), Error> {
    for sql in [
        "DELETE FROM identity WHERE account_id = ?1",
        "DELETE FROM passkey WHERE account_id = ?1",
        "DELETE FROM challenge WHERE account_id = ?1",
        "DELETE FROM known_browser WHERE account_id = ?1",
        "DELETE FROM recovery_code WHERE account_id = ?1",
        "DELETE FROM second_factor WHERE account_id = ?1",
    ] {
        rows.execute(sql, [account.as_str()])?;
    }
    Ok(())
}

fn owner(rows: &Rows, subject: &Subject) -> Result<Option<AccountId>, Error> {
    let sql = "SELECT account_id FROM identity WHERE issuer = ?1 AND subject = ?2";
    one(rows, sql, [&subject.issuer, &subject.subject], |row| column(row, "account_id"))
}

fn insert(tx: &Transaction<'_>, account: &AccountId, subject: &Subject) -> Result<(), Error> {
    let sql = "INSERT INTO identity (issuer, subject, account_id, email, created_at)
               VALUES (?1, ?2, ?3, ?4, ?5)";
    let Subject { issuer, subject, email } = subject;
    let values = params![issuer, subject, account.as_str(), email, tx.now().0];
    tx.rows().execute(sql, values)?;
    Ok(())
}

/// Lists an account's identities, oldest first.
pub(crate) fn list(rows: &Rows, account: &AccountId) -> Result<Vec<Identity>, Error> {
    let sql = "SELECT issuer, subject, email, created_at, last_used_at FROM identity
               WHERE account_id = ?1 ORDER BY created_at, issuer, subject";
    all(rows, sql, [account.as_str()], from_row)
}

fn from_row(row: &Row<'_>) -> Result<Identity, Error> {
    Ok(Identity {
        subject: Subject {
            issuer: row.get("issuer")?,
            subject: row.get("subject")?,
            email: row.get("email")?,
        },
        created_at: Timestamp(row.get("created_at")?),
        last_used_at: row.get::<_, Option<i64>>("last_used_at")?.map(Timestamp),
    })
}
