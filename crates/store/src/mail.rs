//! Emails: what is queued to be sent, and what the links in them do.
//!
//! An email is queued in the transaction that it reports, so a crash never loses one of the two.
//! The queue holds no secrets: the secret of a link is generated when its email is sent, and only
//! the hash is stored. If the email has to be sent again, it gets a new secret. So nothing on disk
//! can be used to open an account.
//!
//! Whether an address belongs to an account is looked up when its email is sent, not when it is
//! requested. So a request takes the same write and the same time with and without an account.

mod ask;
mod follow;
mod reset;
mod send;
mod warn;

use retouch_core::{AccountId, Email, EmailId, InvitationId, Timestamp};

use crate::rows::{Row, Rows, one, params};
use crate::transaction::Transaction;
use crate::{Account, Error, NewInvitation, Store};

pub use ask::SignUpRequest;
pub use follow::{Confirmed, Link};
pub use reset::{Keep, Openers, PasswordReset};
pub use send::EmailMessage;
pub(crate) use warn::{just_low, warn, warn_of_low_credits};

/// How long sending a notification is tried, in milliseconds: a day.
const NOTICE_MS: i64 = 24 * 3_600_000;

/// The kind of an email.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmailKind {
    /// Confirms the address of a sign-up. The link creates the account.
    SignUp,
    /// Says that the address already has an account. Nothing has changed.
    Taken,
    /// Carries a link to set a new password.
    Reset,
    /// Carries a link that confirms the new address of an account.
    Change,
    /// Carries a link to sign up, from an administrator.
    Invitation,
    /// The password was changed.
    PasswordChanged,
    /// The account has a new address.
    EmailChanged,
    /// The account was deleted.
    Deleted,
    /// A passkey was added.
    PasskeyAdded,
    /// A passkey was removed.
    PasskeyRemoved,
    /// An identity was linked.
    IdentityLinked,
    /// An identity was unlinked.
    IdentityUnlinked,
    /// An API key was created.
    KeyCreated,
    /// An assistant was connected, which received an API key through OAuth.
    AssistantConnected,
    /// Someone signed in from a new browser.
    NewBrowser,
    /// An authenticator app was set up.
    SecondFactorOn,
    /// The authenticator app was removed.
    SecondFactorOff,
    /// Few credits are left.
    LowCredits,
    /// A paid plan was renewed.
    PlanRenewed,
    /// The payment for a plan failed.
    PaymentFailed,
    /// Someone asked the administrators for credits.
    CreditsAsked,
    /// An administrator granted the credits that the owner asked for.
    CreditsGranted,
    /// A webhook was turned off, because it is gone or kept failing.
    WebhookOff,
}

impl EmailKind {
    /// All kinds.
    pub const ALL: [Self; 23] = [
        Self::SignUp,
        Self::Taken,
        Self::Reset,
        Self::Change,
        Self::Invitation,
        Self::PasswordChanged,
        Self::EmailChanged,
        Self::Deleted,
        Self::PasskeyAdded,
        Self::PasskeyRemoved,
        Self::IdentityLinked,
        Self::IdentityUnlinked,
        Self::KeyCreated,
        Self::AssistantConnected,
        Self::NewBrowser,
        Self::SecondFactorOn,
        Self::SecondFactorOff,
        Self::LowCredits,
        Self::PlanRenewed,
        Self::PaymentFailed,
        Self::CreditsAsked,
        Self::CreditsGranted,
        Self::WebhookOff,
    ];

    /// The name in rows and in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SignUp => "sign_up",
            Self::Taken => "taken",
            Self::Reset => "reset",
            Self::Change => "change",
            Self::Invitation => "invitation",
            Self::PasswordChanged => "password_changed",
            Self::EmailChanged => "email_changed",
            Self::Deleted => "deleted",
            Self::PasskeyAdded => "passkey_added",
            Self::PasskeyRemoved => "passkey_removed",
            Self::IdentityLinked => "identity_linked",
            Self::IdentityUnlinked => "identity_unlinked",
            Self::KeyCreated => "key_created",
            Self::AssistantConnected => "assistant_connected",
            Self::NewBrowser => "new_browser",
            Self::SecondFactorOn => "second_factor_on",
            Self::SecondFactorOff => "second_factor_off",
            Self::LowCredits => "low_credits",
            Self::PlanRenewed => "plan_renewed",
            Self::PaymentFailed => "payment_failed",
            Self::CreditsAsked => "credits_asked",
            Self::CreditsGranted => "credits_granted",
            Self::WebhookOff => "webhook_off",
        }
    }

    /// The kind with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Whether its link has a secret that only the email's row stores. Invitations store their own.
    pub fn has_link(self) -> bool {
        matches!(self, Self::SignUp | Self::Reset | Self::Change)
    }

    /// Reads the name of a row. No row is stored as [`Self::Taken`].
    fn of_name(name: &str) -> Result<Self, Error> {
        let found = Self::find(name).filter(|kind| *kind != Self::Taken);
        found.ok_or_else(|| Error::Corrupt { what: format!("unknown kind of email {name}") })
    }
}

/// A notification that can be queued.
#[derive(Clone)]
pub(crate) struct Notice {
    id: EmailId,
    /// How many emails may wait.
    emails_max: usize,
    /// The browser, the key, the plan, the credits or the webhook that it is about.
    about: Option<String>,
}

impl Notice {
    /// Names the browser, the key, the plan, the credits or the webhook that the notification is
    /// about.
    pub(crate) fn about(&self, name: &str) -> Self {
        Self { about: Some(name.to_owned()), ..self.clone() }
    }
}

/// An email to queue.
struct NewEmail<'a> {
    id: &'a EmailId,
    kind: EmailKind,
    account: Option<&'a AccountId>,
    email: &'a Email,
    /// Of a sign-up: the hash of its password.
    password_hash: Option<&'a str>,
    /// Of a sign-up: the hash of its browser's secret.
    browser_hash: Option<[u8; 32]>,
    /// The invitation that it uses or carries.
    invitation: Option<&'a InvitationId>,
    /// The browser or the key that it is about.
    about: Option<&'a str>,
    expires_at: Timestamp,
}

impl<'a> NewEmail<'a> {
    /// An email about nothing in particular.
    fn new(id: &'a EmailId, kind: EmailKind, email: &'a Email, expires_at: Timestamp) -> Self {
        Self {
            id,
            kind,
            account: None,
            email,
            password_hash: None,
            browser_hash: None,
            invitation: None,
            about: None,
            expires_at,
        }
    }
}

impl Store {
    /// A notification that can be queued, or `None` if email is not configured.
    pub(crate) fn notice(&self) -> Option<Notice> {
        let emails_max = self.settings.emails_max;
        (emails_max > 0).then(|| Notice { id: self.ids.email(), emails_max, about: None })
    }

    /// Counts the emails that are waiting to be sent.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn count_waiting_emails(&self) -> Result<u64, Error> {
        self.read(|rows| Ok(u64::try_from(waiting(rows)?).unwrap_or(0))).await
    }
}

/// Notifies the owner of an account of something that this transaction does. If too many emails are
/// waiting, the notification is skipped, but the transaction continues.
pub(crate) fn tell(
    tx: &Transaction<'_>,
    notice: Option<&Notice>,
    kind: EmailKind,
    owner: &Account,
) -> Result<(), Error> {
    let Some(Notice { id, emails_max, about }) = notice else { return Ok(()) };
    if !has_room(tx.rows(), *emails_max)? {
        return Ok(());
    }
    let new = NewEmail {
        account: Some(&owner.id),
        about: about.as_deref(),
        ..NewEmail::new(id, kind, &owner.email, tx.now().plus_ms(NOTICE_MS))
    };
    write(tx, &new)
}

/// Invalidates the links that can change the password or the address of an account.
pub(crate) fn revoke(rows: &Rows, account: &AccountId) -> Result<(), Error> {
    let sql = "DELETE FROM email_message WHERE account_id = ?1 AND kind IN ('reset', 'change')";
    rows.execute(sql, [account.as_str()])?;
    Ok(())
}

/// Deletes all queued emails to the owner of an account.
pub(crate) fn forget(rows: &Rows, account: &AccountId) -> Result<(), Error> {
    rows.execute("DELETE FROM email_message WHERE account_id = ?1", [account.as_str()])?;
    Ok(())
}

fn write(tx: &Transaction<'_>, new: &NewEmail<'_>) -> Result<(), Error> {
    let sql = "INSERT INTO email_message (id, kind, account_id, email, email_folded, password_hash,
                   browser_hash, attempts, due_at, expires_at, invitation_id, about)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8, ?9, ?10, ?11)";
    tx.rows().execute(
        sql,
        params![
            new.id.as_str(),
            new.kind.as_str(),
            new.account.map(AccountId::as_str),
            new.email.as_str(),
            new.email.key(),
            new.password_hash,
            new.browser_hash,
            tx.now().0,
            new.expires_at.0,
            new.invitation.map(InvitationId::as_str),
            new.about,
        ],
    )?;
    Ok(())
}

fn has_room(rows: &Rows, emails_max: usize) -> Result<bool, Error> {
    Ok(usize::try_from(waiting(rows)?).is_ok_and(|waiting| waiting < emails_max))
}

fn waiting(rows: &Rows) -> Result<i64, Error> {
    let sql = "SELECT COUNT(*) FROM email_message WHERE due_at IS NOT NULL";
    Ok(one(rows, sql, params![], |row| row.get(0))?.unwrap_or(0))
}

/// Queues an email with an invitation if it is for an address and email is configured. Returns
/// whether it did.
///
/// # Errors
/// [`Error::EmailsFull`].
pub(crate) fn invite(
    tx: &Transaction<'_>,
    notice: Option<&Notice>,
    invitation: &InvitationId,
    new: &NewInvitation,
) -> Result<bool, Error> {
    let Some((notice, email)) = notice.zip(new.email.as_ref()) else { return Ok(false) };
    let emails_max = notice.emails_max;
    if !has_room(tx.rows(), emails_max)? {
        return Err(Error::EmailsFull { emails_max });
    }
    let new = NewEmail {
        invitation: Some(invitation),
        ..NewEmail::new(&notice.id, EmailKind::Invitation, email, new.expires_at)
    };
    write(tx, &new)?;
    Ok(true)
}

/// The invitation that a row refers to, if any.
fn invitation_of(row: &Row<'_>) -> Result<Option<InvitationId>, Error> {
    let id: Option<String> = row.get("invitation_id")?;
    let id = id.map(|id| id.parse()).transpose();
    id.map_err(|error| Error::Corrupt { what: format!("the invitation of an email: {error}") })
}

/// The account that a row is about, if any.
fn account_of(row: &Row<'_>) -> Result<Option<AccountId>, Error> {
    let id: Option<String> = row.get("account_id")?;
    let id = id.map(|id| id.parse()).transpose();
    id.map_err(|error| Error::Corrupt { what: format!("the account of an email: {error}") })
}
