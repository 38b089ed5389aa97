//! Letters: what is to be sent by mail, and what the links in them do.
//!
//! A letter is written in the transaction of what it tells of, so that neither is there without the
//! other when the process dies. It holds no secret: the secret of its link is made at the moment at
//! which it is sent, by whoever sends it, and only the hash is kept. A letter that has to be sent
//! again gets a new one; nothing that lies on the disk opens anything.
//!
//! Whose an address is, is looked up when its letter is sent and not when it is asked for: asking
//! is the same write, in the same time, for an address that has an account and for one that has none.

mod ask;
mod follow;
mod reset;
mod send;

use retouch_core::{AccountId, Email, InvitationId, LetterId, Timestamp};

use crate::rows::{Row, Rows, one, params};
use crate::unit::Unit;
use crate::{Error, Store};

pub use ask::SignUpRequest;
pub use follow::{Confirmed, Link};
pub use reset::{Keep, Openers};
pub use send::Letter;

/// For how long it is tried to tell somebody of something, in milliseconds: a day.
const NOTICE_MS: i64 = 24 * 3_600_000;

/// What a letter says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterKind {
    /// Follow the link, and there is an account.
    SignUp,
    /// There is an account already; nothing has happened.
    Taken,
    /// Follow the link to choose another password.
    Reset,
    /// Follow the link, and this is the account's address.
    Change,
    /// Follow the link to sign up: an administrator invites you.
    Invitation,
    /// The password has been changed.
    PasswordChanged,
    /// The account has another address from now on.
    EmailChanged,
    /// The account has been deleted.
    Deleted,
    /// A passkey has been added.
    PasskeyAdded,
    /// A passkey has been removed.
    PasskeyRemoved,
    /// A provider's sign-in has been linked.
    IdentityLinked,
    /// A provider's sign-in has been unlinked.
    IdentityUnlinked,
    /// An API key has been created.
    KeyCreated,
    /// Somebody has signed in from a browser that the account did not know.
    NewBrowser,
    /// An authenticator app has been set up.
    SecondFactorOn,
    /// The authenticator app has been removed.
    SecondFactorOff,
}

impl LetterKind {
    /// Its name, in rows and in metrics.
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
            Self::NewBrowser => "new_browser",
            Self::SecondFactorOn => "second_factor_on",
            Self::SecondFactorOff => "second_factor_off",
        }
    }

    /// Whether it holds a link whose secret is its own. An invitation keeps that of its link itself.
    pub fn has_link(self) -> bool {
        matches!(self, Self::SignUp | Self::Reset | Self::Change)
    }

    /// What a row is called after; none of them is called [`Self::Taken`].
    fn of_name(name: &str) -> Result<Self, Error> {
        let all = [
            Self::SignUp,
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
            Self::NewBrowser,
            Self::SecondFactorOn,
            Self::SecondFactorOff,
        ];
        let found = all.into_iter().find(|kind| kind.as_str() == name);
        found.ok_or_else(|| Error::Corrupt { what: format!("unknown kind of email {name}") })
    }
}

/// A letter that can be written to tell of something.
pub(crate) struct Notice {
    id: LetterId,
    /// How many letters may wait.
    letters_max: usize,
}

/// A letter to write.
struct NewLetter<'a> {
    id: &'a LetterId,
    kind: LetterKind,
    account: Option<&'a AccountId>,
    email: &'a Email,
    /// Of a sign-up: the hash of its password, and that of the secret of its browser.
    sign_up: (Option<&'a str>, Option<[u8; 32]>),
    /// The invitation that it uses or carries.
    invitation: Option<&'a InvitationId>,
    /// The browser or the key that it is about.
    about: Option<&'a str>,
    expires_at: Timestamp,
}

impl Store {
    /// A letter that can be written to tell of something; none where no mail is sent.
    pub(crate) fn notice(&self) -> Option<Notice> {
        let letters_max = self.settings.letters_max;
        (letters_max > 0).then(|| Notice { id: self.ids.letter(), letters_max })
    }

    /// How many letters wait to be sent.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn count_waiting_letters(&self) -> Result<u64, Error> {
        self.read(|rows| Ok(u64::try_from(waiting(rows)?).unwrap_or(0))).await
    }
}

/// Tells the owner of `email` of something that is done in this transaction. Where too many
/// letters wait it is not told, and done all the same.
pub(crate) fn tell(
    unit: &Unit<'_>,
    notice: Option<&Notice>,
    kind: LetterKind,
    (account, email): (&AccountId, &Email),
) -> Result<(), Error> {
    tell_about(unit, notice, (kind, None), (account, email))
}

/// Tells the owner of `email` of something, and names the browser or the key that it is about.
pub(crate) fn tell_about(
    unit: &Unit<'_>,
    notice: Option<&Notice>,
    (kind, about): (LetterKind, Option<&str>),
    (account, email): (&AccountId, &Email),
) -> Result<(), Error> {
    let Some(Notice { id, letters_max }) = notice else { return Ok(()) };
    if !has_room(unit.rows(), *letters_max)? {
        return Ok(());
    }
    let expires_at = unit.now().plus_ms(NOTICE_MS);
    let account = Some(account);
    let (sign_up, invitation) = ((None, None), None);
    let new = NewLetter { id, kind, account, email, sign_up, invitation, about, expires_at };
    write(unit, &new)
}

/// Makes the links worthless that change whose an account is.
pub(crate) fn revoke(rows: &Rows, account: &AccountId) -> Result<(), Error> {
    let sql = "DELETE FROM letter WHERE account_id = ?1 AND kind IN ('reset', 'change')";
    rows.execute(sql, [account.as_str()])?;
    Ok(())
}

/// Forgets all letters to the owner of an account.
pub(crate) fn forget(rows: &Rows, account: &AccountId) -> Result<(), Error> {
    rows.execute("DELETE FROM letter WHERE account_id = ?1", [account.as_str()])?;
    Ok(())
}

fn write(unit: &Unit<'_>, new: &NewLetter<'_>) -> Result<(), Error> {
    let sql = "INSERT INTO letter (id, kind, account_id, email, email_folded, password_hash,
                   browser_hash, attempts, due_at, expires_at, invitation_id, about)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8, ?9, ?10, ?11)";
    unit.rows().execute(
        sql,
        params![
            new.id.as_str(),
            new.kind.as_str(),
            new.account.map(AccountId::as_str),
            new.email.as_str(),
            new.email.key(),
            new.sign_up.0,
            new.sign_up.1,
            unit.now().0,
            new.expires_at.0,
            new.invitation.map(InvitationId::as_str),
            new.about,
        ],
    )?;
    Ok(())
}

fn has_room(rows: &Rows, letters_max: usize) -> Result<bool, Error> {
    Ok(usize::try_from(waiting(rows)?).is_ok_and(|waiting| waiting < letters_max))
}

fn waiting(rows: &Rows) -> Result<i64, Error> {
    let sql = "SELECT COUNT(*) FROM letter WHERE due_at IS NOT NULL";
    Ok(one(rows, sql, params![], |row| row.get(0))?.unwrap_or(0))
}

/// Keeps an email that carries an invitation, as one of at most `letters_max` that wait.
pub(crate) fn invite(
    unit: &Unit<'_>,
    (id, letters_max): (&LetterId, usize),
    (invitation, email): (&InvitationId, &Email),
    expires_at: Timestamp,
) -> Result<(), Error> {
    if !has_room(unit.rows(), letters_max)? {
        return Err(Error::LettersFull { letters_max });
    }
    let (kind, account, sign_up) = (LetterKind::Invitation, None, (None, None));
    let invitation = Some(invitation);
    write(
        unit,
        &NewLetter { id, kind, account, email, sign_up, invitation, about: None, expires_at },
    )
}

/// The invitation that a row names, if it names one.
fn invitation_of(row: &Row<'_>) -> Result<Option<InvitationId>, Error> {
    let id: Option<String> = row.get("invitation_id")?;
    let id = id.map(|id| id.parse()).transpose();
    id.map_err(|error| Error::Corrupt { what: format!("the invitation of an email: {error}") })
}

/// Whose letter a row is, if it is about an account.
fn account_of(row: &Row<'_>) -> Result<Option<AccountId>, Error> {
    let id: Option<String> = row.get("account_id")?;
    let id = id.map(|id| id.parse()).transpose();
    id.map_err(|error| Error::Corrupt { what: format!("the account of an email: {error}") })
}
