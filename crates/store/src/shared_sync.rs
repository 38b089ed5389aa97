//! Syncing a file or a folder once for many writers.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};

/// Makes the content of a file, or the names in a folder, durable for many callers: those that arrive
/// during a sync share the next one.
#[derive(Debug)]
pub(crate) struct SharedSync {
    path: PathBuf,
    turns: Mutex<Turns>,
    turned: Condvar,
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
    /// Syncs what is at this path at the time of a sync.
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), turns: Mutex::default(), turned: Condvar::new() }
    }

    fn sync_now(&self) -> io::Result<()> {
        let file = File::open(&self.path)?;
        // The names in a folder may count as metadata.
        if file.metadata()?.is_dir() { file.sync_all() } else { file.sync_data() }
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
}
