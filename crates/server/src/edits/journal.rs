//! Records attempts in their edit before anyone waits for them.

use async_trait::async_trait;
use bytes::Bytes;
use retouch_providers::{Journal, Task};
use retouch_store::TaskRecord;
use tokio::sync::watch;

use super::run::EditRun;

/// Records the attempts at an edit in its record.
pub(super) struct RecordJournal<'a> {
    pub(super) run: &'a EditRun,
}

#[async_trait]
impl Journal for RecordJournal<'_> {
    async fn record(&self, task: &Task) -> Result<(), String> {
        let text = serde_json::to_string(task).map_err(|error| error.to_string())?;
        let EditRun { app, account, id, owner, .. } = self.run;
        let (owner, provider) = (owner.clone(), task.provider.clone());
        let record = TaskRecord { owner, provider, task: text };
        let recorded = app.store.record_task(account, id, record).await;
        if recorded.map_err(|error| error.to_string())? {
            return Ok(());
        }
        Err("the edit has ended, or another process has taken it over".into())
    }

    fn arrived(&self, file: &Bytes) {
        self.run.arrived(file);
    }
}

/// The recorded progress of background work. It decides whether another process may continue
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Nothing has been sent that could be lost.
    NotSent,
    /// The work is being sent to a provider; only its response will show what happened.
    Sent,
    /// The provider has named the work, so any process can ask for its result.
    Named,
}

impl Progress {
    /// Whether another process can take over now without losing anything.
    pub(super) fn can_be_handed_over(self) -> bool {
        self != Self::Sent
    }
}

/// Records the attempts at background work, and announces its progress.
pub(super) struct ProgressJournal<'a> {
    pub(super) record: RecordJournal<'a>,
    pub(super) progress: &'a watch::Sender<Progress>,
}

#[async_trait]
impl Journal for ProgressJournal<'_> {
    async fn record(&self, task: &Task) -> Result<(), String> {
        // During the write, it is uncertain what another process would find.
        self.progress.send_replace(Progress::Sent);
        self.record.record(task).await?;
        if task.ticket.is_some() {
            self.progress.send_replace(Progress::Named);
        }
        Ok(())
    }

    fn arrived(&self, file: &Bytes) {
        self.record.arrived(file);
    }
}
