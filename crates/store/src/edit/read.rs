//! Finding and deleting edits, for their owners.

use retouch_core::{AccountId, EditId, KeyId};

use super::{EditRecord, EditStatus, row};
use crate::prune::IDEMPOTENCY_MS;
use crate::queue::Touches;
use crate::rows::{Rows, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// The result of deleting an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deleted {
    /// It is no longer listed. These blobs have to be deleted.
    Gone {
        /// The names of the blobs.
        blobs: Vec<String>,
    },
    /// It is in progress. It can be deleted when it has ended.
    Running,
    /// The account has no such edit, or has already deleted it.
    Unknown,
}

impl Store {
    /// Finds an account's edit by its id, unless it is deleted.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_edit(
        &self,
        account: &AccountId,
        edit: &EditId,
    ) -> Result<Option<EditRecord>, Error> {
        self.find_edit_by(account, None, edit).await
    }

    /// Finds an account's edit by its id, unless it is deleted or was made with another key than
    /// `made_by`.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_edit_by(
        &self,
        account: &AccountId,
        made_by: Option<&KeyId>,
        edit: &EditId,
    ) -> Result<Option<EditRecord>, Error> {
        let (account, made_by, edit) = (account.clone(), made_by.cloned(), *edit);
        self.read(move |rows| seen(rows, &account, made_by.as_ref(), edit)).await
    }

    /// Deletes an edit for its owner. The record stays for the ledger and, for a day, for its
    /// idempotency key, but without the prompt, the plan and the response.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn delete_edit(&self, account: &AccountId, edit: &EditId) -> Result<Deleted, Error> {
        self.delete_edit_by(account, None, edit).await
    }

    /// Deletes those of an account's edits with these ids that have ended, in one transaction.
    /// Returns how many. Their files are queued for removal.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn delete_edits(
        &self,
        account: &AccountId,
        edits: Vec<EditId>,
    ) -> Result<usize, Error> {
        let account = account.clone();
        self.write(Touches::account(&account), move |tx| {
            let mut gone = 0;
            for edit in &edits {
                let deleted = delete(tx, &account, None, *edit)?;
                gone += usize::from(matches!(deleted, Deleted::Gone { .. }));
            }
            Ok(gone)
        })
        .await
    }

    /// Deletes an edit like [`Store::delete_edit`], unless it was made with another key than
    /// `made_by`.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn delete_edit_by(
        &self,
        account: &AccountId,
        made_by: Option<&KeyId>,
        edit: &EditId,
    ) -> Result<Deleted, Error> {
        let (account, made_by, edit) = (account.clone(), made_by.cloned(), *edit);
        self.write(Touches::account(&account), move |tx| {
            delete(tx, &account, made_by.as_ref(), edit)
        })
        .await
    }
}

/// Finds an account's edit that is not deleted and, if `made_by` is given, was made with that key.
pub(super) fn seen(
    rows: &Rows,
    account: &AccountId,
    made_by: Option<&KeyId>,
    edit: EditId,
) -> Result<Option<EditRecord>, Error> {
    let found = row::find(rows, account, edit)?;
    Ok(found.filter(|record| {
        record.deleted_at.is_none() && made_by.is_none_or(|key| record.key.as_ref() == Some(key))
    }))
}

fn delete(
    tx: &Transaction<'_>,
    account: &AccountId,
    made_by: Option<&KeyId>,
    edit: EditId,
) -> Result<Deleted, Error> {
    let Some(record) = seen(tx.rows(), account, made_by, edit)? else {
        return Ok(Deleted::Unknown);
    };
    if record.status == EditStatus::Processing {
        return Ok(Deleted::Running);
    }
    let sql = format!(
        "UPDATE edit SET deleted_at = ?3, {} WHERE account_id = ?1 AND id = ?2",
        row::FORGOTTEN
    );
    let (name, now) = (edit.to_string(), tx.now());
    tx.rows().execute(&sql, params![account.as_str(), name, now.0])?;
    // Newer idempotency keys are cleared when they are old enough.
    let sql = "DELETE FROM idempotency WHERE account_id = ?1 AND edit_id = ?2 AND created_at <= ?3";
    let old = now.plus_ms(-IDEMPOTENCY_MS);
    tx.rows().execute(sql, params![account.as_str(), name, old.0])?;
    Ok(Deleted::Gone { blobs: vec![record.blob] })
}
