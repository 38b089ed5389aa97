//! Following the link of a letter.

use retouch_core::{AccountId, Credits, Email, Timestamp};

use super::{LetterKind, Notice, account_of, revoke, tell};
use crate::account::{self, Account, NewAccount};
use crate::rows::{Row, Rows, column, one, params};
use crate::unit::Unit;
use crate::work::Touches;
use crate::{Error, Store};

/// A link that can be followed.
#[derive(Clone, Debug)]
pub struct Link {
    /// What its letter says.
    pub kind: LetterKind,
    /// The address that it is about.
    pub email: Email,
    /// Of a sign-up: the hash of its password.
    pub password_hash: Option<String>,
    /// Of a sign-up: SHA-256 of the secret by which the browser is known that asked.
    pub browser_hash: Option<[u8; 32]>,
    /// Of an account: whose it is.
    pub account: Option<AccountId>,
}

/// An address that has been confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// Whose it is.
    pub account: Account,
    /// Whether the account has just been made.
    pub is_new: bool,
}

impl Store {
    /// The link of a token, if it can be followed. It is not used up by looking at it.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_link(&self, token_hash: &[u8; 32]) -> Result<Option<Link>, Error> {
        let (token_hash, now) = (*token_hash, self.clock.now());
        self.read(move |rows| find(rows, &token_hash, now)).await
    }

    /// Follows the link that confirms an address: makes the account of a sign-up, with its
    /// credits, or gives an account its new address and tells the old one. The link is used up, and
    /// so are other sign-ups with the address.
    ///
    /// # Errors
    /// [`Error::LinkUnknown`], also where the address has gone to another account meanwhile.
    pub async fn confirm_address(
        &self,
        token_hash: [u8; 32],
        sign_up_credits: Credits,
    ) -> Result<Confirmed, Error> {
        let (made, notice) = (self.ids.account(), self.notice());
        self.write(Touches::House(None), move |unit| {
            let found = find(unit.rows(), &token_hash, unit.now())?.ok_or(Error::LinkUnknown)?;
            match found.kind {
                LetterKind::SignUp => join(unit, &made, (&found, sign_up_credits)),
                LetterKind::Change => move_to(unit, &found, notice.as_ref()),
                _ => Err(Error::LinkUnknown),
            }
        })
        .await
    }

    /// Follows the link by which another password is chosen: puts it in place of the old one, ends
    /// all sessions of the account, and tells its owner. The link is used up, and so are the others
    /// of the account.
    ///
    /// # Errors
    /// [`Error::LinkUnknown`].
    pub async fn reset_password(
        &self,
        token_hash: [u8; 32],
        password_hash: String,
    ) -> Result<Account, Error> {
        let notice = self.notice();
        self.write(Touches::House(None), move |unit| {
            let found = find(unit.rows(), &token_hash, unit.now())?.ok_or(Error::LinkUnknown)?;
            let account = found.account.filter(|_| found.kind == LetterKind::Reset);
            let account = account.ok_or(Error::LinkUnknown)?;
            unit.lock(&[&account])?;
            let password = (password_hash.as_str(), None);
            let changed = account::change_password(unit, &account, password, notice.as_ref());
            let account = changed.map_err(nobody)?;
            note_verified(unit, &account.id)?;
            Ok(account)
        })
        .await
    }
}

fn join(
    unit: &mut Unit<'_>,
    id: &AccountId,
    (link, sign_up_credits): (&Link, Credits),
) -> Result<Confirmed, Error> {
    let email = link.email.clone();
    let account = Account { id: id.clone(), email: email.clone(), created_at: unit.now() };
    let new = NewAccount { email, password_hash: link.password_hash.clone(), sign_up_credits };
    let account = account::create(unit, &account, &new).map_err(nobody)?;
    note_verified(unit, &account.id)?;
    let sql = "DELETE FROM letter WHERE email_folded = ?1 AND kind = 'sign_up'";
    unit.rows().execute(sql, [link.email.key()])?;
    Ok(Confirmed { account, is_new: true })
}

fn move_to(unit: &mut Unit<'_>, link: &Link, notice: Option<&Notice>) -> Result<Confirmed, Error> {
    let id = link.account.as_ref().ok_or(Error::LinkUnknown)?;
    unit.lock(&[id])?;
    let before = account::find(unit.rows(), id)?.ok_or(Error::LinkUnknown)?;
    let account = account::change_email(unit.rows(), id, &link.email).map_err(nobody)?;
    note_verified(unit, id)?;
    tell(unit, notice, LetterKind::EmailChanged, (id, &before.email))?;
    Ok(Confirmed { account, is_new: false })
}

/// Somebody has read a letter to the account's address.
fn note_verified(unit: &Unit<'_>, account: &AccountId) -> Result<(), Error> {
    account::note_verified(unit, account)?;
    revoke(unit.rows(), account)
}

/// What has become impossible since the letter was written is a link that leads nowhere.
fn nobody(error: Error) -> Error {
    match error {
        Error::EmailTaken | Error::EmailIsNobodys | Error::AccountUnknown => Error::LinkUnknown,
        other => other,
    }
}

fn find(rows: &Rows, token_hash: &[u8; 32], now: Timestamp) -> Result<Option<Link>, Error> {
    let sql = "SELECT kind, email, password_hash, browser_hash, account_id FROM letter
               WHERE token_hash = ?1 AND expires_at > ?2";
    one(rows, sql, params![token_hash, now.0], from_row)
}

fn from_row(row: &Row<'_>) -> Result<Link, Error> {
    Ok(Link {
        kind: LetterKind::of_name(&row.get::<_, String>("kind")?)?,
        email: column(row, "email")?,
        password_hash: row.get("password_hash")?,
        browser_hash: row.get("browser_hash")?,
        account: account_of(row)?,
    })
}
