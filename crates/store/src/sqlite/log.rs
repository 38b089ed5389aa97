//! The write-ahead log, and how much of it is on disk.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::queue::Durability;
use crate::shared_sync::SharedSync;

/// The write-ahead log of a database. The writer says what it commits, and others may sync what is
/// not on disk yet, without waiting for the writer.
#[derive(Debug)]
pub(crate) struct Log {
    file: SharedSync,
    /// How many transactions were committed without a sync, and how many of them have been synced.
    unsynced: AtomicU64,
    synced: AtomicU64,
}

impl Log {
    /// The log of the database at `path`.
    pub(crate) fn of(path: &Path) -> Self {
        let mut name = path.as_os_str().to_owned();
        name.push("-wal");
        let (unsynced, synced) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { file: SharedSync::new(Path::new(&name)), unsynced, synced }
    }

    /// Notes that a transaction was committed. The writer calls this before it answers.
    pub(crate) fn committed(&self, durability: Durability) {
        match durability {
            Durability::Unsynced => drop(self.unsynced.fetch_add(1, Ordering::AcqRel)),
            // Only the writer commits, so nothing was committed since.
            Durability::Synced => self.reached(self.unsynced.load(Ordering::Acquire)),
        }
    }

    /// Whether all transactions that were answered are on disk.
    pub(crate) fn is_synced(&self) -> bool {
        self.synced.load(Ordering::Acquire) >= self.unsynced.load(Ordering::Acquire)
    }

    /// Waits until all transactions that were answered are on disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        let answered = self.unsynced.load(Ordering::Acquire);
        if self.synced.load(Ordering::Acquire) < answered {
            self.file.sync()?;
            self.reached(answered);
        }
        Ok(())
    }

    fn reached(&self, number: u64) {
        self.synced.fetch_max(number, Ordering::AcqRel);
    }
}
