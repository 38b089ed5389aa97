//! The write-ahead log, and how much of it is on disk.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use tokio::sync::watch;

use crate::queue::Durability;
use crate::shared_sync::{SharedSync, Synced};
use crate::{Error, Observer, Settings};

/// The write-ahead log of a database. The writer says what it commits, and others sync what is not on
/// disk yet, without stopping the writer. Transactions are numbered from 1.
#[derive(Debug)]
pub(crate) struct Log {
    file: SharedSync,
    /// Whether commits leave the sync to the syncer. Beside a service, they sync.
    is_alone: bool,
    observer: Arc<dyn Observer>,
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
    /// The log of the database at `path`, to which a connection is open. What it holds already is on
    /// disk when this returns.
    ///
    /// # Errors
    /// [`Error::Database`] if it cannot be opened or synced.
    pub(crate) fn of(path: &Path, settings: &Settings) -> Result<Self, Error> {
        // SQLite puts the log beside the file that a link leads to.
        let opened = path.canonicalize().and_then(|real| {
            let mut name = real.into_os_string();
            name.push("-wal");
            let file = SharedSync::of(Synced::File(File::open(name)?));
            file.sync()?;
            Ok(file)
        });
        let file = opened.map_err(|error| Error::Database {
            message: format!("the write-ahead log cannot be opened and synced: {error}"),
        })?;
        Ok(Self {
            file,
            is_alone: settings.is_alone(),
            observer: Arc::clone(&settings.observer),
            committed: AtomicU64::new(0),
            owed: AtomicU64::new(0),
            synced: watch::Sender::new(0),
            is_broken: AtomicBool::new(false),
        })
    }

    /// The writer calls this before it commits, so that nobody can find the transaction without
    /// knowing that it has to reach the disk. Returns what was owed before.
    pub(super) fn begin(&self, durability: Durability) -> u64 {
        let before = self.owed.load(Ordering::Acquire);
        if durability == Durability::Synced {
            self.owed.store(self.committed.load(Ordering::Acquire) + 1, Ordering::Release);
        }
        before
    }

    /// The writer calls this after it has committed, before it answers.
    pub(super) fn commit(&self) {
        let number = self.committed.fetch_add(1, Ordering::AcqRel) + 1;
        if !self.is_alone {
            self.synced.send_replace(number);
        }
    }

    /// The writer calls this after a commit that failed, with what was owed before it.
    pub(super) fn undo(&self, owed: u64) {
        self.owed.store(owed, Ordering::Release);
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

    /// Waits until everything is on disk that has to be by now. Only for readers: the threads that write
    /// and sync would wait for themselves.
    pub(crate) async fn settled(self: &Arc<Self>) -> Result<(), Error> {
        self.check()?;
        if !self.is_alone {
            // What was found may be a commit that a service is still syncing.
            let log = Arc::clone(self);
            let syncing = tokio::task::spawn_blocking(move || log.sync_all());
            return syncing.await.map_err(|_| Error::Panicked)?;
        }
        let owed = self.owed.load(Ordering::Acquire);
        if *self.synced.borrow() >= owed {
            return Ok(());
        }
        // What is undone is not waited for.
        let reached = |synced: &u64| *synced >= owed.min(self.owed.load(Ordering::Acquire));
        let over = |synced: &u64| reached(synced) || self.is_broken.load(Ordering::Acquire);
        self.synced.subscribe().wait_for(over).await.map_err(|_| Error::Closed)?;
        self.check()
    }

    /// Waits until everything that is committed by now is on disk.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        let committed = self.committed.load(Ordering::Acquire);
        if *self.synced.borrow() < committed {
            self.sync_all()?;
            self.synced.send_modify(|synced| *synced = committed.max(*synced));
        }
        self.check()
    }

    /// Syncs what the log holds, whoever has written it.
    pub(super) fn sync_all(&self) -> Result<(), Error> {
        let began = Instant::now();
        if let Err(error) = self.file.sync_if_sound() {
            tracing::error!(%error, "the write-ahead log could not be synced");
            self.fail();
        }
        self.observer.synced(began.elapsed());
        self.check()
    }

    /// Notes that it is unknown what is on disk.
    pub(super) fn fail(&self) {
        self.is_broken.store(true, Ordering::Release);
        // Whoever waits for the disk learns of it.
        self.synced.send_modify(|_| ());
    }

    /// Whether commits leave the sync to the syncer.
    pub(super) const fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// Refuses to go on if it is unknown what is on disk.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.is_broken.load(Ordering::Acquire) {
            let message = "a sync of the write-ahead log failed; restart the service".into();
            return Err(Error::Database { message });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use futures_util::FutureExt;

    use super::Log;
    use crate::Settings;
    use crate::queue::Durability;

    #[test]
    fn readers_wait_for_what_is_owed_and_for_nothing_that_was_undone() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("rows.db");
        fs::write(&database, "").unwrap();
        fs::write(folder.path().join("rows.db-wal"), "").unwrap();
        let settings = Settings::new(&database, folder.path());
        let log = Arc::new(Log::of(&database, &settings).unwrap());
        let is_told = || log.settled().now_or_never().is_some_and(|done| done.is_ok());
        log.begin(Durability::Unsynced);
        log.commit();
        assert!(is_told() && !log.is_synced());
        let before = log.begin(Durability::Synced);
        assert!(!is_told(), "it may be found already");
        log.undo(before);
        assert!(is_told());
        log.begin(Durability::Synced);
        log.commit();
        assert!(!is_told() && !log.is_settled());
        log.sync().unwrap();
        assert!(is_told() && log.is_settled() && log.is_synced());
        log.fail();
        assert!(!is_told() && log.sync().is_err());
    }
}
