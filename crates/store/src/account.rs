//! Accounts: who pays.

mod change;
mod deletion;
pub(crate) mod free_credits;

use retouch_core::{AccountId, Credits, Email, Kind, Timestamp};

use crate::identity::Subject;
use crate::invitation::{self, Ticket};
use crate::page::Place;
use crate::rows::{Row, Rows, all, column, one, params};
use crate::unit::Unit;
use crate::work::Touches;
use crate::{Error, Page, PageRequest, Store};

pub(crate) use self::change::{change_email, change_password};
pub use self::deletion::Deletion;
pub use self::free_credits::FreeCredits;
use self::free_credits::{Newcomer, Person};

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its name.
    pub id: AccountId,
    /// The address it signed up with.
    pub email: Email,
    /// When it was made.
    pub created_at: Timestamp,
}

/// An account to make.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// The address; one account each.
    pub email: Email,
    /// The password's hash; none: nobody can sign in with a password.
    pub password_hash: Option<String>,
    /// What it gets for a start: once for each person, in the same transaction.
    pub sign_up_credits: Credits,
    /// The hash of the secret of an invitation, which is used up.
    pub invitation: Option<[u8; 32]>,
}

/// An account in the making.
pub(crate) struct Making {
    pub(crate) account: Account,
    pub(crate) new: NewAccount,
    /// Who it is for, in words that outlive it.
    pub(crate) person: Person,
    /// What all sign-ups together may be given today; none where the operator makes the account.
    pub(crate) day_max: Option<Credits>,
}

impl Store {
    /// Makes an account and grants its sign-up credits.
    ///
    /// # Errors
    /// [`Error::EmailTaken`], [`Error::EmailIsNobodys`], [`Error::InvitationUnusable`].
    pub async fn create_account(&self, new: NewAccount) -> Result<Account, Error> {
        let making = self.making(new, None).await?;
        self.write(Touches::House(None), move |unit| create(unit, &making)).await
    }

    /// The account that `new` is to become when somebody signs up, with an identity perhaps.
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
        let day_max = Some(self.settings.free_credits_per_day_max);
        Ok(Making { account: Account { id, email, created_at }, new, person, day_max })
    }

    /// An account and its password's hash by its address, compared without case.
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

    /// All accounts, newest first; for the operator.
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

/// An account by its name, unless it is deleted.
pub(crate) fn find(rows: &Rows, account: &AccountId) -> Result<Option<Account>, Error> {
    let sql = "SELECT id, email, created_at FROM account WHERE id = ?1 AND deleted_at IS NULL";
    one(rows, sql, [account.as_str()], from_row)
}

/// Whether an account may do anything now.
///
/// # Errors
/// [`Error::AccountUnknown`], [`Error::Suspended`].
pub(crate) fn may_act(rows: &Rows, account: &AccountId) -> Result<(), Error> {
    let sql = "SELECT suspended_at IS NOT NULL FROM account WHERE id = ?1 AND deleted_at IS NULL";
    let is_suspended = one(rows, sql, [account.as_str()], |row| row.get(0))?;
    if is_suspended.ok_or(Error::AccountUnknown)? { Err(Error::Suspended) } else { Ok(()) }
}

/// Whether an account may do anything now, and how many edits it has under way, on whichever nodes: videos,
/// or pictures, as `kind` is one.
///
/// # Errors
/// As of [`may_act`].
pub(crate) fn acting(rows: &Rows, account: &AccountId, kind: Kind) -> Result<usize, Error> {
    let sql = "SELECT suspended_at IS NOT NULL, (
                   SELECT COUNT(*) FROM edit
                   WHERE account_id = ?1 AND status = 'processing' AND (kind = 'video') = ?2)
               FROM account WHERE id = ?1 AND deleted_at IS NULL";
    let values = params![account.as_str(), kind == Kind::Video];
    let found = one(rows, sql, values, |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)))?;
    let (is_suspended, under_way) = found.ok_or(Error::AccountUnknown)?;
    if is_suspended { Err(Error::Suspended) } else { Ok(usize::try_from(under_way).unwrap_or(0)) }
}

/// Whose an address is, if it is anybody's.
pub(crate) fn taken_by(rows: &Rows, email: &Email) -> Result<Option<AccountId>, Error> {
    let sql = "SELECT id FROM account WHERE email_folded = ?1";
    one(rows, sql, [email.key()], |row| column(row, "id"))
}

/// An account out of the columns id, email and `created_at`.
pub(crate) fn from_row(row: &Row<'_>) -> Result<Account, Error> {
    Ok(Account {
        id: column(row, "id")?,
        email: column(row, "email")?,
        created_at: Timestamp(row.get("created_at")?),
    })
}

/// Notes that the account's address is known to be its owner's.
pub(crate) fn note_verified(unit: &Unit<'_>, account: &AccountId) -> Result<(), Error> {
    let sql = "UPDATE account SET verified_at = COALESCE(verified_at, ?2) WHERE id = ?1";
    unit.rows().execute(sql, params![account.as_str(), unit.now().0])?;
    Ok(())
}

/// Makes an account and grants its sign-up credits.
pub(crate) fn create(unit: &mut Unit<'_>, making: &Making) -> Result<Account, Error> {
    let Making { account, new, person, day_max } = making;
    if new.email.is_nobodys() {
        return Err(Error::EmailIsNobodys);
    }
    if taken_by(unit.rows(), &new.email)?.is_some() {
        return Err(Error::EmailTaken);
    }
    if let Some(hash) = new.invitation {
        invitation::use_up(unit, Ticket::Secret(hash), account)?;
    }
    let sql = "INSERT INTO account (id, email, email_folded, password_hash, created_at)
               VALUES (?1, ?2, ?3, ?4, ?5)";
    unit.rows().execute(
        sql,
        params![
            account.id.as_str(),
            account.email.as_str(),
            new.email.key(),
            new.password_hash,
            account.created_at.0,
        ],
    )?;
    unit.begin_book(&account.id);
    let newcomer = Newcomer { account: &account.id, person, day_max: *day_max };
    free_credits::grant(unit, &newcomer, new.sign_up_credits)?;
    Ok(account.clone())
}
