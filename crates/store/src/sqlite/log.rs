//! The write-ahead log, and how much of it is on disk.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::Error;
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
    /// Whether a sync has failed although transactions had been answered that it should have covered.
    /// Then they may be lost, and a later sync would succeed without them.
    is_broken: AtomicBool,
}

impl Log {
    /// The log of the database at `path`, which exists.
    ///
    /// # Errors
    /// [`Error::Database`] if the path cannot be resolved.
    pub(crate) fn of(path: &Path) -> Result<Self, Error> {
        // SQLite puts the log beside the file that a link leads to.
        let real = path.canonicalize().map_err(|error| Error::Database {
            message: format!("the path of the database cannot be resolved: {error}"),
        })?;
        let mut name = real.into_os_string();
        name.push("-wal");
        Ok(Self {
            file: SharedSync::new(Path::new(&name)),
            unsynced: AtomicU64::new(0),
            synced: AtomicU64::new(0),
            is_broken: AtomicBool::new(false),
        })
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
            match self.file.sync() {
                // SQLite removes the log after moving it into the database file.
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    self.failed();
                    return Err(error);
                }
                _ => self.reached(answered),
            }
        }
        Ok(())
    }

    /// Notes that a sync has failed.
    pub(super) fn failed(&self) {
        if !self.is_synced() {
            self.is_broken.store(true, Ordering::Release);
        }
    }

    /// Refuses to go on if it is unknown what of the answered transactions is on disk.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.is_broken.load(Ordering::Acquire) {
            let message = "a sync of the write-ahead log failed; restart the service".into();
            return Err(Error::Database { message });
        }
        Ok(())
    }

    fn reached(&self, number: u64) {
        self.synced.fetch_max(number, Ordering::AcqRel);
    }
}
