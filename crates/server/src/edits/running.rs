//! The edits that this process is working on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use retouch_core::{AccountId, EditId, Kind};
use tokio_util::sync::CancellationToken;

/// The set of running edits. Sweeps skip them, their leases are renewed, and the background work
/// among them is counted.
#[derive(Clone, Debug, Default)]
pub struct Running(Arc<Mutex<HashMap<EditId, Entry>>>);

/// An edit's membership in the set. Dropping this removes it.
#[derive(Debug)]
pub struct RunningEdit {
    set: Running,
    id: EditId,
    /// Cancelled when another process has taken it over.
    lost: CancellationToken,
    /// Cancelled when this process no longer works on it.
    stopped: CancellationToken,
    is_left: bool,
}

/// How many videos, or images, may be made in the background at the same time.
#[derive(Clone, Copy, Debug)]
pub struct BackgroundLimits {
    /// For one account.
    pub per_account_max: usize,
    /// For all accounts.
    pub all_max: usize,
}

impl BackgroundLimits {
    /// No limit.
    pub const UNLIMITED: Self = Self { per_account_max: usize::MAX, all_max: usize::MAX };
}

/// Which limit on background work has been reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackgroundFull {
    /// The account's limit on work of this kind.
    Account(Kind),
    /// The limit of all accounts together.
    All,
}

#[derive(Clone, Debug)]
struct Entry {
    account: AccountId,
    /// What it makes, if it is counted as background work.
    background: Option<Kind>,
    /// Whether it has a record, so that another process may take it over.
    is_open: bool,
    /// Cancelled when another process has taken it over.
    lost: CancellationToken,
    /// Cancelled when this process no longer works on it.
    stopped: CancellationToken,
}

impl Running {
    /// Counts the new edit `id` among the running edits until the guard is dropped.
    pub fn begin(&self, account: &AccountId, id: EditId) -> RunningEdit {
        self.add(&mut self.lock(), account, id)
    }

    /// Counts `id` among the running edits until the guard is dropped; none if this process is
    /// already working on it.
    pub fn begin_once(&self, account: &AccountId, id: EditId) -> Option<RunningEdit> {
        let mut all = self.lock();
        if all.contains_key(&id) { None } else { Some(self.add(&mut all, account, id)) }
    }

    fn add(
        &self,
        all: &mut HashMap<EditId, Entry>,
        account: &AccountId,
        id: EditId,
    ) -> RunningEdit {
        let (lost, stopped) = (CancellationToken::new(), CancellationToken::new());
        let entry = Entry {
            account: account.clone(),
            background: None,
            is_open: false,
            lost: lost.clone(),
            stopped: stopped.clone(),
        };
        all.insert(id, entry);
        RunningEdit { set: self.clone(), id, lost, stopped, is_left: false }
    }

    /// Whether this process is working on `id`.
    pub fn contains(&self, id: &EditId) -> bool {
        self.lock().contains_key(id)
    }

    /// The number of running edits.
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    /// The running edits that have a record.
    pub fn list_open(&self) -> Vec<EditId> {
        let all = self.lock();
        all.iter().filter(|(_, entry)| entry.is_open).map(|(id, _)| *id).collect()
    }

    /// Signals that another process has taken over `id`, or that it has ended.
    pub fn lose(&self, id: &EditId) {
        if let Some(entry) = self.lock().get(id) {
            entry.lost.cancel();
        }
    }

    /// Signals the same, and waits until this process no longer works on `id`.
    pub async fn stop(&self, id: &EditId) {
        let entry = self.lock().get(id).cloned();
        if let Some(entry) = entry {
            entry.lost.cancel();
            entry.stopped.cancelled().await;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<EditId, Entry>> {
        // A panic elsewhere cannot leave the map inconsistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunningEdit {
    /// Notes that the edit has a record, so that another process may take it over.
    pub fn opened(&self) {
        if let Some(entry) = self.set.lock().get_mut(&self.id) {
            entry.is_open = true;
        }
    }

    /// Cancelled when another process has taken over the edit.
    pub fn lost(&self) -> &CancellationToken {
        &self.lost
    }

    /// Counts the edit, which makes `kind`, as background work, if there is room for one more.
    /// Videos and images are counted separately.
    ///
    /// # Errors
    /// If a limit is reached; the edit stays in the set but is not counted.
    pub fn count_in_background(
        &self,
        kind: Kind,
        limits: BackgroundLimits,
    ) -> Result<(), BackgroundFull> {
        let mut all = self.set.lock();
        let Some(entry) = all.get(&self.id).cloned() else { return Ok(()) };
        let is_video = kind == Kind::Video;
        let counts =
            |one: &&Entry| one.background.is_some_and(|it| (it == Kind::Video) == is_video);
        let of_account = |one: &&Entry| one.account == entry.account;
        if all.values().filter(counts).filter(of_account).count() >= limits.per_account_max {
            return Err(BackgroundFull::Account(kind));
        }
        if all.values().filter(counts).count() >= limits.all_max {
            return Err(BackgroundFull::All);
        }
        all.insert(self.id, Entry { background: Some(kind), ..entry });
        Ok(())
    }

    /// Leaves the edit to the next process. It stays in this set, so that sweeps of this process do
    /// not settle it.
    pub fn leave(mut self) {
        self.is_left = true;
    }
}

impl Drop for RunningEdit {
    fn drop(&mut self) {
        if !self.is_left {
            self.set.lock().remove(&self.id);
        }
        self.stopped.cancel();
    }
}
