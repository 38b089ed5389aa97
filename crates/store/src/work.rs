//! Commands that wait for whoever writes: what they are, and the queue they wait in.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use retouch_core::AccountId;
use tokio::sync::{mpsc, oneshot};

use crate::unit::Unit;
use crate::{Error, Observer, Settings};

/// The maximum number of commands in one transaction.
const BATCH_MAX: usize = 256;

/// What a command reads and changes, so that a database on which several write at a time can keep
/// apart what must not meet. The embedded one has one writer and does not ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Touches {
    /// Rows that single statements change for good, whoever changes them at the same time.
    Rows,
    /// Signs of life, likewise: the leases of edits, and that the database can be written to. They wait for
    /// nothing else.
    Signs,
    /// The same, and what is changed may be lost.
    Posted,
    /// What belongs to these accounts.
    Accounts(Vec<AccountId>),
    /// What is everybody's: addresses, administrators, the log, payments; and what belongs to this
    /// account. One such command runs at a time.
    House(Option<AccountId>),
}

impl Touches {
    /// What belongs to one account.
    pub(crate) fn account(account: &AccountId) -> Self {
        Self::Accounts(vec![account.clone()])
    }

    /// What is everybody's, and what belongs to this account.
    pub(crate) fn house(account: &AccountId) -> Self {
        Self::House(Some(account.clone()))
    }

    /// What it touches, in a word.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Rows | Self::Posted => "rows",
            Self::Signs => "leases",
            Self::Accounts(_) => "accounts",
            Self::House(_) => "house",
        }
    }

    /// The accounts that it names.
    pub(crate) fn accounts(&self) -> &[AccountId] {
        match self {
            Self::Rows | Self::Signs | Self::Posted => &[],
            Self::Accounts(accounts) => accounts,
            Self::House(account) => account.as_slice(),
        }
    }
}

/// A command that waits, whatever it answers.
pub(crate) trait Work: Send {
    /// What it reads and changes.
    fn touches(&self) -> &Touches;
    /// How long it has waited.
    fn waited(&self) -> Duration;
    /// Whether anybody waits for what becomes of it, or need not.
    fn is_awaited(&self) -> bool;
    /// Runs it; an error is a fault that undoes the transaction.
    fn run(&mut self, unit: &mut Unit<'_>) -> Result<(), Error>;
    /// Tells the caller, once the transaction has committed or failed.
    fn answer(self: Box<Self>, committed: Result<(), Error>);
}

enum Message {
    Work(Box<dyn Work>),
    Stop(oneshot::Sender<Result<(), Error>>),
}

/// How long it is waited for more commands, and for how many: those who were answered together come back
/// together, one after the other, and whoever began with the first of them would keep the rest waiting for
/// a transaction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gather {
    /// How many are expected; whoever calls alone waits for nobody.
    pub(crate) expected: usize,
    /// How long it is waited for them.
    pub(crate) within: Duration,
}

/// How often it is looked for more commands while gathering.
const GATHER_LOOK: Duration = Duration::from_micros(20);

/// Who waits for the end of a queue.
pub(crate) type Stopping = oneshot::Sender<Result<(), Error>>;

/// The callers' end of a queue of commands.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    places: mpsc::Sender<Message>,
    wait_ms: u64,
    is_stopping: Arc<AtomicBool>,
    observer: Arc<dyn Observer>,
}

/// The end of a queue from which the commands are taken.
pub(crate) struct Waiting {
    places: mpsc::Receiver<Message>,
    stopping: Option<Stopping>,
    is_stopping: Arc<AtomicBool>,
    observer: Arc<dyn Observer>,
}

/// A queue, and its other end.
pub(crate) fn queue(settings: &Settings) -> (Queue, Waiting) {
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
    /// Has `work` run in a transaction and answers when it is on disk. It may run more than once
    /// (each time on what the transactions before it have left), since a transaction that fails
    /// because of another command is undone.
    pub(crate) async fn write<T, F>(&self, touches: Touches, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut Unit<'_>) -> Result<T, Error> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let call = Call { touches, work, since: Instant::now(), outcome: None, reply };
        self.send(Message::Work(Box::new(call))).await?;
        self.observer.queued();
        answer.await.map_err(|_| Error::Closed)?
    }

    /// Like [`Queue::write`] for what may be lost: nobody waits for it, and it is dropped where
    /// the queue is full.
    pub(crate) fn post<F>(&self, work: F)
    where
        F: FnMut(&mut Unit<'_>) -> Result<(), Error> + Send + 'static,
    {
        let (reply, _) = oneshot::channel();
        let since = Instant::now();
        let call = Call { touches: Touches::Posted, work, since, outcome: None, reply };
        match self.places.try_send(Message::Work(Box::new(call))) {
            Ok(()) => self.observer.queued(),
            Err(_) => {
                tracing::debug!("dropped a background write: the queue is full or closed");
            }
        }
    }

    /// Has every command that has queued answered, and no further ones taken.
    pub(crate) async fn stop(&self) -> Result<(), Error> {
        let (reply, answer) = oneshot::channel();
        self.is_stopping.store(true, Ordering::Relaxed);
        // However many commands wait before it.
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
    /// The commands that have queued, as many of them as one transaction may have; waits for the
    /// first. None: no further ones come.
    pub(crate) fn next(&mut self) -> Option<Vec<Box<dyn Work>>> {
        let mut batch = Vec::new();
        let mut next = Some(self.places.blocking_recv()?);
        while let Some(message) = next {
            self.take(message, &mut batch);
            next = if batch.len() < BATCH_MAX { self.places.try_recv().ok() } else { None };
        }
        Some(batch)
    }

    /// Like [`Self::next`], and waits within `gather` for what belongs to it.
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

    /// Whether an end has been asked for, though commands may wait before it.
    pub(crate) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }

    /// Tells whoever waits for the end of the queue.
    pub(crate) fn end(self, done: Result<(), Error>) {
        if let Some(reply) = self.stopping {
            let _ = reply.send(done);
        }
    }
}

struct Call<T, F> {
    touches: Touches,
    work: F,
    since: Instant,
    outcome: Option<Result<T, Error>>,
    reply: oneshot::Sender<Result<T, Error>>,
}

impl<T, F> Work for Call<T, F>
where
    T: Send,
    F: FnMut(&mut Unit<'_>) -> Result<T, Error> + Send,
{
    fn touches(&self) -> &Touches {
        &self.touches
    }

    fn waited(&self) -> Duration {
        self.since.elapsed()
    }

    fn is_awaited(&self) -> bool {
        self.touches == Touches::Posted || !self.reply.is_closed()
    }

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
