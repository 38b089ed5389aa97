//! Accounts: who pays for edits.

mod change;
mod deletion;
pub(crate) mod free_credits;

use retouch_core::{AccountId, Credits, Email, Timestamp};

use crate::identity::Subject;
use crate::invitation::{self, Ticket};
use crate::page::Place;
use crate::queue::Touches;
use crate::rows::{Row, Rows, all, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Page, PageRequest, Store};

pub(crate) use self::change::{NewPassword, change_email, change_password};
pub use self::deletion::Deletion;
pub use self::free_credits::FreeCredits;
use self::free_credits::{Newcomer, Person};

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// Its email address.
    pub email: Email,
    /// When it was created.
    pub created_at: Timestamp,
}

/// An account to create.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// The email address, which must be unique.
    pub email: Email,
    /// The hash of the password. `None`: the account has no password to sign in with.
    pub password_hash: Option<String>,
    /// The credits for signing up. They are granted in the same transaction, and only once per
    /// person.
    pub sign_up_credits: Credits,
    /// The hash of the secret of an invitation, which this account uses up.
    pub invitation: Option<[u8; 32]>,
}

/// Everything needed to create an account.
pub(crate) struct Making {
    pub(crate) account: Account,
    pub(crate) new: NewAccount,
    /// The owner, as hashes that outlive the account.
    pub(crate) person: Person,
    /// The daily limit on free credits of all sign-ups together. `None` if the operator creates the
    /// account.
    pub(crate) day_max: Option<Credits>,
}

impl Store {
    /// Creates an account and grants its sign-up credits.
    ///
    /// # Errors
    /// [`Error::EmailTaken`], [`Error::EmailIsNobodys`], [`Error::InvitationUnusable`].
    pub async fn create_account(&self, new: NewAccount) -> Result<Account, Error> {
        let making = self.making(new, None).await?;
        self.write(Touches::Global(None), move |tx| create(tx, &making)).await
    }

    /// Prepares the account of a person who signs up, possibly with an identity.
    ///
    /// # Errors
    /// Faults of the database.
    pub(crate) async fn making(
        &self,
        new: NewAccount,
        subject: Option<&Subject>,
    ) -> Result<Making, Error> {
        let person = Person::of(&self.pseudonyms().await?, &new.email, subject);
        let (id, email, created_at) = (self.ids.account(), new.email.clone(), self.clock.now());
        let day_max = Some(self.free_credits_max());
        Ok(Making { account: Account { id, email, created_at }, new, person, day_max })
    }

    /// Finds an account and its password hash by email address, ignoring case.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_account_by_email(
        &self,
        email: &Email,
    ) -> Result<Option<(Account, Option<String>)>, Error> {
        let folded = email.key().to_owned();
        let sql =
            "SELECT id, email, created_at, password_hash FROM account WHERE email_folded = ?1";
        let read = |row: &Row<'_>| Ok((from_row(row)?, row.get("password_hash")?));
        self.read(move |rows| one(rows, sql, [folded], read)).await
    }

    /// Lists all accounts, newest first. For the operator.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_accounts(&self, page: &PageRequest) -> Result<Page<Account>, Error> {
        let place = Place::read("accounts", page)?;
        let sql = "SELECT id, email, created_at FROM account
                   WHERE deleted_at IS NULL AND id < ?1 ORDER BY id DESC LIMIT ?2";
        self.read(move |rows| {
            let found = all(rows, sql, params![place.before(), place.rows()], from_row)?;
            Ok(place.page(found, |account| account.id.to_string()))
        })
        .await
    }
}

/// Finds an account by its id, unless it is deleted.
pub(crate) fn find(rows: &Rows, account: &AccountId) -> Result<Option<Account>, Error> {
    let sql = "SELECT id, email, created_at FROM account WHERE id = ?1 AND deleted_at IS NULL";
    one(rows, sql, [account.as_str()], from_row)
}

/// Checks that the account exists and is not suspended.
///
/// # Errors
/// [`Error::AccountUnknown`], [`Error::Suspended`].
pub(crate) fn may_act(rows: &Rows, account: &AccountId) -> Result<(), Error> {
    let sql = "SELECT suspended_at IS NOT NULL FROM account WHERE id = ?1 AND deleted_at IS NULL";
    let is_suspended = one(rows, sql, [account.as_str()], |row| row.get(0))?;
    if is_suspended.ok_or(Error::AccountUnknown)? { Err(Error::Suspended) } else { Ok(()) }
}

/// The account that has this address, if any.
pub(crate) fn taken_by(rows: &Rows, email: &Email) -> Result<Option<AccountId>, Error> {
    let sql = "SELECT id FROM account WHERE email_folded = ?1";
    one(rows, sql, [email.key()], |row| column(row, "id"))
}

/// Reads an account from the columns `id`, `email` and `created_at`.
pub(crate) fn from_row(row: &Row<'_>) -> Result<Account, Error> {
    Ok(Account {
        id: column(row, "id")?,
        email: column(row, "email")?,
        created_at: Timestamp(row.get("created_at")?),
    })
}

/// Records that the address is confirmed to belong to the account's owner.
pub(crate) fn note_verified(tx: &Transaction<'_>, account: &AccountId) -> Result<(), Error> {
    let sql = "UPDATE account SET verified_at = COALESCE(verified_at, ?2) WHERE id = ?1";
    tx.rows().execute(sql, params![account.as_str(), tx.now().0])?;
    Ok(())
}

/// Creates an account and grants its sign-up credits.
pub(crate) fn create(tx: &mut Transaction<'_>, making: &Making) -> Result<Account, Error> {
    let Making { account, new, person, day_max } = making;
    if new.email.is_nobodys() {
        return Err(Error::EmailIsNobodys);
    }
    if taken_by(tx.rows(), &new.email)?.is_some() {
        return Err(Error::EmailTaken);
    }
    if let Some(hash) = new.invitation {
        invitation::use_up(tx, Ticket::Secret(hash), account)?;
    }
    let sql = "INSERT INTO account (id, email, email_folded, password_hash, created_at)
               VALUES (?1, ?2, ?3, ?4, ?5)";
    tx.rows().execute(
        sql,
        params![
            account.id.as_str(),
            account.email.as_str(),
            new.email.key(),
            new.password_hash,
            account.created_at.0,
        ],
    )?;
    tx.begin_book(&account.id);
    let newcomer = Newcomer { account: &account.id, person, day_max: *day_max };
    free_credits::grant(tx, &newcomer, new.sign_up_credits)?;
    Ok(account.clone())
}
