//! Requesting an email with a link.

use retouch_core::{AccountId, Email, Timestamp};

use super::{EmailKind, NewEmail, has_room, write};
use crate::account;
use crate::admin::{self, AuditAct, Deed};
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
    /// [`Error::EmailIsNobodys`], [`Error::EmailsFull`], [`Error::InvitationUnusable`].
    pub async fn request_sign_up(&self, asked: SignUpRequest) -> Result<(), Error> {
        let (id, emails_max) = (self.ids.email(), self.settings.emails_max);
        self.write(Touches::Global(None), move |tx| {
            let SignUpRequest { email, password_hash, browser_hash, expires_at, .. } = &asked;
            let find = |hash| invitation::find_open(tx, Ticket::Secret(hash), email);
            let invitation = asked.invitation.map(find).transpose()?;
            let new = NewEmail {
                password_hash: Some(password_hash),
                browser_hash: Some(*browser_hash),
                invitation: invitation.as_ref().map(|it| &it.id),
                ..NewEmail::new(&id, EmailKind::SignUp, email, *expires_at)
            };
            keep(tx, &new, emails_max)
        })
        .await
    }

    /// Queues an email to reset a password. Does not check whether the address has an account.
    ///
    /// # Errors
    /// [`Error::EmailsFull`].
    pub async fn request_reset(&self, email: Email, expires_at: Timestamp) -> Result<(), Error> {
        let (id, emails_max) = (self.ids.email(), self.settings.emails_max);
        self.write(Touches::Global(None), move |tx| {
            keep(tx, &NewEmail::new(&id, EmailKind::Reset, &email, expires_at), emails_max)
        })
        .await
    }

    /// Queues an email to reset the password of an account for its administrator, and logs it.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::AccountUnknown`], [`Error::EmailsFull`].
    pub async fn request_reset_as(
        &self,
        account: &AccountId,
        expires_at: Timestamp,
        deed: Deed,
    ) -> Result<(), Error> {
        let (account, id) = (account.clone(), self.ids.email());
        let emails_max = self.settings.emails_max;
        self.write(Touches::global(&account), move |tx| {
            admin::must_administer(tx, &deed)?;
            let found = account::find(tx.rows(), &account)?.ok_or(Error::AccountUnknown)?;
            let new = NewEmail::new(&id, EmailKind::Reset, &found.email, expires_at);
            keep(tx, &new, emails_max)?;
            admin::note(tx, &deed, AuditAct::SendReset, Some(&account))
        })
        .await
    }

    /// Queues an email to confirm a new address of an account. It replaces an earlier request. Does
    /// not check whether another account has the address.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`], [`Error::EmailIsNobodys`], [`Error::EmailsFull`].
    pub async fn request_email_change(
        &self,
        account: &AccountId,
        email: Email,
        expires_at: Timestamp,
    ) -> Result<(), Error> {
        let (account, id) = (account.clone(), self.ids.email());
        let emails_max = self.settings.emails_max;
        self.write(Touches::global(&account), move |tx| {
            let rows = tx.rows();
            account::find(rows, &account)?.ok_or(Error::AccountUnknown)?;
            let new = NewEmail {
                account: Some(&account),
                ..NewEmail::new(&id, EmailKind::Change, &email, expires_at)
            };
            keep(tx, &new, emails_max)?;
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

fn keep(tx: &Transaction<'_>, new: &NewEmail<'_>, emails_max: usize) -> Result<(), Error> {
    if new.kind != EmailKind::Reset && new.email.is_nobodys() {
        return Err(Error::EmailIsNobodys);
    }
    if !has_room(tx.rows(), emails_max)? {
        return Err(Error::EmailsFull { emails_max });
    }
    write(tx, new)
}
