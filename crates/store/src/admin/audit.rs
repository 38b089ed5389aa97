//! The log of what administrators do. Triggers make it append-only.

use retouch_core::{AccountId, Credits, Timestamp};

use super::{Deed, roles};
use crate::error::credits;
use crate::page::Place;
use crate::queue::Touches;
use crate::rows::{Row, all, one, params};
use crate::transaction::Transaction;
use crate::{Error, Page, PageRequest, Store};

/// How long one logged look covers further looks at the same thing, in milliseconds.
const LOOK_MS: i64 = 3_600_000;

/// What administrators, and the operator on the command line, can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditAct {
    /// Became the first administrator through the operator's link.
    Claim,
    /// Granted credits.
    Grant,
    /// Took credits back.
    TakeBack,
    /// Suspended an account.
    Suspend,
    /// Reinstated an account.
    Lift,
    /// Ended all sessions of an account.
    SignOut,
    /// Verified the ledger.
    ProveBooks,
    /// Made an account an administrator.
    Appoint,
    /// Made an administrator a member again.
    Dismiss,
    /// Looked at the generations of one account or of all.
    Look,
    /// Created an account.
    CreateAccount,
    /// Set the password of an account.
    SetPassword,
    /// Created an API key.
    CreateKey,
    /// Revoked an API key.
    RevokeKey,
    /// Assigned a plan.
    AssignPlan,
    /// Ended a plan that the operator assigned.
    CancelPlan,
    /// Asked the payment provider to end a paid plan.
    EndPaidPlan,
    /// Retried a payment event.
    RetryEvent,
    /// Created an invitation to sign up.
    Invite,
    /// Withdrew an invitation.
    Uninvite,
    /// Let an account use paid providers again.
    LiftPause,
    /// Removed the second factor of an account.
    ResetSecondFactor,
    /// Sent an account a link to reset its password.
    SendReset,
    /// Deleted an account.
    DeleteAccount,
    /// Changed the limits of an account or the notes about it.
    SetTerms,
    /// Downloaded a list of all accounts, generations, transactions or actions.
    Export,
    /// Sent a test email.
    TestEmail,
    /// Changed a setting of the service.
    ChangeSetting,
    /// Added, changed or removed a provider.
    ChangeProvider,
    /// Dismissed a request for credits.
    DismissRequest,
}

impl AuditAct {
    const ALL: [Self; 30] = [
        Self::Claim,
        Self::Grant,
        Self::TakeBack,
        Self::Suspend,
        Self::Lift,
        Self::SignOut,
        Self::ProveBooks,
        Self::Appoint,
        Self::Dismiss,
        Self::Look,
        Self::CreateAccount,
        Self::SetPassword,
        Self::CreateKey,
        Self::RevokeKey,
        Self::AssignPlan,
        Self::CancelPlan,
        Self::EndPaidPlan,
        Self::RetryEvent,
        Self::Invite,
        Self::Uninvite,
        Self::LiftPause,
        Self::ResetSecondFactor,
        Self::SendReset,
        Self::DeleteAccount,
        Self::SetTerms,
        Self::Export,
        Self::TestEmail,
        Self::ChangeSetting,
        Self::ChangeProvider,
        Self::DismissRequest,
    ];

    /// The stable name, as stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Claim => "claim",
            Self::Grant => "grant",
            Self::TakeBack => "take_back",
            Self::Suspend => "suspend",
            Self::Lift => "lift",
            Self::SignOut => "sign_out",
            Self::ProveBooks => "prove_books",
            Self::Appoint => "appoint",
            Self::Dismiss => "dismiss",
            Self::Look => "look",
            Self::CreateAccount => "create_account",
            Self::SetPassword => "set_password",
            Self::CreateKey => "create_key",
            Self::RevokeKey => "revoke_key",
            Self::AssignPlan => "assign_plan",
            Self::CancelPlan => "cancel_plan",
            Self::EndPaidPlan => "end_paid_plan",
            Self::RetryEvent => "retry_event",
            Self::Invite => "invite",
            Self::Uninvite => "uninvite",
            Self::LiftPause => "lift_pause",
            Self::ResetSecondFactor => "reset_second_factor",
            Self::SendReset => "send_reset",
            Self::DeleteAccount => "delete_account",
            Self::SetTerms => "set_terms",
            Self::Export => "export",
            Self::TestEmail => "test_email",
            Self::ChangeSetting => "change_setting",
            Self::ChangeProvider => "change_provider",
            Self::DismissRequest => "dismiss_request",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|act| act.as_str() == name)
    }
}

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// 1 for the first entry, then without gaps.
    pub number: i64,
    /// When.
    pub at: Timestamp,
    /// Who did it: the address, or the id if the account is gone. `None`: the operator, on the
    /// command line.
    pub actor: Option<String>,
    /// What was done.
    pub act: AuditAct,
    /// The account that it was done to.
    pub subject: Option<String>,
    /// The address of that account, unless it is gone.
    pub subject_email: Option<String>,
    /// How many credits were granted or taken back.
    pub credits: Option<Credits>,
    /// The reason.
    pub reason: String,
    /// The request that did it.
    pub request_id: Option<String>,
}

impl Store {
    /// The log, newest first, optionally only the entries about `subject`.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_audit(
        &self,
        subject: Option<&AccountId>,
        page: &PageRequest,
    ) -> Result<Page<AuditEntry>, Error> {
        let place = Place::read("audit", page)?;
        let after = place.after_number()?.unwrap_or(i64::MAX);
        let subject = subject.map(ToString::to_string);
        let wanted = if subject.is_some() { "subject = ?3" } else { "?3 IS NULL" };
        let sql = format!(
            "SELECT number, at, COALESCE((SELECT email FROM account WHERE id = actor), actor), act,
                 subject, (SELECT email FROM account WHERE id = subject), credits, reason,
                 request_id
             FROM audit WHERE number < ?1 AND {wanted} ORDER BY number DESC LIMIT ?2"
        );
        self.read(move |rows| {
            let found = all(rows, &sql, params![after, place.rows(), subject], from_row)?;
            Ok(place.page(found, |entry| entry.number.to_string()))
        })
        .await
    }

    /// Logs an action that changes no rows, such as a download, before it happens.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`].
    pub async fn note_act(&self, act: AuditAct, deed: Deed) -> Result<(), Error> {
        self.write(Touches::Global(None), move |tx| {
            roles::must_administer(tx, &deed)?;
            note(tx, &deed, act, None)
        })
        .await
    }

    /// Logs that someone looks at the generations of one account or of all. The same look is logged
    /// once an hour, so that paging does not bury other entries.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`].
    pub async fn note_look(&self, subject: Option<&AccountId>, deed: Deed) -> Result<(), Error> {
        let subject = subject.cloned();
        self.write(Touches::Global(None), move |tx| {
            roles::must_administer(tx, &deed)?;
            let sql = "SELECT 1 FROM audit
                       WHERE act = 'look' AND actor IS NOT DISTINCT FROM ?1
                           AND subject IS NOT DISTINCT FROM ?2 AND at > ?3";
            let (actor, subject) = (deed.by.as_ref(), subject.as_ref());
            let since = tx.now().plus_ms(-LOOK_MS).0;
            let values =
                params![actor.map(AccountId::as_str), subject.map(AccountId::as_str), since];
            match one(tx.rows(), sql, values, |_| Ok(()))? {
                Some(()) => Ok(()),
                None => note(tx, &deed, AuditAct::Look, subject),
            }
        })
        .await
    }
}

/// What was done, to which account, with how many credits.
pub(crate) struct Line<'a> {
    pub(crate) act: AuditAct,
    pub(crate) subject: Option<&'a AccountId>,
    pub(crate) credits: Option<Credits>,
}

/// Adds an entry about something other than credits.
pub(crate) fn note(
    tx: &Transaction<'_>,
    deed: &Deed,
    act: AuditAct,
    subject: Option<&AccountId>,
) -> Result<(), Error> {
    note_line(tx, deed, &Line { act, subject, credits: None })
}

/// Adds an entry.
pub(crate) fn note_line(tx: &Transaction<'_>, deed: &Deed, line: &Line<'_>) -> Result<(), Error> {
    let rows = tx.rows();
    let last = one(rows, "SELECT MAX(number) FROM audit", params![], |row| row.get(0))?;
    let last: Option<i64> = last.flatten();
    let sql = "INSERT INTO audit (number, at, actor, act, subject, credits, reason, request_id)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    rows.execute(
        sql,
        params![
            last.unwrap_or(0) + 1,
            tx.now().0,
            deed.by.as_ref().map(AccountId::as_str),
            line.act.as_str(),
            line.subject.map(AccountId::as_str),
            line.credits.map(Credits::get),
            deed.reason,
            deed.request_id,
        ],
    )?;
    Ok(())
}

fn from_row(row: &Row<'_>) -> Result<AuditEntry, Error> {
    let name: String = row.get(3)?;
    let unknown = || Error::Corrupt { what: format!("unknown act {name:?}") };
    Ok(AuditEntry {
        number: row.get(0)?,
        at: Timestamp(row.get(1)?),
        actor: row.get(2)?,
        act: AuditAct::parse(&name).ok_or_else(unknown)?,
        subject: row.get(4)?,
        subject_email: row.get(5)?,
        credits: row.get::<_, Option<i64>>(6)?.map(credits).transpose()?,
        reason: row.get(7)?,
        request_id: row.get(8)?,
    })
}
