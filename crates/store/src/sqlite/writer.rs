//! The writer: groups the commands of all callers into durable transactions.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use retouch_core::Clock;

use super::{Log, connect};
use crate::queue::{self, Durability, Queue, Waiting, Work};
use crate::rows::{Rows, one, params};
use crate::transaction::{Books, Transaction, Trust};
use crate::{Error, Observer, Settings, observer};

/// Starts the writer: a thread with a connection of its own that takes commands from all callers
/// and runs those that are waiting in one durable transaction.
pub(crate) fn start(
    settings: &Settings,
    (path, log): (&Path, &Arc<Log>),
    clock: Arc<dyn Clock>,
) -> Result<Queue, Error> {
    let (queue, waiting) = queue::new(settings);
    let thread = Thread {
        rows: Rows::Sqlite(connect(settings, path)?),
        books: Books::default(),
        books_max: settings.books_cached_max,
        clock,
        data_version: 0_i64,
        durability: Durability::Synced,
        log: Arc::clone(log),
        observer: Arc::clone(&settings.observer),
    };
    std::thread::Builder::new()
        .name("store-writer".into())
        .spawn(move || thread.run(waiting))
        .map_err(|error| Error::Database {
            message: format!("could not start a thread: {error}"),
        })?;
    Ok(queue)
}

struct Thread {
    rows: Rows,
    books: Books,
    books_max: usize,
    clock: Arc<dyn Clock>,
    data_version: i64,
    /// How the connection commits now.
    durability: Durability,
    log: Arc<Log>,
    observer: Arc<dyn Observer>,
}

impl Thread {
    fn run(mut self, mut waiting: Waiting) {
        while let Some(batch) = waiting.next() {
            self.batch(batch);
        }
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let checkpoint = one(&self.rows, sql, params![], |_| Ok(())).map(drop);
        // Close first, so that the files are at rest when the stop is reported.
        drop(self.rows);
        waiting.end(checkpoint);
    }

    /// Runs all commands in one transaction. If it fails, runs each in its own, so that only those
    /// at fault fail.
    fn batch(&mut self, mut batch: Vec<Box<dyn Work>>) {
        if batch.is_empty() {
            return;
        }
        // If even the lock cannot be acquired, trying each alone would only take longer.
        let begun = self.begin(&batch);
        let committed = begun.clone().and_then(|()| self.attempt(&mut batch));
        if begun.is_ok() && committed.is_err() && batch.len() > 1 {
            batch.into_iter().for_each(|work| self.single(work));
        } else {
            batch.into_iter().for_each(|work| work.answer(committed.clone()));
        }
    }

    fn single(&mut self, work: Box<dyn Work>) {
        let mut alone = [work];
        let committed = self.begin(&alone).and_then(|()| self.attempt(&mut alone));
        let [work] = alone;
        work.answer(committed);
    }

    /// Acquires the lock. If another process has written in the meantime, the ledgers in memory are
    /// outdated.
    fn begin(&mut self, batch: &[Box<dyn Work>]) -> Result<(), Error> {
        self.log.check()?;
        self.commit_as(durability_of(batch))?;
        self.rows.put("BEGIN IMMEDIATE", params![])?;
        let version = one(&self.rows, "PRAGMA data_version", params![], |row| row.get(0));
        let version = version.inspect_err(|_| self.undo_quietly())?.unwrap_or_default();
        if version != self.data_version {
            self.books.forget();
            self.data_version = version;
        }
        Ok(())
    }

    /// Sets whether the next commit waits for the disk. A commit that does syncs the whole log, and
    /// with it the commits before it that did not. SQLite moves nothing into the database file that
    /// is not on disk in the log, so what a power failure leaves is consistent.
    fn commit_as(&mut self, durability: Durability) -> Result<(), Error> {
        if durability != self.durability {
            self.rows.put(
                match durability {
                    Durability::Synced => "PRAGMA synchronous = FULL",
                    Durability::Unsynced => "PRAGMA synchronous = NORMAL",
                },
                params![],
            )?;
            self.durability = durability;
        }
        Ok(())
    }

    fn attempt(&mut self, batch: &mut [Box<dyn Work>]) -> Result<(), Error> {
        let began = Instant::now();
        let changes = self.changes();
        let done = self.work_and_commit(batch);
        observer::tried(&*self.observer, batch.len(), began, &done);
        match &done {
            Ok(()) => {
                // A commit without changes does not reach the disk.
                if self.changes() != changes {
                    self.log.committed(self.durability);
                }
                self.books.written(self.books_max);
            }
            Err(fault) => {
                tracing::warn!(%fault, commands = batch.len(), "a transaction was rolled back");
                if is_of_the_disk(fault) {
                    self.log.failed();
                }
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
        let mut tx = Transaction::new(&self.rows, &mut self.books, &*self.clock, Trust::Nothing);
        for work in batch {
            work.run(&mut tx)?;
        }
        tx.save()?;
        self.rows.put("COMMIT", params![])
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

/// Whether the disk failed. A disk that is only full is another error (`SQLITE_FULL`).
fn is_of_the_disk(fault: &Error) -> bool {
    // What SQLite says of `SQLITE_IOERR`: https://sqlite.org/rescode.html#ioerr
    matches!(fault, Error::Database { message } if message.contains("disk I/O error"))
}
