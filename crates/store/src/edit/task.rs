//! What is known of the work on an open edit elsewhere: written before anybody waits for it.

use retouch_core::{AccountId, EditId};

use crate::rows::params;
use crate::work::Touches;
use crate::{Error, Store};

/// Who performs an edit now, and what names the work there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRecord {
    /// Names the process that is at the edit; what any other one has to say of it comes too late.
    pub owner: String,
    /// Who performs it.
    pub provider: String,
    /// What asking for the result needs, as JSON.
    pub task: String,
}

impl Store {
    /// Records who performs an open edit and how to ask for the result, in place of what was
    /// recorded before; answers whether the edit was still open and that process's.
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
        self.write(Touches::account(&account), move |unit| {
            let sql = "UPDATE edit SET provider = ?3, task = ?4
                       WHERE account_id = ?1 AND id = ?2 AND owner = ?5
                           AND status = 'processing'";
            let TaskRecord { owner, provider, task } = &record;
            let values = params![account.as_str(), edit.to_string(), provider, task, owner];
            Ok(unit.rows().execute(sql, values)? == 1)
        })
        .await
    }
}
