//! The queue in which commands wait for a writer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use retouch_core::AccountId;
use tokio::sync::{mpsc, oneshot};

use crate::transaction::Transaction;
use crate::{Error, Observer, Settings};

/// The maximum number of commands in one transaction.
const BATCH_MAX: usize = 256;

/// What a command reads and changes. On a server, where several writers work at the same time, this
/// keeps conflicting commands apart. The embedded database has only one writer and does not need
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Touches {
    /// Rows that single statements change, so that concurrent changes cannot conflict.
    Rows,
    /// Rows that show that a node is alive, changed in the same way: the leases of edits, and the
    /// probe that the database is writable. They wait for nothing else.
    Heartbeats,
    /// Rows that single statements change and whose changes may be lost.
    Posted,
    /// Rows that belong to these accounts.
    Accounts(Vec<AccountId>),
    /// Rows that all accounts share (addresses, administrators, the log, payments), and those of
    /// this account. Only one such command runs at a time, under the global lock.
    Global(Option<AccountId>),
}

impl Touches {
    /// Rows that belong to one account.
    pub(crate) fn account(account: &AccountId) -> Self {
        Self::Accounts(vec![account.clone()])
    }

    /// Rows that all accounts share, and those of this account.
    pub(crate) fn global(account: &AccountId) -> Self {
        Self::Global(Some(account.clone()))
    }

    /// The name in traces.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Rows | Self::Posted => "rows",
            Self::Heartbeats => "heartbeats",
            Self::Accounts(_) => "accounts",
            Self::Global(_) => "global",
        }
    }

    /// The accounts that it touches.
    pub(crate) fn accounts(&self) -> &[AccountId] {
        match self {
            Self::Rows | Self::Heartbeats | Self::Posted => &[],
            Self::Accounts(accounts) => accounts,
            Self::Global(account) => account.as_slice(),
        }
    }
}

/// What a power failure may undo of a command whose caller has its result. Whatever stays is always
/// a prefix of all commands: a synced command makes those before it durable as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durability {
    /// Nothing: the result is returned once the commands of the transaction are on disk.
    Synced,
    /// The command, until a later one is synced. On a server, this is the same as `Synced`.
    Unsynced,
}

/// A queued command, with any type of result.
pub(crate) trait Work: Send {
    /// What it reads and changes.
    fn touches(&self) -> &Touches;
    /// What a power failure may undo.
    fn durability(&self) -> Durability;
    /// How long it has waited.
    fn waited(&self) -> Duration;
    /// Whether the caller still waits for the result, or never did.
    fn is_awaited(&self) -> bool;
    /// Runs it. An error is a fault that rolls back the transaction.
    fn run(&mut self, tx: &mut Transaction<'_>) -> Result<(), Error>;
    /// Returns the result to the caller, after the transaction has committed or failed.
    fn answer(self: Box<Self>, committed: Result<(), Error>);
}

enum Message {
    Work(Box<dyn Work>),
    Stop(oneshot::Sender<Result<(), Error>>),
}

/// How long to wait for more commands, and for how many. Callers that got their answers together
/// send their next commands one shortly after the other. Without this wait, the first of them would
/// start a transaction alone, and the rest would have to wait for it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gather {
    /// How many commands are expected. A single caller waits for no others.
    pub(crate) expected: usize,
    /// How long to wait for them.
    pub(crate) within: Duration,
}

/// How often to look for more commands while waiting.
const GATHER_LOOK: Duration = Duration::from_micros(20);

/// The caller that waits for a queue to stop.
pub(crate) type Stopping = oneshot::Sender<Result<(), Error>>;

/// The sending end of a queue of commands.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    places: mpsc::Sender<Message>,
    wait_ms: u64,
    is_stopping: Arc<AtomicBool>,
    observer: Arc<dyn Observer>,
}

/// The receiving end of a queue of commands.
pub(crate) struct Waiting {
    places: mpsc::Receiver<Message>,
    stopping: Option<Stopping>,
    is_stopping: Arc<AtomicBool>,
    observer: Arc<dyn Observer>,
}

/// Creates a queue with both its ends.
pub(crate) fn new(settings: &Settings) -> (Queue, Waiting) {
    let (sender, places) = mpsc::channel(settings.queue_max.max(1));
    let is_stopping = Arc::new(AtomicBool::new(false));
    let wait_ms = settings.wait_ms_max;
    let observer = Arc::clone(&settings.observer);
    let waiting = Waiting {
        places,
        stopping: None,
        is_stopping: Arc::clone(&is_stopping),
        observer: Arc::clone(&observer),
    };
    (Queue { places: sender, wait_ms, is_stopping, observer }, waiting)
}

impl Queue {
    /// Runs `work` in a transaction and returns once it is as durable as asked. `work` may run more
    /// than once, each time on the state that earlier transactions left, because a transaction is
    /// rolled back if another command in it fails.
    pub(crate) async fn write<T, F>(
        &self,
        (touches, durability): (Touches, Durability),
        work: F,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut Transaction<'_>) -> Result<T, Error> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let since = Instant::now();
        let call = Call { touches, durability, work, since, outcome: None, reply };
        self.send(Message::Work(Box::new(call))).await?;
        self.observer.queued();
        answer.await.map_err(|_| Error::Closed)?
    }

    /// Like [`Queue::write`], for changes that may be lost. No one waits for them, and they are
    /// dropped if the queue is full.
    pub(crate) fn post<F>(&self, work: F)
    where
        F: FnMut(&mut Transaction<'_>) -> Result<(), Error> + Send + 'static,
    {
        let (reply, _) = oneshot::channel();
        let since = Instant::now();
        let (touches, durability) = (Touches::Posted, Durability::Unsynced);
        let call = Call { touches, durability, work, since, outcome: None, reply };
        match self.places.try_send(Message::Work(Box::new(call))) {
            Ok(()) => self.observer.queued(),
            Err(_) => {
                tracing::debug!("dropped a background write: the queue is full or closed");
            }
        }
    }

    /// Finishes all queued commands and accepts no new ones.
    pub(crate) async fn stop(&self) -> Result<(), Error> {
        let (reply, answer) = oneshot::channel();
        self.is_stopping.store(true, Ordering::Relaxed);
        // This waits for a place, however many commands are queued.
        self.places.send(Message::Stop(reply)).await.map_err(|_| Error::Closed)?;
        answer.await.map_err(|_| Error::Closed)?
    }

    async fn send(&self, message: Message) -> Result<(), Error> {
        let message = match self.places.try_send(message) {
            Ok(()) => return Ok(()),
            Err(mpsc::error::TrySendError::Closed(_)) => return Err(Error::Closed),
            Err(mpsc::error::TrySendError::Full(message)) => message,
        };
        let wait_ms = self.wait_ms;
        tokio::time::timeout(Duration::from_millis(wait_ms), self.places.reserve())
            .await
            .map_err(|_| Error::Busy { wait_ms })?
            .map_err(|_| Error::Closed)?
            .send(message);
        Ok(())
    }
}

impl Waiting {
    /// Waits for the first command, then returns all queued ones, up to the size of a transaction.
    /// `None`: the queue has stopped.
    pub(crate) fn next(&mut self) -> Option<Vec<Box<dyn Work>>> {
        let mut batch = Vec::new();
        let mut next = Some(self.places.blocking_recv()?);
        while let Some(message) = next {
            self.take(message, &mut batch);
            next = if batch.len() < BATCH_MAX { self.places.try_recv().ok() } else { None };
        }
        Some(batch)
    }

    /// Like [`Self::next`], but also waits for more commands as `gather` says.
    pub(crate) fn next_gathered(&mut self, gather: Gather) -> Option<Vec<Box<dyn Work>>> {
        let mut batch = self.next()?;
        let since = Instant::now();
        while batch.len() < gather.expected.min(BATCH_MAX) && since.elapsed() < gather.within {
            std::thread::sleep(GATHER_LOOK);
            while batch.len() < BATCH_MAX
                && let Ok(message) = self.places.try_recv()
            {
                self.take(message, &mut batch);
            }
        }
        Some(batch)
    }

    fn take(&mut self, message: Message, batch: &mut Vec<Box<dyn Work>>) {
        match message {
            Message::Work(work) => {
                self.observer.taken(work.waited());
                batch.push(work);
            }
            Message::Stop(reply) => {
                self.places.close();
                self.stopping = Some(reply);
            }
        }
    }

    /// Whether a stop was requested, even if commands are still queued before it.
    pub(crate) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }

    /// Reports the end of the queue to the caller that waits for it.
    pub(crate) fn end(self, done: Result<(), Error>) {
        if let Some(reply) = self.stopping {
            let _ = reply.send(done);
        }
    }
}

struct Call<T, F> {
    touches: Touches,
    durability: Durability,
    work: F,
    since: Instant,
    outcome: Option<Result<T, Error>>,
    reply: oneshot::Sender<Result<T, Error>>,
}

impl<T, F> Work for Call<T, F>
where
    T: Send,
    F: FnMut(&mut Transaction<'_>) -> Result<T, Error> + Send,
{
    fn touches(&self) -> &Touches {
        &self.touches
    }

    fn durability(&self) -> Durability {
        self.durability
    }

    fn waited(&self) -> Duration {
        self.since.elapsed()
    }

    fn is_awaited(&self) -> bool {
        self.touches == Touches::Posted || !self.reply.is_closed()
    }

    fn run(&mut self, tx: &mut Transaction<'_>) -> Result<(), Error> {
        let work = &mut self.work;
        let outcome = catch_unwind(AssertUnwindSafe(|| work(tx))).unwrap_or(Err(Error::Panicked));
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
        // If the caller is gone, the command is done all the same.
        let _ = reply.send(outcome);
    }
}
