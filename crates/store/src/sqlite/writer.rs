//! The writer: groups the commands of all callers into transactions.

use std::path::Path;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Instant;

use retouch_core::Clock;

use super::connection::CHECKPOINT_PAGES;
use super::{Log, connect};
use crate::queue::{self, Durability, Queue, Waiting, Work};
use crate::rows::{Rows, one, params};
use crate::transaction::{Books, Transaction, Trust};
use crate::{Error, Observer, Settings, observer};

/// How many batches of commands may wait for a sync that is under way to end. If there are more, the writer
/// waits, too.
const UNSYNCED_MAX: usize = 16;
/// After how many more pages to try again if they could not all be moved.
const RETRY_PAGES: i32 = 1_000;

/// Starts the writer: a thread with a connection of its own that takes commands from all callers
/// and runs those that are waiting in one transaction. Another thread syncs the log and answers, while
/// the writer runs the next ones. Beside a service, each commit is synced before others can see it.
pub(crate) fn start(
    settings: &Settings,
    path: &Path,
    clock: Arc<dyn Clock>,
) -> Result<(Queue, Arc<Log>), Error> {
    let (queue, waiting) = queue::new(settings);
    let mut connection = connect(settings, path)?;
    if settings.is_alone() {
        // What a crash left in the log may not be on disk.
        connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
        // Commits do not sync; nothing is moved into the database file that is not on disk in the log,
        // so what a power failure leaves is consistent.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
    }
    let log_pages = Arc::new(AtomicI32::new(0));
    let counted = Arc::clone(&log_pages);
    // In place of SQLite's own limit, which moves them before a commit is answered.
    connection.wal_hook(Some(move |_: &mut _, pages| {
        counted.store(pages, Ordering::Relaxed);
        Ok(())
    }))?;
    let log = Arc::new(Log::of(path, settings)?);
    let (unsynced, committed) = mpsc::sync_channel(UNSYNCED_MAX);
    let thread = Thread {
        rows: Rows::Sqlite(connection),
        books: Books::default(),
        books_max: settings.books_cached_max,
        clock,
        data_version: 0_i64,
        log: Arc::clone(&log),
        log_pages,
        shorten_at: CHECKPOINT_PAGES,
        unsynced,
        observer: Arc::clone(&settings.observer),
    };
    let syncer = {
        let log = Arc::clone(&log);
        spawn("store-syncer", move || sync_and_answer(&log, &committed))?
    };
    spawn("store-writer", move || thread.run(waiting, syncer))?;
    Ok((queue, log))
}

fn spawn(name: &'static str, run: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Error> {
    std::thread::Builder::new()
        .name(name.into())
        .spawn(run)
        .map_err(|error| Error::Database { message: format!("could not start a thread: {error}") })
}

/// Answers committed commands once they are on disk. Those that are committed during a sync share the
/// next one.
fn sync_and_answer(log: &Log, committed: &mpsc::Receiver<Vec<Box<dyn Work>>>) {
    while let Ok(mut works) = committed.recv() {
        works.extend(committed.try_iter().flatten());
        let synced = log.sync();
        works.into_iter().for_each(|work| work.answer(synced.clone()));
    }
}

struct Thread {
    rows: Rows,
    books: Books,
    books_max: usize,
    clock: Arc<dyn Clock>,
    data_version: i64,
    log: Arc<Log>,
    /// How many pages the log has.
    log_pages: Arc<AtomicI32>,
    /// With how many they are moved into the database file.
    shorten_at: i32,
    /// Where commands go that are answered once they are on disk.
    unsynced: mpsc::SyncSender<Vec<Box<dyn Work>>>,
    observer: Arc<dyn Observer>,
}

impl Thread {
    fn run(mut self, mut waiting: Waiting, syncer: JoinHandle<()>) {
        while let Some(batch) = waiting.next() {
            self.batch(batch);
            self.shorten_log();
        }
        drop(self.unsynced);
        let _ = syncer.join();
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let sound = self.log.check();
        let checkpoint = sound.and_then(|()| one(&self.rows, sql, params![], |_| Ok(())).map(drop));
        if checkpoint.is_ok() {
            // Close first, so that the files are at rest when the stop is reported.
            drop(self.rows);
        } else {
            // Closing would move what may be damaged into the database file. The next start finds out.
            Box::leak(Box::new(self.rows));
        }
        waiting.end(checkpoint);
    }

    /// Moves the log into the database file if it is long. The next transaction begins a new one, unless
    /// somebody is still reading an old state.
    fn shorten_log(&mut self) {
        let pages = self.log_pages.load(Ordering::Relaxed);
        if pages < CHECKPOINT_PAGES {
            self.shorten_at = CHECKPOINT_PAGES;
        }
        if pages < self.shorten_at || self.log.check().is_err() {
            return;
        }
        self.shorten_at = pages.saturating_add(RETRY_PAGES);
        let sql = "PRAGMA wal_checkpoint(PASSIVE)";
        if let Err(error) = one(&self.rows, sql, params![], |_| Ok(())) {
            tracing::error!(%error, "the write-ahead log could not be moved into the database");
            self.fail_if_of_the_disk(&error);
        }
    }

    /// Notes that SQLite could not write or sync: it does not report that again, and nobody else hears
    /// of a sync of the database file. A disk that is only full is another error (`SQLITE_FULL`).
    fn fail_if_of_the_disk(&self, fault: &Error) {
        // What SQLite says of `SQLITE_IOERR`: https://sqlite.org/rescode.html#ioerr
        if matches!(fault, Error::Database { message } if message.contains("disk I/O error")) {
            self.log.fail();
        }
    }

    /// Runs all commands in one transaction. If it fails, runs each in its own, so that only those
    /// at fault fail.
    fn batch(&mut self, mut batch: Vec<Box<dyn Work>>) {
        if batch.is_empty() {
            return;
        }
        // If even the lock cannot be acquired, trying each alone would only take longer.
        let begun = self.begin();
        let committed = begun.clone().and_then(|()| self.attempt(&mut batch));
        if begun.is_ok() && committed.is_err() && batch.len() > 1 {
            batch.into_iter().for_each(|work| self.single(work));
        } else {
            self.answer(batch, &committed);
        }
    }

    /// Answers commands, once they are on disk if they have to be and are not yet.
    fn answer(&self, batch: Vec<Box<dyn Work>>, committed: &Result<(), Error>) {
        let is_settled = committed.is_err() || self.log.is_settled();
        let (unsynced, done): (Vec<_>, Vec<_>) = batch
            .into_iter()
            .partition(|work| !is_settled && work.durability() == Durability::Synced);
        done.into_iter().for_each(|work| work.answer(committed.clone()));
        if !unsynced.is_empty() {
            let _ = self.unsynced.send(unsynced);
        }
    }

    fn single(&mut self, work: Box<dyn Work>) {
        let mut alone = [work];
        let committed = self.begin().and_then(|()| self.attempt(&mut alone));
        self.answer(alone.into(), &committed);
    }

    /// Acquires the lock. If another process has written in the meantime, the ledgers in memory are
    /// outdated.
    fn begin(&mut self) -> Result<(), Error> {
        self.log.check()?;
        self.rows.put("BEGIN IMMEDIATE", params![])?;
        let version = one(&self.rows, "PRAGMA data_version", params![], |row| row.get(0));
        let version = version.inspect_err(|_| self.undo_quietly())?.unwrap_or_default();
        if version != self.data_version {
            self.books.forget();
            self.data_version = version;
        }
        Ok(())
    }

    fn attempt(&mut self, batch: &mut [Box<dyn Work>]) -> Result<(), Error> {
        let began = Instant::now();
        let done = self.work_and_commit(batch);
        observer::tried(&*self.observer, batch.len(), began, &done);
        match &done {
            Ok(()) => self.books.written(self.books_max),
            Err(fault) => {
                tracing::warn!(%fault, commands = batch.len(), "a transaction was rolled back");
                self.undo_quietly();
                self.books.forget();
            }
        }
        done
    }

    /// How many rows this connection has changed.
    fn changes(&self) -> u64 {
        match &self.rows {
            Rows::Sqlite(connection) => connection.total_changes(),
            Rows::Postgres(_) => 0,
        }
    }

    fn work_and_commit(&mut self, batch: &mut [Box<dyn Work>]) -> Result<(), Error> {
        let changes = self.changes();
        let mut tx = Transaction::new(&self.rows, &mut self.books, &*self.clock, Trust::Nothing);
        for work in &mut *batch {
            work.run(&mut tx)?;
        }
        tx.save()?;
        // A commit without changes does not reach the log.
        if self.changes() == changes {
            self.rows.put("COMMIT", params![])?;
            // The answer may tell of a commit that a service is still syncing.
            return if self.log.is_alone() { Ok(()) } else { self.log.sync_all() };
        }
        let owed = self.log.begin(durability_of(batch));
        let committed = self.rows.put("COMMIT", params![]);
        match &committed {
            Ok(()) => self.log.commit(),
            Err(fault) => {
                self.fail_if_of_the_disk(fault);
                self.log.undo(owed);
            }
        }
        committed
    }

    /// After many errors, SQLite has already rolled back the transaction, so there is nothing to
    /// do.
    fn undo_quietly(&self) {
        if let Rows::Sqlite(connection) = &self.rows
            && !connection.is_autocommit()
        {
            let _ = connection.execute_batch("ROLLBACK");
        }
    }
}

/// A transaction is synced if any of its commands has to be.
fn durability_of(batch: &[Box<dyn Work>]) -> Durability {
    let is_synced = batch.iter().any(|work| work.durability() == Durability::Synced);
    if is_synced { Durability::Synced } else { Durability::Unsynced }
}
