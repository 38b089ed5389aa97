//! Sending the emails that are due.

use retouch_core::{AccountId, Email, EmailId, InvitationId, Timestamp};

use super::{EmailKind, account_of, invitation_of};
use crate::account;
use crate::invitation;
use crate::queue::Touches;
use crate::rows::{Row, Rows, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// How long an email waits after the start of an attempt, in milliseconds; it doubles with each
/// attempt. An attempt takes less than this, so no one else starts another one meanwhile.
const RETRY_MS: i64 = 60_000;
/// The longest wait, in milliseconds: an hour.
const RETRY_MS_MAX: i64 = 3_600_000;
/// The maximum number of obsolete emails that one call discards.
const POINTLESS_MAX: usize = 1_000;

/// An email to send now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailMessage {
    /// Its id, which is the same in every attempt.
    pub id: EmailId,
    /// Its kind.
    pub kind: EmailKind,
    /// The recipient.
    pub to: Email,
    /// The browser or the key that it is about.
    pub about: Option<String>,
}

/// A queued email that is due.
struct Due {
    id: EmailId,
    kind: EmailKind,
    account: Option<AccountId>,
    email: Email,
    invitation: Option<InvitationId>,
    attempts: i64,
    expires_at: Timestamp,
    about: Option<String>,
}

impl Store {
    /// Starts to send the email that has been due longest. If it needs a link, the token with this
    /// hash is the only one that opens it. Unless an outcome is reported within a minute, the email
    /// is due again.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn take_email(&self, token_hash: [u8; 32]) -> Result<Option<EmailMessage>, Error> {
        self.write(Touches::Global(None), move |tx| take(tx, &token_hash)).await
    }

    /// Records that the mail server accepted an email. Emails without a link are deleted.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn email_sent(&self, email: &EmailId) -> Result<(), Error> {
        let email = email.clone();
        self.write(Touches::Rows, move |tx| {
            let (rows, id) = (tx.rows(), email.as_str());
            rows.execute("DELETE FROM email_message WHERE id = ?1 AND token_hash IS NULL", [id])?;
            rows.execute("UPDATE email_message SET due_at = NULL WHERE id = ?1", [id])?;
            Ok(())
        })
        .await
    }

    /// Deletes an email that can never be delivered, and its link.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn email_refused(&self, email: &EmailId) -> Result<(), Error> {
        let email = email.clone();
        self.write(Touches::Rows, move |tx| {
            tx.rows().execute("DELETE FROM email_message WHERE id = ?1", [email.as_str()])?;
            Ok(())
        })
        .await
    }
}

fn take(tx: &Transaction<'_>, token_hash: &[u8; 32]) -> Result<Option<EmailMessage>, Error> {
    let (rows, now) = (tx.rows(), tx.now());
    for _ in 0..POINTLESS_MAX {
        let sql = "SELECT id, kind, account_id, email, attempts, expires_at, invitation_id, about
             FROM email_message WHERE due_at <= ?1 ORDER BY due_at LIMIT 1";
        let Some(due) = one(rows, sql, [now.0], from_row)? else { return Ok(None) };
        let open = due.expires_at > now;
        let Some((email, owner)) = open.then(|| address(rows, &due)).transpose()?.flatten() else {
            rows.execute("DELETE FROM email_message WHERE id = ?1", [due.id.as_str()])?;
            continue;
        };
        let sql = "UPDATE email_message SET token_hash = ?2, account_id = COALESCE(account_id, ?3),
                       attempts = attempts + 1, due_at = ?4 WHERE id = ?1";
        rows.execute(
            sql,
            params![
                due.id.as_str(),
                email.kind.has_link().then_some(token_hash),
                owner.as_ref().map(AccountId::as_str),
                now.plus_ms(wait_ms(due.attempts)).0,
            ],
        )?;
        if email.kind == EmailKind::Invitation {
            invitation::note_mailed(rows, due.invitation.as_ref(), token_hash)?;
        }
        return Ok(Some(email));
    }
    Ok(None)
}

/// Determines the recipient, the kind and the account of an email as of now. `None` if there is no
/// one to send it to.
fn address(rows: &Rows, due: &Due) -> Result<Option<(EmailMessage, Option<AccountId>)>, Error> {
    let email = |kind, to| EmailMessage { id: due.id.clone(), kind, to, about: due.about.clone() };
    let as_asked = || email(due.kind, due.email.clone());
    let owner = account::taken_by(rows, &due.email)?;
    let owner = owner.map(|id| account::find(rows, &id)).transpose()?.flatten();
    Ok(match (due.kind, owner) {
        // Use the confirmed address, no matter how the person who signed up spelled it.
        (EmailKind::SignUp, Some(owner)) => Some((email(EmailKind::Taken, owner.email), None)),
        (EmailKind::Reset, Some(owner)) => {
            Some((email(EmailKind::Reset, owner.email), Some(owner.id)))
        }
        (EmailKind::Reset, None) => None,
        // Someone who has signed up in the meantime needs no invitation.
        (EmailKind::Invitation, Some(_)) => None,
        (EmailKind::Change, Some(owner)) if due.account.as_ref() != Some(&owner.id) => {
            Some((email(EmailKind::Taken, owner.email), None))
        }
        _ => Some((as_asked(), None)),
    })
}

fn wait_ms(attempts: i64) -> i64 {
    let doublings = u32::try_from(attempts.clamp(0, 20)).unwrap_or(20);
    RETRY_MS.saturating_mul(1 << doublings).min(RETRY_MS_MAX)
}

fn from_row(row: &Row<'_>) -> Result<Due, Error> {
    Ok(Due {
        id: column(row, "id")?,
        kind: EmailKind::of_name(&row.get::<_, String>("kind")?)?,
        account: account_of(row)?,
        email: column(row, "email")?,
        invitation: invitation_of(row)?,
        attempts: row.get("attempts")?,
        expires_at: Timestamp(row.get("expires_at")?),
        about: row.get("about")?,
    })
}
