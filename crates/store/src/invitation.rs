//! Invitations: links that let one person each sign up.
//!
//! Only hashes of the secrets are stored. The administrator sees one secret. If the invitation is
//! emailed, the email has a secret of its own, generated when it is sent.

use retouch_core::{Email, InvitationId, Timestamp};

use crate::account::Account;
use crate::admin::{self, AuditAct, Deed};
use crate::mail::{self, Notice};
use crate::page::Place;
use crate::queue::Touches;
use crate::rows::{Row, Rows, all, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Page, PageRequest, Store};

/// An invitation to create.
#[derive(Clone, Debug)]
pub struct NewInvitation {
    /// SHA-256 of the secret in its link.
    pub token_hash: [u8; 32],
    /// The only address that can use it. `None`: any address.
    pub email: Option<Email>,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// An invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Its id.
    pub id: InvitationId,
    /// The only address that can use it. `None`: any address.
    pub email: Option<Email>,
    /// The address of the administrator who invited. `None`: the operator, on the command line.
    pub invited_by: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was used to sign up.
    pub used_at: Option<Timestamp>,
    /// Who signed up: the address, or the id if the account is gone.
    pub used_by: Option<String>,
}

/// How to find an invitation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ticket<'a> {
    /// By the hash of the secret in one of its links.
    Secret([u8; 32]),
    /// By its id.
    Name(&'a InvitationId),
}

/// The columns that [`from_row`] reads.
const COLUMNS: &str = "id, email, created_at, expires_at, used_at,
    COALESCE((SELECT email FROM account WHERE id = invited_by), invited_by) AS inviter,
    COALESCE((SELECT email FROM account WHERE id = used_by), used_by) AS user";

impl Store {
    /// Creates an invitation and logs it. If it is for an address and email is configured, it is
    /// emailed with a link of its own. Returns whether an email is sent.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::EmailsFull`], [`Error::EmailTaken`],
    /// [`Error::EmailIsNobodys`].
    pub async fn create_invitation(&self, new: NewInvitation, deed: Deed) -> Result<bool, Error> {
        let creating = Creating { id: self.ids.invitation(), new, notice: self.notice(), deed };
        self.write(Touches::Global(None), move |tx| create(tx, &creating)).await
    }

    /// Finds the invitation of a link, if it can be used now.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_invitation(
        &self,
        token_hash: &[u8; 32],
    ) -> Result<Option<Invitation>, Error> {
        let (ticket, now) = (Ticket::Secret(*token_hash), self.clock.now());
        self.read(move |rows| Ok(find(rows, ticket)?.filter(|it| it.is_open(now)))).await
    }

    /// Lists all invitations, newest first.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_invitations(&self, page: &PageRequest) -> Result<Page<Invitation>, Error> {
        let place = Place::read("invitations", page)?;
        let sql =
            format!("SELECT {COLUMNS} FROM invitation WHERE id < ?1 ORDER BY id DESC LIMIT ?2");
        self.read(move |rows| {
            let found = all(rows, &sql, params![place.before(), place.rows()], from_row)?;
            Ok(place.page(found, |it| it.id.to_string()))
        })
        .await
    }

    /// Withdraws an unused invitation and logs it. Returns whether there was one.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`].
    pub async fn withdraw_invitation(&self, id: &InvitationId, deed: Deed) -> Result<bool, Error> {
        let id = id.clone();
        self.write(Touches::Global(None), move |tx| {
            admin::must_administer(tx, &deed)?;
            let sql = "DELETE FROM invitation WHERE id = ?1 AND used_at IS NULL";
            let is_gone = tx.rows().execute(sql, [id.as_str()])? > 0;
            if is_gone {
                let sql =
                    "DELETE FROM email_message WHERE invitation_id = ?1 AND kind = 'invitation'";
                tx.rows().execute(sql, [id.as_str()])?;
                admin::note(tx, &deed, AuditAct::Uninvite, None)?;
            }
            Ok(is_gone)
        })
        .await
    }
}

impl Invitation {
    /// Whether it can be used at `now`.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.used_at.is_none() && self.expires_at > now
    }

    /// Whether `email` can use it.
    pub fn is_for(&self, email: &Email) -> bool {
        self.email.as_ref().is_none_or(|only| only == email)
    }
}

/// An invitation to create.
struct Creating {
    id: InvitationId,
    new: NewInvitation,
    notice: Option<Notice>,
    deed: Deed,
}

fn create(tx: &Transaction<'_>, creating: &Creating) -> Result<bool, Error> {
    let Creating { id, new, notice, deed } = creating;
    admin::must_administer(tx, deed)?;
    let rows = tx.rows();
    if let Some(email) = &new.email {
        if email.is_nobodys() {
            return Err(Error::EmailIsNobodys);
        }
        if crate::account::taken_by(rows, email)?.is_some() {
            return Err(Error::EmailTaken);
        }
    }
    let is_emailed = mail::invite(tx, notice.as_ref(), id, new)?;
    let sql = "INSERT INTO invitation (id, token_hash, email, invited_by, created_at, expires_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    rows.execute(
        sql,
        params![
            id.as_str(),
            new.token_hash,
            new.email.as_ref().map(Email::as_str),
            deed.by.as_ref().map(retouch_core::AccountId::as_str),
            tx.now().0,
            new.expires_at.0,
        ],
    )?;
    admin::note(tx, deed, AuditAct::Invite, None)?;
    Ok(is_emailed)
}

/// Finds the invitation, if `email` can use it now.
///
/// # Errors
/// [`Error::InvitationUnusable`].
pub(crate) fn find_open(
    tx: &Transaction<'_>,
    ticket: Ticket<'_>,
    email: &Email,
) -> Result<Invitation, Error> {
    let found = find(tx.rows(), ticket)?;
    let usable = found.filter(|it| it.is_open(tx.now()) && it.is_for(email));
    usable.ok_or(Error::InvitationUnusable)
}

/// Marks an invitation as used by `account`. Fails before anything is written.
///
/// # Errors
/// [`Error::InvitationUnusable`].
pub(crate) fn use_up(
    tx: &Transaction<'_>,
    ticket: Ticket<'_>,
    account: &Account,
) -> Result<(), Error> {
    let found = find_open(tx, ticket, &account.email)?;
    let sql = "UPDATE invitation SET used_at = ?2, used_by = ?3 WHERE id = ?1";
    let values = params![found.id.as_str(), tx.now().0, account.id.as_str()];
    tx.rows().execute(sql, values)?;
    Ok(())
}

/// Stores the secret of the email that carries an invitation.
pub(crate) fn note_mailed(
    rows: &Rows,
    id: Option<&InvitationId>,
    token_hash: &[u8; 32],
) -> Result<(), Error> {
    let sql = "UPDATE invitation SET mailed_hash = ?2 WHERE id = ?1";
    rows.execute(sql, params![id.map(InvitationId::as_str), token_hash])?;
    Ok(())
}

fn find(rows: &Rows, ticket: Ticket<'_>) -> Result<Option<Invitation>, Error> {
    let select = |is_it| format!("SELECT {COLUMNS} FROM invitation WHERE {is_it}");
    match ticket {
        Ticket::Secret(hash) => {
            let sql = select("token_hash = ?1 OR mailed_hash = ?1");
            one(rows, &sql, [hash], from_row)
        }
        Ticket::Name(id) => one(rows, &select("id = ?1"), [id.as_str()], from_row),
    }
}

fn from_row(row: &Row<'_>) -> Result<Invitation, Error> {
    let email: Option<String> = row.get("email")?;
    let email = email.map(|email| email.parse()).transpose();
    let email = email.map_err(|_| Error::Corrupt {
        what: "an invitation has an invalid email address".to_owned(),
    })?;
    Ok(Invitation {
        id: column(row, "id")?,
        email,
        invited_by: row.get("inviter")?,
        created_at: Timestamp(row.get("created_at")?),
        expires_at: Timestamp(row.get("expires_at")?),
        used_at: row.get::<_, Option<i64>>("used_at")?.map(Timestamp),
        used_by: row.get("user")?,
    })
}
