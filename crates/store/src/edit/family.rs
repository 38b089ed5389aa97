//! Edits that grew out of one another: a result that was edited, and edited again.

use retouch_core::{AccountId, EditId};

use super::{EditRecord, row};
use crate::rows::{all, params};
use crate::{Error, Store};

/// How many steps back the first edit is looked for.
const STEPS_MAX: i64 = 200;
/// The most edits that are listed of a family.
const FAMILY_MAX: i64 = 100;

impl Store {
    /// The edits that grew out of the same first one as `edit`, oldest first, without the deleted
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
            // Crossed, so that SQLite begins with the family and not with all edits of the account.
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

    /// Those of an account's edits that have one of these names, in no order, without the deleted
    /// ones.
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
