//! Who accounts are at the vendor of payments, and what the vendor has still to be told of them.

use retouch_core::{AccountId, Timestamp};

use crate::rows::{Row, all, column, one, params};
use crate::work::Touches;
use crate::{Error, Store};

/// Customers that are handed out at a time.
const TASK_ROWS_MAX: i64 = 50;

/// A customer of whom the vendor has still to be told something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomerTask {
    /// The vendor's name for the customer.
    pub customer: String,
    /// Whose it is.
    pub account: AccountId,
    /// The account's address, which the vendor does not know yet.
    pub email: String,
    /// When the account was deleted: then the customer has to go, and what is paid late goes back.
    pub deleted_at: Option<Timestamp>,
}

impl Store {
    /// Who an account is at the vendor.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_customer(&self, account: &AccountId) -> Result<Option<String>, Error> {
        let account = account.clone();
        self.read(move |rows| one(rows, PRESENT, [account.as_str()], |row| row.get(0))).await
    }

    /// Remembers who an account is at the vendor; the one that was remembered first stays, and is
    /// the answer.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`]; faults of the database.
    pub async fn keep_customer(&self, account: &AccountId, id: String) -> Result<String, Error> {
        let account = account.clone();
        self.write(Touches::house(&account), move |unit| {
            let rows = unit.rows();
            let sql = "INSERT INTO customer (account_id, id, created_at, email)
                       SELECT id, ?2, ?3, email FROM account WHERE id = ?1 AND deleted_at IS NULL
                       ON CONFLICT DO NOTHING";
            rows.execute(sql, params![account.as_str(), id, unit.now().0])?;
            one(rows, PRESENT, [account.as_str()], |row| row.get(0))?.ok_or(Error::AccountUnknown)
        })
        .await
    }

    /// Remembers that the vendor has a customer of the account no more. What the account paid for
    /// by it is over: nobody charges for it.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn lose_customer(&self, account: &AccountId, id: &str) -> Result<(), Error> {
        let (account, id) = (account.clone(), id.to_owned());
        self.write(Touches::house(&account), move |unit| {
            let (rows, now) = (unit.rows(), unit.now().0);
            let sql = "UPDATE customer SET gone_at = ?3
                       WHERE id = ?2 AND account_id = ?1 AND gone_at IS NULL";
            let values = params![account.as_str(), id, now];
            if rows.execute(sql, values)? > 0 {
                let sql = "UPDATE subscription SET status = 'ended', cancel_at = ?2, seen_at = ?2
                           WHERE account_id = ?1 AND source = 'stripe' AND status <> 'ended'";
                rows.execute(sql, params![account.as_str(), now])?;
            }
            Ok(())
        })
        .await
    }

    /// Customers of whom the vendor has still to be told something, by their names from the one
    /// after `after`: their address has changed, or their account was deleted. Those that were
    /// deleted later than `since` are among them even when the vendor knows: a payment takes days.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_customer_tasks(
        &self,
        since: Timestamp,
        after: &str,
    ) -> Result<Vec<CustomerTask>, Error> {
        let after = after.to_owned();
        let sql = "SELECT customer.id AS id, account_id, account.email AS email, deleted_at
                   FROM customer JOIN account ON account.id = account_id
                   WHERE customer.id > ?1 AND CASE
                       WHEN deleted_at IS NULL
                           THEN gone_at IS NULL AND customer.email IS DISTINCT FROM account.email
                       ELSE gone_at IS NULL OR deleted_at > ?2 END
                   ORDER BY customer.id LIMIT ?3";
        let read = |row: &Row<'_>| {
            Ok(CustomerTask {
                customer: row.get("id")?,
                account: column(row, "account_id")?,
                email: row.get("email")?,
                deleted_at: row.get::<_, Option<i64>>("deleted_at")?.map(Timestamp),
            })
        };
        self.read(move |rows| all(rows, sql, params![after, since.0, TASK_ROWS_MAX], read)).await
    }

    /// Remembers which address the vendor was told of a customer.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn note_customer_email(&self, task: &CustomerTask) -> Result<(), Error> {
        let (id, email) = (task.customer.clone(), task.email.clone());
        let sql = "UPDATE customer SET email = ?2 WHERE id = ?1";
        self.write(Touches::Rows, move |unit| {
            unit.rows().execute(sql, params![id, email])?;
            Ok(())
        })
        .await
    }

    /// Whether an invoice has brought its account credits.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn has_granted(&self, account: &AccountId, invoice: &str) -> Result<bool, Error> {
        let (account, invoice) = (account.clone(), invoice.to_owned());
        let sql = "SELECT 1 FROM invoice WHERE account_id = ?1 AND id = ?2 AND granted > 0";
        let found =
            self.read(move |rows| one(rows, sql, params![account.as_str(), invoice], |_| Ok(())));
        Ok(found.await?.is_some())
    }
}

const PRESENT: &str = "SELECT id FROM customer WHERE account_id = ?1 AND gone_at IS NULL";
