//! The provider's task for an open edit, which is recorded before waiting for it.

use retouch_core::{AccountId, EditId};

use crate::queue::Touches;
use crate::rows::params;
use crate::{Error, Store};

/// Which provider performs an edit now, and how to find its task there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRecord {
    /// The process that performs the edit. Any other process is too late.
    pub owner: String,
    /// The provider.
    pub provider: String,
    /// What is needed to fetch the result, as JSON.
    pub task: String,
}

impl Store {
    /// Records which provider performs an open edit and how to fetch the result, replacing an
    /// earlier record. Returns whether the edit was still open and owned by that process.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn record_task(
        &self,
        account: &AccountId,
        edit: &EditId,
        record: TaskRecord,
    ) -> Result<bool, Error> {
        let (account, edit) = (account.clone(), *edit);
        self.write(Touches::account(&account), move |tx| {
            let sql = "UPDATE edit SET provider = ?3, task = ?4
                       WHERE account_id = ?1 AND id = ?2 AND owner = ?5
                           AND status = 'processing'";
            let TaskRecord { owner, provider, task } = &record;
            let values = params![account.as_str(), edit.to_string(), provider, task, owner];
            Ok(tx.rows().execute(sql, values)? == 1)
        })
        .await
    }
}
