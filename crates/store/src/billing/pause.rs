//! Reasons why paid providers are paused for an account until an administrator reviews it.

use retouch_core::billing::Alarm;
use retouch_core::{AccountId, Timestamp};

use crate::admin::{self, AuditAct, Deed};
use crate::queue::Touches;
use crate::refusal;
use crate::rows::{Row, all, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// The maximum number of pauses shown for an account.
const SHOWN_ROWS_MAX: i64 = 20;

/// Why paid providers are paused for an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseReason {
    /// A payer disputed a payment with their bank.
    Dispute,
    /// A card issuer reported a payment as likely fraud.
    FraudWarning,
    /// Money was refunded, but its credits were already spent.
    Debt,
    /// Providers refused too many of the account's requests.
    Refusals,
}

/// A pause that an administrator must review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pause {
    /// The cause: the provider's id of the dispute or warning, or our own name for the debt or the
    /// refusals.
    pub cause: String,
    /// The reason.
    pub reason: PauseReason,
    /// When it began.
    pub paused_at: Timestamp,
}

impl PauseReason {
    const ALL: [Self; 4] = [Self::Dispute, Self::FraudWarning, Self::Debt, Self::Refusals];

    /// The stable name, as stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dispute => "dispute",
            Self::FraudWarning => "fraud_warning",
            Self::Debt => "debt",
            Self::Refusals => "refusals",
        }
    }

    /// The reason with this stored name.
    pub(crate) fn of_row(name: &str) -> Result<Self, Error> {
        let reason = Self::ALL.into_iter().find(|it| it.as_str() == name);
        reason.ok_or_else(|| Error::Corrupt { what: format!("unknown reason of a pause {name:?}") })
    }
}

impl Store {
    /// The active pauses of an account, oldest first.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_pauses(&self, account: &AccountId) -> Result<Vec<Pause>, Error> {
        let account = account.clone();
        let sql = "SELECT cause, reason, paused_at FROM pause
                   WHERE account_id = ?1 AND lifted_at IS NULL ORDER BY paused_at, cause LIMIT ?2";
        let values = (account, SHOWN_ROWS_MAX);
        self.read(move |rows| all(rows, sql, params![values.0.as_str(), values.1], from_row)).await
    }

    /// Lets an account use paid providers again, resets its count of refusals, and logs it. Returns
    /// whether it was paused.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::AccountUnknown`].
    pub async fn lift_pauses(&self, account: &AccountId, deed: Deed) -> Result<bool, Error> {
        let account = account.clone();
        self.write(Touches::global(&account), move |tx| {
            admin::must_administer(tx, &deed)?;
            admin::must_exist(tx, &account)?;
            let sql = "UPDATE pause SET lifted_at = ?2
                       WHERE account_id = ?1 AND lifted_at IS NULL";
            let lifted = tx.rows().execute(sql, params![account.as_str(), tx.now().0])? > 0;
            if lifted {
                refusal::forget(tx.rows(), &account)?;
                admin::note(tx, &deed, AuditAct::LiftPause, Some(&account))?;
            }
            Ok(lifted)
        })
        .await
    }
}

/// Pauses paid providers for an account, once per cause. Returns a sentence for each new pause.
pub(super) fn begin(
    tx: &Transaction<'_>,
    account: &AccountId,
    alarms: &[Alarm],
    owed: &[String],
) -> Result<Vec<String>, Error> {
    let alarms = alarms.iter().map(|alarm| match alarm {
        Alarm::Dispute(id) => (PauseReason::Dispute, id),
        Alarm::FraudWarning(id) => (PauseReason::FraudWarning, id),
    });
    let causes = alarms.chain(owed.iter().map(|source| (PauseReason::Debt, source)));
    let mut told = Vec::new();
    for (reason, cause) in causes {
        if insert(tx, account, reason, cause)? {
            told.push(format!("paid providers are paused: {} ({cause})", reason.as_str()));
        }
    }
    Ok(told)
}

/// Pauses paid providers for an account because they refused too many of its requests.
pub(crate) fn begin_for_refusals(tx: &Transaction<'_>, account: &AccountId) -> Result<(), Error> {
    let reason = PauseReason::Refusals;
    let cause = format!("refusals:{account}:{}", tx.now().0);
    // Edits that were in progress when the account was paused may be refused too.
    let sql = "SELECT 1 FROM pause WHERE account_id = ?1 AND lifted_at IS NULL LIMIT 1";
    let is_paused = one(tx.rows(), sql, [account.as_str()], |_| Ok(()))?.is_some();
    if !is_paused && insert(tx, account, reason, &cause)? {
        tracing::warn!(%account, "an account is paused because providers refused too many of its requests");
    }
    Ok(())
}

/// Inserts a pause, unless this cause has already paused the account. Returns whether it is new.
fn insert(
    tx: &Transaction<'_>,
    account: &AccountId,
    reason: PauseReason,
    cause: &str,
) -> Result<bool, Error> {
    let sql = "INSERT INTO pause (cause, account_id, reason, paused_at) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (cause) DO NOTHING";
    let values = params![cause, account.as_str(), reason.as_str(), tx.now().0];
    Ok(tx.rows().execute(sql, values)? > 0)
}

fn from_row(row: &Row<'_>) -> Result<Pause, Error> {
    Ok(Pause {
        cause: row.get("cause")?,
        reason: PauseReason::of_row(row.text("reason")?.unwrap_or_default())?,
        paused_at: Timestamp(row.get("paused_at")?),
    })
}
