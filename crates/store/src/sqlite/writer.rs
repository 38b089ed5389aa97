//! The one who writes: the commands of all callers, grouped into durable transactions.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use retouch_core::Clock;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::books::Books;
use super::{Unit, connect};
use crate::{Error, Settings};

/// The most commands of one transaction. What has queued goes in, nothing is waited for
/// (design.md, "Storage").
const BATCH_MAX: usize = 256;

/// The one who writes: a thread that takes commands from all callers and puts those that wait
/// into one durable transaction.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Message>,
    wait_ms: u64,
}

enum Message {
    Work(Box<dyn Work>),
    Stop(oneshot::Sender<Result<(), Error>>),
}

impl Writer {
    /// Starts the thread on a connection of its own.
    pub(crate) fn start(settings: &Arc<Settings>, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        let (queue, waiting) = mpsc::channel(settings.queue_max.max(1));
        let thread = Thread {
            connection: connect(settings)?,
            books: Books::default(),
            books_max: settings.books_cached_max,
            clock,
            data_version: 0,
        };
        std::thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || thread.run(waiting))
            .map_err(|error| Error::Database { message: format!("no thread: {error}") })?;
        Ok(Self { queue, wait_ms: settings.wait_ms_max })
    }

    /// Runs `work` in a transaction and answers when it is on disk. It may run more than once
    /// (each time on what the transactions before it have left), since a transaction that fails
    /// because of another command is undone.
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut Unit<'_>) -> Result<T, Error> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        self.send(Message::Work(Box::new(Call { work, outcome: None, reply }))).await?;
        answer.await.map_err(|_| Error::Closed)?
    }

    /// Like [`Writer::write`] for what may be lost: nobody waits for it, and it is dropped where
    /// the queue is full.
    pub(crate) fn post<F>(&self, work: F)
    where
        F: FnMut(&mut Unit<'_>) -> Result<(), Error> + Send + 'static,
    {
        let (reply, _) = oneshot::channel();
        let message = Message::Work(Box::new(Call { work, outcome: None, reply }));
        if self.queue.try_send(message).is_err() {
            tracing::debug!("a posted write was dropped: the queue is full or closed");
        }
    }

    /// Answers every command that has queued, takes no further ones, and moves the log into the
    /// database file.
    pub(crate) async fn stop(&self) -> Result<(), Error> {
        let (reply, answer) = oneshot::channel();
        self.send(Message::Stop(reply)).await?;
        answer.await.map_err(|_| Error::Closed)?
    }

    async fn send(&self, message: Message) -> Result<(), Error> {
        let message = match self.queue.try_send(message) {
            Ok(()) => return Ok(()),
            Err(mpsc::error::TrySendError::Closed(_)) => return Err(Error::Closed),
            Err(mpsc::error::TrySendError::Full(message)) => message,
        };
        let wait_ms = self.wait_ms;
        tokio::time::timeout(Duration::from_millis(wait_ms), self.queue.reserve())
            .await
            .map_err(|_| Error::Busy { wait_ms })?
            .map_err(|_| Error::Closed)?
            .send(message);
        Ok(())
    }
}

/// A command that waits, whatever it answers.
trait Work: Send {
    /// Runs it; an error is a fault that undoes the transaction.
    fn run(&mut self, unit: &mut Unit<'_>) -> Result<(), Error>;
    /// Tells the caller, once the transaction has committed or failed.
    fn answer(self: Box<Self>, committed: Result<(), Error>);
}

struct Call<T, F> {
    work: F,
    outcome: Option<Result<T, Error>>,
    reply: oneshot::Sender<Result<T, Error>>,
}

impl<T, F> Work for Call<T, F>
where
    T: Send,
    F: FnMut(&mut Unit<'_>) -> Result<T, Error> + Send,
{
    fn run(&mut self, unit: &mut Unit<'_>) -> Result<(), Error> {
        let work = &mut self.work;
        let outcome = catch_unwind(AssertUnwindSafe(|| work(unit))).unwrap_or(Err(Error::Panicked));
        match outcome {
            Err(fault) if fault.is_fault() => Err(fault),
            outcome => {
                self.outcome = Some(outcome);
                Ok(())
            }
        }
    }

    fn answer(self: Box<Self>, committed: Result<(), Error>) {
        let Self { outcome, reply, .. } = *self;
        let outcome = committed.and_then(|()| outcome.unwrap_or(Err(Error::Closed)));
        // A caller who has gone away does not change what was done.
        let _ = reply.send(outcome);
    }
}

struct Thread {
    connection: Connection,
    books: Books,
    books_max: usize,
    clock: Arc<dyn Clock>,
    data_version: i64,
}

impl Thread {
    fn run(mut self, mut waiting: mpsc::Receiver<Message>) {
        let mut stopping = None;
        while let Some(first) = waiting.blocking_recv() {
            let mut batch = Vec::new();
            let mut next = Some(first);
            while let Some(message) = next {
                match message {
                    Message::Work(work) => batch.push(work),
                    Message::Stop(reply) => {
                        waiting.close();
                        stopping = Some(reply);
                    }
                }
                next = if batch.len() < BATCH_MAX { waiting.try_recv().ok() } else { None };
            }
            self.batch(batch);
        }
        let checkpoint =
            self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        // Closed first, so that whoever waits for the stop finds the files at rest.
        drop(self.connection);
        if let Some(reply) = stopping {
            let _ = reply.send(checkpoint.map_err(Error::from));
        }
    }

    /// One transaction for all; where it fails, one for each, so that only those fail whose own
    /// doing it is.
    fn batch(&mut self, mut batch: Vec<Box<dyn Work>>) {
        if batch.is_empty() {
            return;
        }
        // Where not even the lock is to be had, trying for each alone would only take longer.
        let begun = self.begin();
        let committed = begun.clone().and_then(|()| self.attempt(&mut batch));
        if begun.is_ok() && committed.is_err() && batch.len() > 1 {
            batch.into_iter().for_each(|work| self.single(work));
        } else {
            batch.into_iter().for_each(|work| work.answer(committed.clone()));
        }
    }

    fn single(&mut self, work: Box<dyn Work>) {
        let mut alone = [work];
        let committed = self.begin().and_then(|()| self.attempt(&mut alone));
        let [work] = alone;
        work.answer(committed);
    }

    /// Takes the lock; what another process has written meanwhile makes the books in memory
    /// worthless.
    fn begin(&mut self) -> Result<(), Error> {
        self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        let version: i64 = self
            .connection
            .prepare_cached("PRAGMA data_version")?
            .query_row([], |row| row.get(0))
            .inspect_err(|_| self.undo_quietly())?;
        if version != self.data_version {
            self.books.forget();
            self.data_version = version;
        }
        Ok(())
    }

    fn attempt(&mut self, batch: &mut [Box<dyn Work>]) -> Result<(), Error> {
        let done = self.work_and_commit(batch);
        match &done {
            Ok(()) => self.books.written(self.books_max),
            Err(fault) => {
                tracing::warn!(%fault, commands = batch.len(), "a transaction was undone");
                self.undo_quietly();
                self.books.forget();
            }
        }
        done
    }

    fn work_and_commit(&mut self, batch: &mut [Box<dyn Work>]) -> Result<(), Error> {
        let mut unit = Unit::new(&self.connection, &mut self.books, &*self.clock);
        for work in batch {
            work.run(&mut unit)?;
        }
        unit.save()?;
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    }

    /// After many faults SQLite has undone the transaction itself; then there is nothing to do.
    fn undo_quietly(&self) {
        if !self.connection.is_autocommit() {
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }
}
