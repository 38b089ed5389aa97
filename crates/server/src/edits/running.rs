//! The edits that this process is working on at this moment.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use retouch_core::{AccountId, EditId};

/// The set of running edits. It keeps sweeps away from them and their leases fresh.
#[derive(Clone, Debug, Default)]
pub struct Running(Arc<Mutex<HashMap<EditId, AccountId>>>);

/// An edit's membership in the set, which ends when this is dropped.
#[derive(Debug)]
pub struct RunningEdit {
    set: Running,
    id: EditId,
}

impl Running {
    /// Counts `id` among the running edits until the guard is dropped.
    pub fn begin(&self, account: &AccountId, id: EditId) -> RunningEdit {
        self.lock().insert(id, account.clone());
        RunningEdit { set: self.clone(), id }
    }

    /// Whether this process works on `id`.
    pub fn contains(&self, id: &EditId) -> bool {
        self.lock().contains_key(id)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    /// All running edits and whose they are.
    pub fn list(&self) -> Vec<(AccountId, EditId)> {
        self.lock().iter().map(|(id, account)| (account.clone(), *id)).collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<EditId, AccountId>> {
        // A panic elsewhere cannot leave a map of ids half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunningEdit {
    fn drop(&mut self) {
        self.set.lock().remove(&self.id);
    }
}
