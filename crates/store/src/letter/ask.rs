//! Requesting an email with a link.

use retouch_core::{AccountId, Email, LetterId, Timestamp};

use super::{LetterKind, NewLetter, has_room, write};
use crate::account;
use crate::invitation::{self, Ticket};
use crate::queue::Touches;
use crate::rows::{Rows, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// A sign-up that is waiting for its address to be confirmed.
#[derive(Clone, Debug)]
pub struct SignUpRequest {
    /// The address.
    pub email: Email,
    /// The hash of the chosen password.
    pub password_hash: String,
    /// SHA-256 of the secret that identifies the browser of the sign-up.
    pub browser_hash: [u8; 32],
    /// When its link expires.
    pub expires_at: Timestamp,
    /// The hash of the secret of an invitation, which is used up when the address is confirmed.
    pub invitation: Option<[u8; 32]>,
}

impl Store {
    /// Stores a sign-up and queues an email to confirm its address. Does not check whether the
    /// address already has an account.
    ///
    /// # Errors
    /// [`Error::EmailIsNobodys`], [`Error::LettersFull`], [`Error::InvitationUnusable`].
    pub async fn request_sign_up(&self, asked: SignUpRequest) -> Result<(), Error> {
        let (id, letters_max) = (self.ids.letter(), self.settings.letters_max);
        self.write(Touches::Global(None), move |tx| {
            let SignUpRequest { email, password_hash, browser_hash, expires_at, .. } = &asked;
            let find = |hash| invitation::find_open(tx, Ticket::Secret(hash), email);
            let invitation = asked.invitation.map(find).transpose()?;
            let new = NewLetter {
                sign_up: (Some(password_hash), Some(*browser_hash)),
                invitation: invitation.as_ref().map(|it| &it.id),
                ..of(&id, LetterKind::SignUp, (email, *expires_at))
            };
            keep(tx, &new, letters_max)
        })
        .await
    }

    /// Queues an email to reset a password. Does not check whether the address has an account.
    ///
    /// # Errors
    /// [`Error::LettersFull`].
    pub async fn request_reset(&self, email: Email, expires_at: Timestamp) -> Result<(), Error> {
        let (id, letters_max) = (self.ids.letter(), self.settings.letters_max);
        self.write(Touches::Global(None), move |tx| {
            keep(tx, &of(&id, LetterKind::Reset, (&email, expires_at)), letters_max)
        })
        .await
    }

    /// Queues an email to confirm a new address of an account. It replaces an earlier request. Does
    /// not check whether another account has the address.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`], [`Error::EmailIsNobodys`], [`Error::LettersFull`].
    pub async fn request_email_change(
        &self,
        account: &AccountId,
        email: Email,
        expires_at: Timestamp,
    ) -> Result<(), Error> {
        let (account, id) = (account.clone(), self.ids.letter());
        let letters_max = self.settings.letters_max;
        self.write(Touches::global(&account), move |tx| {
            let rows = tx.rows();
            account::find(rows, &account)?.ok_or(Error::AccountUnknown)?;
            let new = NewLetter {
                account: Some(&account),
                ..of(&id, LetterKind::Change, (&email, expires_at))
            };
            keep(tx, &new, letters_max)?;
            let sql =
                "DELETE FROM email_message WHERE account_id = ?1 AND kind = 'change' AND id <> ?2";
            rows.execute(sql, params![account.as_str(), id.as_str()])?;
            Ok(())
        })
        .await
    }

    /// The new address of an account that is waiting to be confirmed.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_pending_email(&self, account: &AccountId) -> Result<Option<Email>, Error> {
        let (account, now) = (account.clone(), self.clock.now());
        let sql = "SELECT email FROM email_message
                   WHERE account_id = ?1 AND kind = 'change' AND expires_at > ?2";
        let values = move |rows: &Rows| {
            one(rows, sql, params![account.as_str(), now.0], |row| column(row, "email"))
        };
        self.read(values).await
    }
}

fn of<'a>(
    id: &'a LetterId,
    kind: LetterKind,
    (email, expires_at): (&'a Email, Timestamp),
) -> NewLetter<'a> {
    let (account, sign_up, invitation, about) = (None, (None, None), None, None);
    NewLetter { id, kind, account, email, sign_up, invitation, about, expires_at }
}

fn keep(tx: &Transaction<'_>, new: &NewLetter<'_>, letters_max: usize) -> Result<(), Error> {
    if new.kind != LetterKind::Reset && new.email.is_nobodys() {
        return Err(Error::EmailIsNobodys);
    }
    if !has_room(tx.rows(), letters_max)? {
        return Err(Error::LettersFull { letters_max });
    }
    write(tx, new)
}
