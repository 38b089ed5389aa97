//! Why an account may not use paid providers until an administrator has looked.

use retouch_core::billing::Alarm;
use retouch_core::{AccountId, Timestamp};

use crate::admin::{self, AuditAct, Deed};
use crate::rows::{Row, Rows, all, one, params};
use crate::unit::Unit;
use crate::work::Touches;
use crate::{Error, Store};

/// Pauses of an account that are shown.
const SHOWN_ROWS_MAX: i64 = 20;

/// Why paid providers are paused for an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseReason {
    /// A payer's bank claims money back.
    Dispute,
    /// A card's issuer believes that a payment is fraud.
    FraudWarning,
    /// Money went back whose credits were spent.
    Debt,
}

/// A pause that an administrator has to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pause {
    /// What it is about: the vendor's name for the dispute or the warning, or our name for the
    /// taking back.
    pub cause: String,
    /// Why.
    pub reason: PauseReason,
    /// Since when.
    pub paused_at: Timestamp,
}

impl PauseReason {
    const ALL: [Self; 3] = [Self::Dispute, Self::FraudWarning, Self::Debt];

    /// The stable name, as stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dispute => "dispute",
            Self::FraudWarning => "fraud_warning",
            Self::Debt => "debt",
        }
    }
}

impl Store {
    /// The pauses of an account that no administrator has lifted, oldest first.
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

    /// Lets an account use paid providers again, and writes it down; whether it was paused.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::AccountUnknown`].
    pub async fn lift_pauses(&self, account: &AccountId, deed: Deed) -> Result<bool, Error> {
        let account = account.clone();
        self.write(Touches::house(&account), move |unit| {
            admin::must_administer(unit, &deed)?;
            admin::must_exist(unit, &account)?;
            let sql = "UPDATE pause SET lifted_at = ?2
                       WHERE account_id = ?1 AND lifted_at IS NULL";
            let lifted = unit.rows().execute(sql, params![account.as_str(), unit.now().0])? > 0;
            if lifted {
                admin::note(unit, &deed, (AuditAct::LiftPause, Some(&account), None))?;
            }
            Ok(lifted)
        })
        .await
    }
}

/// Pauses paid providers for an account, once for each cause; a sentence for each that is new.
pub(super) fn begin(
    unit: &Unit<'_>,
    account: &AccountId,
    (alarms, owed): (&[Alarm], &[String]),
) -> Result<Vec<String>, Error> {
    let alarms = alarms.iter().map(|alarm| match alarm {
        Alarm::Dispute(id) => (PauseReason::Dispute, id),
        Alarm::FraudWarning(id) => (PauseReason::FraudWarning, id),
    });
    let causes = alarms.chain(owed.iter().map(|source| (PauseReason::Debt, source)));
    let sql = "INSERT INTO pause (cause, account_id, reason, paused_at) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (cause) DO NOTHING";
    let mut told = Vec::new();
    for (reason, cause) in causes {
        let values = params![cause, account.as_str(), reason.as_str(), unit.now().0];
        if unit.rows().execute(sql, values)? > 0 {
            told.push(format!("paid providers are paused: {} ({cause})", reason.as_str()));
        }
    }
    Ok(told)
}

/// Whether an account may not use paid providers.
///
/// # Errors
/// Faults of the database.
pub(crate) fn is_paused(rows: &Rows, account: &AccountId) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM pause WHERE account_id = ?1 AND lifted_at IS NULL LIMIT 1";
    Ok(one(rows, sql, [account.as_str()], |_| Ok(()))?.is_some())
}

fn from_row(row: &Row<'_>) -> Result<Pause, Error> {
    let name: String = row.get("reason")?;
    let unknown = || Error::Corrupt { what: format!("unknown reason of a pause {name:?}") };
    let reason = PauseReason::ALL.into_iter().find(|it| it.as_str() == name);
    Ok(Pause {
        cause: row.get("cause")?,
        reason: reason.ok_or_else(unknown)?,
        paused_at: Timestamp(row.get("paused_at")?),
    })
}
