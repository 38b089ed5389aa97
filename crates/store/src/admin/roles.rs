//! Administrator roles: administrators appoint others, and at least one remains who is not
//! suspended.

use retouch_core::AccountId;

use super::Deed;
use super::audit::{self, AuditAct};
use crate::account::{self, Account, may_act};
use crate::queue::Touches;
use crate::rows::{Rows, all, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// The maximum number of administrators that are listed.
const LISTED_MAX: i64 = 1_000;

impl Store {
    /// Makes an account an administrator. Returns whether anything changed.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::AccountUnknown`], [`Error::Suspended`].
    pub async fn appoint_administrator(
        &self,
        account: &AccountId,
        deed: Deed,
    ) -> Result<bool, Error> {
        let account = account.clone();
        self.write(Touches::global(&account), move |tx| {
            must_administer(tx, &deed)?;
            may_act(tx.rows(), &account)?;
            change(tx, &account, &deed, AuditAct::Appoint)
        })
        .await
    }

    /// Makes an administrator a member again. Returns whether anything changed.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::AccountUnknown`]; [`Error::LastAdministrator`] if no
    /// other administrator would remain.
    pub async fn dismiss_administrator(
        &self,
        account: &AccountId,
        deed: Deed,
    ) -> Result<bool, Error> {
        let account = account.clone();
        self.write(Touches::global(&account), move |tx| {
            let rows = tx.rows();
            must_administer(tx, &deed)?;
            account::find(rows, &account)?.ok_or(Error::AccountUnknown)?;
            let sql = "SELECT 1 FROM account
                       WHERE role = 'administrator' AND suspended_at IS NULL AND id <> ?1";
            let another = one(rows, sql, [account.as_str()], |_| Ok(()))?;
            if another.is_none() && administers(rows, &account)? {
                return Err(Error::LastAdministrator);
            }
            change(tx, &account, &deed, AuditAct::Dismiss)
        })
        .await
    }

    /// Lists all administrators, oldest account first; at most a thousand.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_administrators(&self) -> Result<Vec<Account>, Error> {
        let sql = "SELECT id, email, created_at FROM account
                   WHERE role = 'administrator' AND suspended_at IS NULL ORDER BY id LIMIT ?1";
        self.read(move |rows| all(rows, sql, [LISTED_MAX], account::from_row)).await
    }
}

/// Whether an account is an administrator and not suspended.
pub(super) fn administers(rows: &Rows, account: &AccountId) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM account
               WHERE id = ?1 AND role = 'administrator' AND suspended_at IS NULL";
    Ok(one(rows, sql, [account.as_str()], |_| Ok(()))?.is_some())
}

/// Checks the role again in the transaction, because it may have been lost since the request was
/// authorized.
pub(crate) fn must_administer(tx: &Transaction<'_>, deed: &Deed) -> Result<(), Error> {
    match &deed.by {
        Some(by) if !administers(tx.rows(), by)? => Err(Error::NotAdministrator),
        _ => Ok(()),
    }
}

/// Gives an account the role that `act` is about.
fn change(
    tx: &Transaction<'_>,
    account: &AccountId,
    deed: &Deed,
    act: AuditAct,
) -> Result<bool, Error> {
    let role = if act == AuditAct::Appoint { "administrator" } else { "member" };
    let sql = "UPDATE account SET role = ?2 WHERE id = ?1 AND role <> ?2";
    let changed = tx.rows().execute(sql, params![account.as_str(), role])? > 0;
    if changed {
        audit::note(tx, deed, act, Some(account))?;
    }
    Ok(changed)
}
