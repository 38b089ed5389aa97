//! Edits that started from each other's results.

use retouch_core::{AccountId, EditId};

use super::{EditRecord, row};
use crate::rows::{all, params};
use crate::{Error, Store};

/// How many steps back to look for the first edit.
const STEPS_MAX: i64 = 200;
/// The maximum number of edits that are listed.
const FAMILY_MAX: i64 = 100;

impl Store {
    /// Lists the edits that go back to the same first edit as `edit`, oldest first, without deleted
    /// ones; at most a hundred.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_family(
        &self,
        account: &AccountId,
        edit: &EditId,
    ) -> Result<Vec<EditRecord>, Error> {
        let (account, edit) = (account.clone(), edit.to_string());
        self.read(move |rows| {
            // A CROSS JOIN, so that SQLite starts with the family instead of with all edits of the
            // account.
            let sql = format!(
                "WITH RECURSIVE
                     upward (id, parent, step) AS (
                         SELECT id, parent, 0 FROM edit WHERE account_id = ?1 AND id = ?2
                         UNION ALL
                         SELECT edit.id, edit.parent, step + 1
                         FROM upward JOIN edit ON edit.account_id = ?1 AND edit.id = upward.parent
                         WHERE step < ?3),
                     family (id) AS (
                         SELECT * FROM (SELECT id FROM upward ORDER BY step DESC LIMIT 1) AS eldest
                         UNION ALL
                         SELECT edit.id
                         FROM family CROSS JOIN edit
                         WHERE edit.account_id = ?1 AND edit.parent = family.id)
                 SELECT {} FROM edit
                 WHERE account_id = ?1 AND deleted_at IS NULL AND id IN (SELECT id FROM family LIMIT ?4)
                 ORDER BY id",
                row::COLUMNS
            );
            let values = params![account.as_str(), edit, STEPS_MAX, FAMILY_MAX];
            all(rows, &sql, values, row::from_row)
        })
        .await
    }

    /// Finds those of an account's edits with these ids, in no order, without deleted ones.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_edits_named(
        &self,
        account: &AccountId,
        names: Vec<EditId>,
    ) -> Result<Vec<EditRecord>, Error> {
        let account = account.clone();
        self.read(move |rows| {
            let found = names.iter().map(|name| row::find(rows, &account, *name));
            let found = found.collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
            Ok(found.filter(|record| record.deleted_at.is_none()).collect())
        })
        .await
    }
}
