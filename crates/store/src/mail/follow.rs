//! Following the link in an email.

use retouch_core::{AccountId, Credits, Email, InvitationId, Timestamp};

use super::{EmailKind, Notice, account_of, invitation_of, revoke, tell};
use crate::account::free_credits::Person;
use crate::account::{self, Account, Making, NewAccount};
use crate::invitation::{self, Ticket};
use crate::pseudonym::Pseudonyms;
use crate::queue::Touches;
use crate::rows::{Row, Rows, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// A valid link.
#[derive(Clone, Debug)]
pub struct Link {
    /// The kind of its email.
    pub kind: EmailKind,
    /// The address that it is about.
    pub email: Email,
    /// Of a sign-up: the hash of the password.
    pub password_hash: Option<String>,
    /// Of a sign-up: SHA-256 of the secret that identifies its browser.
    pub browser_hash: Option<[u8; 32]>,
    /// The account, if there is one already.
    pub account: Option<AccountId>,
    /// Of a sign-up: the invitation that it uses.
    pub(crate) invitation: Option<InvitationId>,
}

/// A confirmed address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// Its account.
    pub account: Account,
    /// Whether the account was just created.
    pub is_new: bool,
}

impl Store {
    /// Finds the link of a token, if it is valid. This does not use it up.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_link(&self, token_hash: &[u8; 32]) -> Result<Option<Link>, Error> {
        let (token_hash, now) = (*token_hash, self.clock.now());
        self.read(move |rows| find(rows, &token_hash, now)).await
    }

    /// Follows a link that confirms an address. For a sign-up, creates the account and grants its
    /// credits. For a new address, changes it and notifies the old one. This uses up the link, and
    /// all other sign-ups with the address.
    ///
    /// # Errors
    /// [`Error::LinkUnknown`], also if another account has taken the address in the meantime;
    /// [`Error::InvitationUnusable`] if the invitation was used in the meantime.
    pub async fn confirm_address(
        &self,
        token_hash: [u8; 32],
        sign_up_credits: Credits,
    ) -> Result<Confirmed, Error> {
        let following = Following {
            made: self.ids.account(),
            sign_up_credits,
            day_max: self.free_credits_max(),
            names: self.pseudonyms().await?,
            notice: self.notice(),
        };
        self.write(Touches::Global(None), move |tx| {
            let found = find(tx.rows(), &token_hash, tx.now())?.ok_or(Error::LinkUnknown)?;
            match found.kind {
                EmailKind::SignUp => join(tx, &found, &following),
                EmailKind::Change => move_to(tx, &found, &following),
                _ => Err(Error::LinkUnknown),
            }
        })
        .await
    }
}

/// What following a link may need.
struct Following {
    /// The id for a new account.
    made: AccountId,
    sign_up_credits: Credits,
    /// The daily limit on free credits of all sign-ups together.
    day_max: Credits,
    names: Pseudonyms,
    notice: Option<Notice>,
}

fn join(tx: &mut Transaction<'_>, link: &Link, following: &Following) -> Result<Confirmed, Error> {
    let email = link.email.clone();
    let id = following.made.clone();
    let making = Making {
        account: Account { id, email: email.clone(), created_at: tx.now() },
        person: Person::of(&following.names, &email, None),
        day_max: Some(following.day_max),
        new: NewAccount {
            email,
            password_hash: link.password_hash.clone(),
            sign_up_credits: following.sign_up_credits,
            invitation: None,
        },
    };
    if let Some(id) = &link.invitation {
        invitation::find_open(tx, Ticket::Name(id), &link.email)?;
    }
    let account = account::create(tx, &making).map_err(nobody)?;
    if let Some(id) = &link.invitation {
        invitation::use_up(tx, Ticket::Name(id), &account)?;
    }
    note_verified(tx, &account.id)?;
    let sql = "DELETE FROM email_message WHERE email_folded = ?1 AND kind = 'sign_up'";
    tx.rows().execute(sql, [link.email.key()])?;
    Ok(Confirmed { account, is_new: true })
}

fn move_to(
    tx: &mut Transaction<'_>,
    link: &Link,
    following: &Following,
) -> Result<Confirmed, Error> {
    let id = link.account.as_ref().ok_or(Error::LinkUnknown)?;
    tx.lock(&[id])?;
    let before = account::find(tx.rows(), id)?.ok_or(Error::LinkUnknown)?;
    let person = Person::of(&following.names, &link.email, None);
    let account = account::change_email(tx, id, &link.email, &person).map_err(nobody)?;
    note_verified(tx, id)?;
    tell(tx, following.notice.as_ref(), EmailKind::EmailChanged, &before)?;
    Ok(Confirmed { account, is_new: false })
}

/// Records that the account's address is confirmed, because its link was followed.
pub(super) fn note_verified(tx: &Transaction<'_>, account: &AccountId) -> Result<(), Error> {
    account::note_verified(tx, account)?;
    revoke(tx.rows(), account)
}

/// Treats a link whose action has become impossible as an invalid link.
pub(super) fn nobody(error: Error) -> Error {
    match error {
        Error::EmailTaken | Error::EmailIsNobodys | Error::AccountUnknown => Error::LinkUnknown,
        other => other,
    }
}

pub(super) fn find(
    rows: &Rows,
    token_hash: &[u8; 32],
    now: Timestamp,
) -> Result<Option<Link>, Error> {
    let sql = "SELECT kind, email, password_hash, browser_hash, account_id, invitation_id
         FROM email_message WHERE token_hash = ?1 AND expires_at > ?2";
    one(rows, sql, params![token_hash, now.0], from_row)
}

fn from_row(row: &Row<'_>) -> Result<Link, Error> {
    Ok(Link {
        kind: EmailKind::of_name(&row.get::<_, String>("kind")?)?,
        email: column(row, "email")?,
        password_hash: row.get("password_hash")?,
        browser_hash: row.get("browser_hash")?,
        account: account_of(row)?,
        invitation: invitation_of(row)?,
    })
}
