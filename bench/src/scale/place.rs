//! Places where walks wait for one another: servers with a queue, tokens, a disk that syncs for
//! many at a time, and locks.

use std::collections::{HashMap, VecDeque};

/// The number of a walk.
pub(crate) type Walk = usize;

/// Servers with one queue, in order of arrival.
#[derive(Debug)]
pub(crate) struct Station {
    idle: usize,
    waiting: VecDeque<(Walk, u64)>,
    /// The total working time of its servers, in nanoseconds. Work counts in full when it begins.
    pub(crate) busy_ns: u64,
}

impl Station {
    /// A station with that many servers.
    pub(crate) fn new(servers: usize) -> Self {
        Self { idle: servers, waiting: VecDeque::new(), busy_ns: 0 }
    }

    /// Has a walk use a server for that many nanoseconds. Returns whether it begins immediately.
    pub(crate) fn enter(&mut self, walk: Walk, work_ns: u64) -> bool {
        if self.idle == 0 {
            self.waiting.push_back((walk, work_ns));
            return false;
        }
        self.idle -= 1;
        self.busy_ns += work_ns;
        true
    }

    /// A server is done with a walk. Returns the walk that begins now, and for how many
    /// nanoseconds.
    pub(crate) fn leave(&mut self) -> Option<(Walk, u64)> {
        let Some((walk, work_ns)) = self.waiting.pop_front() else {
            self.idle += 1;
            return None;
        };
        self.busy_ns += work_ns;
        Some((walk, work_ns))
    }
}

/// Tokens, each kept by a walk for as long as it wants: turns, connections, a provider's limit.
#[derive(Debug)]
pub(crate) struct Pool {
    free: usize,
    waiting: VecDeque<Walk>,
}

impl Pool {
    /// A pool with that many tokens.
    pub(crate) fn new(tokens: usize) -> Self {
        Self { free: tokens, waiting: VecDeque::new() }
    }

    /// Takes a token for the walk. Returns whether the walk gets it immediately.
    pub(crate) fn take(&mut self, walk: Walk) -> bool {
        if self.free == 0 {
            self.waiting.push_back(walk);
            return false;
        }
        self.free -= 1;
        true
    }

    /// Returns a token. Returns the walk that gets it.
    pub(crate) fn give(&mut self) -> Option<Walk> {
        let next = self.waiting.pop_front();
        self.free += usize::from(next.is_none());
        next
    }
}

/// A log, which a sync makes durable for all walks that wait when it begins. Walks that arrive
/// later wait for the next sync, as in PostgreSQL (`XLogFlush`).
#[derive(Debug, Default)]
pub(crate) struct Log {
    syncing: Vec<Walk>,
    waiting: Vec<Walk>,
    /// How many syncs have begun.
    pub(crate) syncs: u64,
}

impl Log {
    /// Adds a walk. Returns whether a sync begins, because none is running.
    pub(crate) fn enter(&mut self, walk: Walk) -> bool {
        if self.syncing.is_empty() {
            self.syncing.push(walk);
            self.syncs += 1;
            return true;
        }
        self.waiting.push(walk);
        false
    }

    /// A sync is done. Returns its walks, and whether the next sync begins.
    pub(crate) fn synced(&mut self) -> (Vec<Walk>, bool) {
        let done = std::mem::replace(&mut self.syncing, std::mem::take(&mut self.waiting));
        let begins = !self.syncing.is_empty();
        self.syncs += u64::from(begins);
        (done, begins)
    }
}

/// Locks on accounts, in order of arrival.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    /// The walks that wait for each locked account.
    held: HashMap<u32, VecDeque<Walk>>,
}

impl Locks {
    /// Takes the lock for the walk. Returns whether the walk gets it immediately.
    pub(crate) fn take(&mut self, account: u32, walk: Walk) -> bool {
        if let Some(waiting) = self.held.get_mut(&account) {
            waiting.push_back(walk);
            return false;
        }
        self.held.insert(account, VecDeque::new());
        true
    }

    /// Releases a lock. Returns the walk that gets it.
    pub(crate) fn give(&mut self, account: u32) -> Option<Walk> {
        let next = self.held.get_mut(&account)?.pop_front();
        if next.is_none() {
            self.held.remove(&account);
        }
        next
    }
}
