//! Emails about credits and plans. Owners can switch off those that ask them to do nothing.

use retouch_core::credits::Balance;
use retouch_core::{AccountId, Credits};

use super::{EmailKind, Notice, tell};
use crate::account;
use crate::queue::Touches;
use crate::rows::{one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

impl Store {
    /// Whether the owner of an account gets emails about credits that run low and plans that renew.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn is_warned(&self, account: &AccountId) -> Result<bool, Error> {
        let account = account.clone();
        self.read(move |rows| {
            let sql = "SELECT is_unwarned FROM account WHERE id = ?1";
            let found = one(rows, sql, [account.as_str()], |row| row.get::<_, bool>(0))?;
            Ok(found.is_some_and(|is_unwarned| !is_unwarned))
        })
        .await
    }

    /// Sets whether the owner of an account gets these emails.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn set_warned(&self, account: &AccountId, is_warned: bool) -> Result<(), Error> {
        let account = account.clone();
        self.write(Touches::account(&account), move |tx| {
            let sql = "UPDATE account SET is_unwarned = ?2 WHERE id = ?1";
            tx.rows().put(sql, params![account.as_str(), !is_warned])
        })
        .await
    }
}

/// Queues an email that the owner can switch off, unless they have.
pub(crate) fn warn(
    tx: &Transaction<'_>,
    notice: Option<&Notice>,
    kind: EmailKind,
    account: &AccountId,
) -> Result<(), Error> {
    if notice.is_none() {
        return Ok(());
    }
    let sql = "SELECT 1 FROM account WHERE id = ?1 AND NOT is_unwarned";
    let wants = one(tx.rows(), sql, [account.as_str()], |_| Ok(()))?.is_some();
    match account::find(tx.rows(), account)?.filter(|_| wants) {
        Some(owner) => tell(tx, notice, kind, &owner),
        None => Ok(()),
    }
}

/// How many credits are left, if the charge of `cost` credits has just left fewer than `threshold`.
/// Each charge lowers what is left by its cost, so exactly one charge crosses the threshold, and
/// after more credits have arrived, another one can. Credits that are reserved count as left,
/// because they may come back.
pub(crate) fn just_low(after: &Balance, cost: Credits, threshold: Credits) -> Option<i64> {
    let left = after.available.get() + after.held.get();
    let is_crossing = left < threshold.get() && left + cost.get() >= threshold.get();
    is_crossing.then_some(left)
}

/// Warns the owner that only `left` credits are left.
pub(crate) fn warn_of_low_credits(
    tx: &Transaction<'_>,
    notice: Option<&Notice>,
    account: &AccountId,
    left: i64,
) -> Result<(), Error> {
    let notice = notice.map(|it| it.about(&left.to_string()));
    warn(tx, notice.as_ref(), EmailKind::LowCredits, account)
}
