//! Syncing a file or a folder once for many writers.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, PoisonError};

/// Makes the content of a file, or the names in a folder, durable for many callers: those that arrive
/// during a sync share the next one.
#[derive(Debug)]
pub(crate) struct SharedSync {
    what: Synced,
    turns: Mutex<Turns>,
    turned: Condvar,
}

/// What is synced.
#[derive(Debug)]
pub(crate) enum Synced {
    /// The names in the folder that is at this path at the time of a sync.
    Folder(PathBuf),
    /// The content of a file. It stays open, because a descriptor that is opened after a failed write
    /// does not report that failure if another one already has.
    File(File),
}

#[derive(Debug, Default)]
struct Turns {
    /// How many syncs have begun.
    begun: u64,
    /// How many syncs have ended, and the latest one that failed.
    ended: u64,
    failed: Option<(u64, io::ErrorKind)>,
}

impl SharedSync {
    pub(crate) fn of(what: Synced) -> Self {
        Self { what, turns: Mutex::default(), turned: Condvar::new() }
    }

    fn sync_now(&self) -> io::Result<()> {
        match &self.what {
            // Names may count as metadata.
            Synced::Folder(path) => File::open(path)?.sync_all(),
            Synced::File(file) => file.sync_data(),
        }
    }

    /// Returns when a sync that began after this call has ended.
    pub(crate) fn sync(&self) -> io::Result<()> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = turns.begun + 1;
        while turns.ended < mine {
            if turns.begun == turns.ended {
                turns.begun += 1;
                let turn = turns.begun;
                drop(turns);
                let done = self.sync_now();
                turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
                turns.ended = turn;
                if let Err(error) = done {
                    turns.failed = Some((turn, error.kind()));
                }
                self.turned.notify_all();
            } else {
                turns = self.turned.wait(turns).unwrap_or_else(PoisonError::into_inner);
            }
        }
        match turns.failed {
            Some((turn, kind)) if turn >= mine => Err(kind.into()),
            _ => Ok(()),
        }
    }

    /// Like [`Self::sync`], but fails from the first failure on: a later sync succeeds without what
    /// that one should have covered.
    pub(crate) fn sync_if_sound(&self) -> io::Result<()> {
        self.sync()?;
        let turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.failed.map_or(Ok(()), |(_, kind)| Err(kind.into()))
    }
}
