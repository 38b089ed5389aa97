//! The files of deleted edits and expired results. The record is updated first and the file is
//! removed afterwards, so that a crash in between never leaves a visible image that should be gone.

use retouch_core::{AccountId, EditId};

use crate::queue::Touches;
use crate::rows::{Row, all, column, params};
use crate::{Error, Store};

/// The maximum number of removals that are listed.
const REMOVALS_MAX: usize = 1_000;

/// An edit whose file must be removed and may still exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The account that owned it.
    pub account: AccountId,
    /// Its id.
    pub id: EditId,
    /// The blob to remove.
    pub blob: String,
}

impl Store {
    /// Up to a thousand files that must be removed and may still exist, after skipping `passed` of
    /// them that cannot be removed now.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_removals(&self, passed: usize) -> Result<Vec<Removal>, Error> {
        let sql = "SELECT account_id, id, blob FROM edit
                   WHERE deleted_at IS NOT NULL AND stored <> '[]'
                   UNION ALL
                   SELECT account_id, id, blob FROM edit
                   WHERE expired_at IS NOT NULL AND stored <> '[]' AND deleted_at IS NULL
                   LIMIT ?1";
        let most = i64::try_from(passed.saturating_add(REMOVALS_MAX)).unwrap_or(i64::MAX);
        self.read(move |rows| all(rows, sql, [most], from_row)).await
    }

    /// Records that the file of such an edit is gone.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn confirm_removal(&self, account: &AccountId, edit: &EditId) -> Result<(), Error> {
        let (account, edit) = (account.clone(), *edit);
        self.write(Touches::Rows, move |tx| {
            let sql = "UPDATE edit SET stored = '[]'
                       WHERE account_id = ?1 AND id = ?2
                           AND (deleted_at IS NOT NULL OR expired_at IS NOT NULL)";
            let values = params![account.as_str(), edit.to_string()];
            tx.rows().execute(sql, values)?;
            Ok(())
        })
        .await
    }
}

fn from_row(row: &Row<'_>) -> Result<Removal, Error> {
    Ok(Removal {
        account: column(row, "account_id")?,
        id: column(row, "id")?,
        blob: row.get("blob")?,
    })
}
