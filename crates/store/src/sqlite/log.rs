//! The write-ahead log, and how much of it is on disk.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tokio::sync::watch;

use crate::Error;
use crate::queue::Durability;
use crate::shared_sync::SharedSync;

/// The write-ahead log of a database. The writer says what it commits, and others sync what is not on
/// disk yet, without stopping the writer. Transactions are numbered from 1.
#[derive(Debug)]
pub(crate) struct Log {
    file: SharedSync,
    /// The latest transaction that is committed.
    committed: AtomicU64,
    /// The latest one that has to reach the disk before anybody hears of it. It may be about to be
    /// committed.
    owed: AtomicU64,
    /// The latest one that is on disk.
    synced: watch::Sender<u64>,
    /// Whether a sync has failed. Then what it should have covered may be lost, and a later sync would
    /// succeed without it.
    is_broken: AtomicBool,
}

impl Log {
    /// The log of the database at `path`, to which a connection is open.
    ///
    /// # Errors
    /// [`Error::Database`] if it cannot be opened.
    pub(crate) fn of(path: &Path) -> Result<Self, Error> {
        // SQLite puts the log beside the file that a link leads to.
        let opened = path.canonicalize().and_then(|real| {
            let mut name = real.into_os_string();
            name.push("-wal");
            SharedSync::of(File::open(name)?)
        });
        let file = opened.map_err(|error| Error::Database {
            message: format!("the write-ahead log cannot be opened: {error}"),
        })?;
        Ok(Self {
            file,
            committed: AtomicU64::new(0),
            owed: AtomicU64::new(0),
            synced: watch::Sender::new(0),
            is_broken: AtomicBool::new(false),
        })
    }

    /// Notes that the writer, which is alone, is about to commit. Readers must not see a transaction
    /// before they can know that it has to reach the disk.
    pub(super) fn begin(&self, durability: Durability) {
        if durability == Durability::Synced {
            self.owed.store(self.committed.load(Ordering::Acquire) + 1, Ordering::Release);
        }
    }

    /// Notes that the transaction that was begun is committed. The writer calls this before it answers.
    pub(super) fn commit(&self) {
        self.committed.fetch_add(1, Ordering::AcqRel);
    }

    /// Notes that a transaction is undone, perhaps one that was begun.
    pub(super) fn undo(&self) {
        self.owed.fetch_min(self.committed.load(Ordering::Acquire), Ordering::AcqRel);
        self.synced.send_modify(|_| ());
    }

    /// Whether everything that was committed is on disk.
    pub(crate) fn is_synced(&self) -> bool {
        *self.synced.borrow() >= self.committed.load(Ordering::Acquire)
    }

    /// Whether everything is on disk that has to be.
    pub(super) fn is_settled(&self) -> bool {
        *self.synced.borrow() >= self.owed.load(Ordering::Acquire)
    }

    /// Waits until everything is on disk that has to be by now. Whoever syncs it does not wait for this.
    pub(crate) async fn settled(&self) -> Result<(), Error> {
        let owed = self.owed.load(Ordering::Acquire);
        if *self.synced.borrow() < owed {
            // What is undone is not waited for.
            let reached = |synced: &u64| *synced >= owed.min(self.owed.load(Ordering::Acquire));
            let over = |synced: &u64| reached(synced) || self.is_broken.load(Ordering::Acquire);
            let synced =
                *self.synced.subscribe().wait_for(over).await.map_err(|_| Error::Closed)?;
            return if reached(&synced) { Ok(()) } else { Err(broken()) };
        }
        Ok(())
    }

    /// Waits until everything that is committed by now is on disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        let committed = self.committed.load(Ordering::Acquire);
        if *self.synced.borrow() < committed {
            let done = self.file.sync_if_sound();
            match &done {
                Ok(()) => self.synced.send_modify(|synced| *synced = committed.max(*synced)),
                Err(_) => self.break_off(),
            }
            return done;
        }
        Ok(())
    }

    /// Notes that SQLite could not write or sync.
    pub(super) fn failed(&self) {
        if !self.is_synced() {
            self.break_off();
        }
    }

    fn break_off(&self) {
        self.is_broken.store(true, Ordering::Release);
        // Whoever waits for the disk learns of it.
        self.synced.send_modify(|_| ());
    }

    /// Refuses to go on if it is unknown what of the answered transactions is on disk.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.is_broken.load(Ordering::Acquire) { Err(broken()) } else { Ok(()) }
    }
}

fn broken() -> Error {
    let message = "a sync of the write-ahead log failed; restart the service".into();
    Error::Database { message }
}
