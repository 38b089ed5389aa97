//! What the owner of an edit may change about it: its name, and whether it is starred.

use retouch_core::{AccountId, EditId, KeyId};

use super::EditRecord;
use super::read::seen;
use crate::queue::Touches;
use crate::rows::params;
use crate::transaction::Transaction;
use crate::{Error, Store};

/// A change of some edits. By default, of none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditChange {
    /// Which edits to change.
    pub edits: Vec<EditId>,
    /// The new name; `Some(None)` removes it.
    pub name: Option<Option<String>>,
    /// Whether they are starred from now on.
    pub is_starred: Option<bool>,
}

impl Store {
    /// Changes an account's edits, all in one transaction. Skips ids that name none of them, edits
    /// that are deleted, and those that were made with another key than `made_by`. Returns the
    /// others, changed.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn change_edits(
        &self,
        account: &AccountId,
        made_by: Option<&KeyId>,
        change: EditChange,
    ) -> Result<Vec<EditRecord>, Error> {
        let (account, made_by) = (account.clone(), made_by.cloned());
        self.write(Touches::account(&account), move |tx| {
            let mut changed = Vec::new();
            for edit in &change.edits {
                if let Some(record) = seen(tx.rows(), &account, made_by.as_ref(), *edit)? {
                    changed.push(apply(tx, record, &change)?);
                }
            }
            Ok(changed)
        })
        .await
    }
}

fn apply(
    tx: &Transaction<'_>,
    record: EditRecord,
    change: &EditChange,
) -> Result<EditRecord, Error> {
    let changed = EditRecord {
        name: change.name.clone().unwrap_or_else(|| record.name.clone()),
        is_starred: change.is_starred.unwrap_or(record.is_starred),
        ..record
    };
    let sql = "UPDATE edit SET name = ?3, starred = ?4 WHERE account_id = ?1 AND id = ?2";
    let id = changed.id.to_string();
    let values = params![changed.account.as_str(), id, changed.name, changed.is_starred];
    tx.rows().execute(sql, values)?;
    Ok(changed)
}
