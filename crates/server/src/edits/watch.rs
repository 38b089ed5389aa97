//! Callers who watch an edit until it ends, over a stream of events. Each stream is told when its
//! edit ends: immediately if this process has ended it, and otherwise by a regular look at the store,
//! which costs the same for one stream and for a hundred.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retouch_core::{AccountId, EditId};
use tokio_util::sync::CancellationToken;

use crate::app::App;

/// The streams of this process. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Watchers(Arc<Mutex<HashMap<Key, Watched>>>);

/// An edit and its account. An ID alone would let another account interfere.
type Key = (AccountId, EditId);

/// An edit that is being watched.
#[derive(Debug)]
struct Watched {
    streams: usize,
    /// Canceled when the edit has ended.
    ended: CancellationToken,
}

/// One stream. Dropping it frees its place.
#[derive(Debug)]
pub struct EventStream {
    all: Watchers,
    edit: Key,
    ended: CancellationToken,
}

/// Which limit on streams has been reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamsFull {
    /// The limit of the account.
    Account,
    /// The limit of all accounts together.
    All,
}

impl Watchers {
    /// Adds a stream for the edit `id` of `account`. Read the edit after this, because its end is
    /// reported only from here on.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn watch(
        &self,
        app: &App,
        account: &AccountId,
        id: EditId,
    ) -> Result<EventStream, StreamsFull> {
        let limits = &app.settings.server.connections;
        let mut all = self.lock();
        let streams = |own: bool| -> usize {
            let counted = all.iter().filter(|((one, _), _)| !own || one == account);
            counted.map(|(_, watched)| watched.streams).sum()
        };
        if streams(true) >= limits.event_streams_per_account_max {
            return Err(StreamsFull::Account);
        }
        if streams(false) >= limits.event_streams_max {
            return Err(StreamsFull::All);
        }
        let edit = (account.clone(), id);
        let new = || Watched { streams: 0, ended: CancellationToken::new() };
        let watched = all.entry(edit.clone()).or_insert_with(new);
        watched.streams += 1;
        Ok(EventStream { all: self.clone(), edit, ended: watched.ended.clone() })
    }

    /// Reports that an edit has ended.
    pub(super) fn ended(&self, edit: &Key) {
        if let Some(watched) = self.lock().get(edit) {
            watched.ended.cancel();
        }
    }

    /// The watched edits that have not been reported as ended.
    fn open(&self) -> Vec<Key> {
        let all = self.lock();
        let open = all.iter().filter(|(_, watched)| !watched.ended.is_cancelled());
        open.map(|(edit, _)| edit.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Watched>> {
        // A panic elsewhere cannot leave a count half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventStream {
    /// Completes when the edit has ended.
    pub async fn ended(&self) {
        self.ended.cancelled().await;
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        let mut all = self.all.lock();
        let Some(watched) = all.get_mut(&self.edit) else { return };
        watched.streams -= 1;
        if watched.streams == 0 {
            all.remove(&self.edit);
        }
    }
}

/// Reports the watched edits that another process has ended.
///
/// # Errors
/// If the store cannot be read.
pub async fn notice_ended(app: &App) -> Result<(), retouch_store::Error> {
    let watched = app.watchers.open();
    if watched.is_empty() {
        return Ok(());
    }
    let accounts: HashSet<AccountId> = watched.iter().map(|(account, _)| account.clone()).collect();
    let open = app.store.list_open_of(accounts.into_iter().collect()).await?;
    for edit in watched.iter().filter(|(_, id)| !open.contains(id)) {
        app.watchers.ended(edit);
    }
    Ok(())
}
