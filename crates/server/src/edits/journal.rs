//! Attempts, written into the record of their edit before anybody waits for them.

use async_trait::async_trait;
use retouch_providers::{Journal, Task};
use retouch_store::TaskRecord;
use tokio::sync::watch;

use super::Held;
use crate::app::App;

/// How far the work on an edit has come, as far as it is written down. It decides whether another
/// process may go on with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Nobody has been sent anything, as far as that matters.
    NotSent,
    /// Somebody is being sent the work: only the answer will tell what came of it.
    Sent,
    /// The provider has named the work: anybody can ask for its result.
    Named,
}

impl Progress {
    /// Whether another process loses nothing when it takes over now.
    pub(super) fn can_be_handed_over(self) -> bool {
        self != Self::Sent
    }
}

/// Writes into the record of an edit.
pub(super) struct StoreJournal<'a> {
    pub(super) app: &'a App,
    pub(super) held: &'a Held,
    pub(super) progress: &'a watch::Sender<Progress>,
}

#[async_trait]
impl Journal for StoreJournal<'_> {
    async fn record(&self, task: &Task) -> Result<(), String> {
        let text = serde_json::to_string(task).map_err(|error| error.to_string())?;
        let Held { account, id, owner, .. } = self.held;
        let (owner, provider) = (owner.clone(), task.provider.clone());
        let record = TaskRecord { owner, provider, task: text };
        // While it is being written, nobody knows what the next process would find.
        self.progress.send_replace(Progress::Sent);
        let recorded = self.app.store.record_task(account, id, record).await;
        if !recorded.map_err(|error| error.to_string())? {
            return Err("the edit has ended, or another process has taken it over".into());
        }
        if task.ticket.is_some() {
            self.progress.send_replace(Progress::Named);
        }
        Ok(())
    }
}
