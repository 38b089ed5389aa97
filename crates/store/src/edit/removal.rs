//! The files of edits that were deleted or whose results have become too old: a record goes first and
//! its file after it, so that a crash in between must not leave a picture that nobody should see.

use retouch_core::{AccountId, EditId};

use crate::rows::{Row, all, column, params};
use crate::work::Touches;
use crate::{Error, Store};

/// The most removals that are listed at a time.
const REMOVALS_MAX: usize = 1_000;

/// An edit whose file has to go and may still be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// Whose it was.
    pub account: AccountId,
    /// Its name.
    pub id: EditId,
    /// The blob that has to go.
    pub blob: String,
}

impl Store {
    /// The edits whose files have to go and may still be there; at most a thousand beside as many as
    /// are `passed` by, because they cannot be removed now.
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

    /// Notes that the file of such an edit is gone.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn confirm_removal(&self, account: &AccountId, edit: &EditId) -> Result<(), Error> {
        let (account, edit) = (account.clone(), *edit);
        self.write(Touches::Rows, move |unit| {
            let sql = "UPDATE edit SET stored = '[]'
                       WHERE account_id = ?1 AND id = ?2
                           AND (deleted_at IS NOT NULL OR expired_at IS NOT NULL)";
            let values = params![account.as_str(), edit.to_string()];
            unit.rows().execute(sql, values)?;
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
