//! The customers that accounts have at the payment provider, and what the provider still has to be
//! told about them.

use retouch_core::{AccountId, Timestamp};

use super::row::watched;
use crate::queue::Touches;
use crate::rows::{Row, all, column, one, params};
use crate::{Error, Store};

/// The maximum number of customers per batch.
const TASK_ROWS_MAX: i64 = 50;

/// A customer with a change that the provider does not know yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomerTask {
    /// The provider's id of the customer.
    pub customer: String,
    /// The account.
    pub account: AccountId,
    /// The account's current address.
    pub email: String,
    /// When the account was deleted. Then the customer must be deleted too, and late payments
    /// refunded.
    pub deleted_at: Option<Timestamp>,
}

impl Store {
    /// The customer that an account has at the payment provider.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_customer(&self, account: &AccountId) -> Result<Option<String>, Error> {
        let account = account.clone();
        self.read(move |rows| one(rows, PRESENT, [account.as_str()], |row| row.get(0))).await
    }

    /// Stores the customer of an account. If one is already stored, it is kept. Returns the stored
    /// one.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`]; faults of the database.
    pub async fn keep_customer(&self, account: &AccountId, id: String) -> Result<String, Error> {
        let account = account.clone();
        self.write(Touches::global(&account), move |tx| {
            let rows = tx.rows();
            let sql = "INSERT INTO customer (account_id, id, created_at, email)
                       SELECT id, ?2, ?3, email FROM account WHERE id = ?1 AND deleted_at IS NULL
                       ON CONFLICT DO NOTHING";
            rows.execute(sql, params![account.as_str(), id, tx.now().0])?;
            one(rows, PRESENT, [account.as_str()], |row| row.get(0))?.ok_or(Error::AccountUnknown)
        })
        .await
    }

    /// Forgets a customer that no longer exists at the provider. Subscriptions through it have
    /// ended, because nothing charges for them.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn lose_customer(&self, account: &AccountId, id: &str) -> Result<(), Error> {
        let (account, id) = (account.clone(), id.to_owned());
        self.write(Touches::global(&account), move |tx| {
            let (rows, now) = (tx.rows(), tx.now().0);
            let sql = "UPDATE customer SET gone_at = ?3
                       WHERE id = ?2 AND account_id = ?1 AND gone_at IS NULL";
            let values = params![account.as_str(), id, now];
            if rows.execute(sql, values)? > 0 {
                let sql = "UPDATE subscription SET status = 'ended', cancel_at = ?2, seen_at = ?2
                           WHERE account_id = ?1 AND source = 'stripe' AND status <> 'ended'";
                let values = params![account.as_str(), now];
                watched(tx, &account, |rows| rows.execute(sql, values))?;
            }
            Ok(())
        })
        .await
    }

    /// Customers with changes that the provider does not know yet, ordered by id, from the one
    /// after `after`: their address has changed, or their account was deleted. Accounts deleted
    /// after `since` are listed even if the provider knows, because a payment can take days.
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

    /// Records which address of a customer the provider now has.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn note_customer_email(&self, task: &CustomerTask) -> Result<(), Error> {
        let (id, email) = (task.customer.clone(), task.email.clone());
        let sql = "UPDATE customer SET email = ?2 WHERE id = ?1";
        self.write(Touches::Rows, move |tx| {
            tx.rows().execute(sql, params![id, email])?;
            Ok(())
        })
        .await
    }

    /// Whether an invoice has granted its account credits.
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
