//! Members who ask the administrators for credits. An account has at most one open request. It is
//! answered when an administrator grants credits to the account, or dismisses it.

use retouch_core::{AccountId, Email, Timestamp};

use crate::account;
use crate::admin::{self, AuditAct, Deed};
use crate::mail::{self, EmailKind, Notice};
use crate::queue::Touches;
use crate::rows::{Row, Rows, all, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// The maximum number of requests shown to administrators.
const SHOWN_MAX: i64 = 100;
/// The maximum number of administrators who get an email about a request.
const TOLD_MAX: usize = 10;

/// An open request for credits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreditRequest {
    /// The account.
    pub account: AccountId,
    /// Its address.
    pub email: Email,
    /// What the owner wrote; may be empty.
    pub words: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// The credits that the account has now.
    pub available: i64,
}

/// Selects the columns that [`from_row`] reads by name.
macro_rules! select {
    () => {
        "SELECT credit_request.account_id AS account_id, email, words,
             credit_request.created_at AS created_at, COALESCE(available, 0) AS available
         FROM credit_request
         JOIN account ON account.id = credit_request.account_id
         LEFT JOIN balance ON balance.account_id = credit_request.account_id"
    };
}
impl Store {
    /// Stores a request for credits and queues an email to the administrators. Returns whether it is
    /// new; if the account has an open request, nothing changes.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`]; faults of the database.
    pub async fn ask_for_credits(&self, account: &AccountId, words: String) -> Result<bool, Error> {
        let account = account.clone();
        let notices: Vec<_> = (0..TOLD_MAX).filter_map(|_| self.notice()).collect();
        self.write(Touches::global(&account), move |tx| {
            account::find(tx.rows(), &account)?.ok_or(Error::AccountUnknown)?;
            let sql = "INSERT INTO credit_request (account_id, words, created_at)
                       VALUES (?1, ?2, ?3) ON CONFLICT (account_id) DO NOTHING";
            let values = params![account.as_str(), words, tx.now().0];
            let is_new = tx.rows().execute(sql, values)? > 0;
            if is_new {
                tell_administrators(tx, &notices)?;
            }
            Ok(is_new)
        })
        .await
    }

    /// The open request of an account.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_credit_request(
        &self,
        account: &AccountId,
    ) -> Result<Option<CreditRequest>, Error> {
        let account = account.clone();
        let sql = concat!(select!(), " WHERE credit_request.account_id = ?1");
        self.read(move |rows| one(rows, sql, [account.as_str()], from_row)).await
    }

    /// Takes back the open request of an account, if it has one.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn withdraw_credit_request(&self, account: &AccountId) -> Result<(), Error> {
        let account = account.clone();
        self.write(Touches::Rows, move |tx| forget(tx.rows(), &account)).await
    }

    /// The open requests, oldest first; at most a hundred. For the operator.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_credit_requests(&self) -> Result<Vec<CreditRequest>, Error> {
        let sql = concat!(select!(), " ORDER BY credit_request.created_at, account_id LIMIT ?1");
        self.read(move |rows| all(rows, sql, [SHOWN_MAX], from_row)).await
    }

    /// Counts the open requests. For the operator.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn count_credit_requests(&self) -> Result<i64, Error> {
        let sql = "SELECT COUNT(*) FROM credit_request";
        let count = self.read(move |rows| one(rows, sql, params![], |row| row.get(0)));
        Ok(count.await?.unwrap_or(0))
    }

    /// Dismisses the open request of an account without granting anything, and logs it. Returns
    /// whether there was one.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`].
    pub async fn dismiss_credit_request(
        &self,
        account: &AccountId,
        deed: Deed,
    ) -> Result<bool, Error> {
        let account = account.clone();
        self.write(Touches::global(&account), move |tx| {
            admin::must_administer(tx, &deed)?;
            let is_open = answered(tx.rows(), &account)?;
            if is_open {
                admin::note(tx, &deed, AuditAct::DismissRequest, Some(&account))?;
            }
            Ok(is_open)
        })
        .await
    }
}

/// Removes the open request of an account. Returns whether there was one.
pub(crate) fn answered(rows: &Rows, account: &AccountId) -> Result<bool, Error> {
    let sql = "DELETE FROM credit_request WHERE account_id = ?1";
    Ok(rows.execute(sql, [account.as_str()])? > 0)
}

/// Removes what belongs to an account that is deleted.
pub(crate) fn forget(rows: &Rows, account: &AccountId) -> Result<(), Error> {
    answered(rows, account).map(drop)
}

fn tell_administrators(tx: &Transaction<'_>, notices: &[Notice]) -> Result<(), Error> {
    let sql = "SELECT id, email, created_at FROM account
               WHERE role = 'administrator' AND suspended_at IS NULL ORDER BY id LIMIT ?1";
    let limit = i64::try_from(notices.len()).unwrap_or(0);
    for (owner, notice) in all(tx.rows(), sql, [limit], account::from_row)?.iter().zip(notices) {
        mail::tell(tx, Some(notice), EmailKind::CreditsAsked, owner)?;
    }
    Ok(())
}

fn from_row(row: &Row<'_>) -> Result<CreditRequest, Error> {
    Ok(CreditRequest {
        account: column(row, "account_id")?,
        email: column(row, "email")?,
        words: row.get("words")?,
        created_at: Timestamp(row.get("created_at")?),
        available: row.get("available")?,
    })
}
