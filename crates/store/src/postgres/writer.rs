//! A writer: a thread with a connection that writes. It takes the queued commands and decides them
//! in one transaction, which locks the books of all their accounts.

mod connection;

use std::sync::Arc;
use std::time::{Duration, Instant};

use retouch_core::Entropy;

use self::connection::Connection;
use super::Address;
use crate::queue::{self, Gather, Queue, Waiting, Work};
use crate::transaction::Trust;
use crate::{Context, Error, Observer, Settings, observer};

/// The maximum number of attempts at a transaction that fails because of a transient error.
const ATTEMPTS_MAX: u32 = 24;
/// The longest pause between two attempts, in milliseconds. The first pauses are the shortest.
const PAUSE_MS_MAX: u64 = 500;

/// How many commands share a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grouping {
    /// All that are queued.
    Many,
    /// One each. The rows that such a command locks are only known while it runs, or have no fixed
    /// order. A transaction with several of them could hold one lock while it waits for another.
    Single,
}

/// Starts a writer. It connects when it gets its first command.
pub(super) fn start(
    settings: &Settings,
    address: &Address,
    context: &Context,
    grouping: Grouping,
) -> Result<Queue, Error> {
    let (queue, waiting) = queue::new(settings);
    let (clock, entropy) = (Arc::clone(&context.clock), Arc::clone(&context.entropy));
    let writer = Writer {
        connection: Connection::new(address, settings, clock, Arc::clone(&entropy)),
        wait: Duration::from_millis(settings.wait_ms_max),
        entropy,
        grouping,
        waiting,
        observer: Arc::clone(&settings.observer),
        out_of_reach: None,
    };
    std::thread::Builder::new().name("store-writer".into()).spawn(move || writer.run()).map_err(
        |error| Error::Database { message: format!("could not start a thread: {error}") },
    )?;
    Ok(queue)
}

/// Sleeps before the next attempt. Pauses grow with each attempt and have a random length, so that
/// transactions that conflicted don't conflict again.
fn pause(entropy: &dyn Entropy, attempt: u32) {
    let most_ms = (1_u64 << attempt.min(16)).min(PAUSE_MS_MAX);
    let mut dice = [0; 8];
    entropy.fill(&mut dice);
    std::thread::sleep(Duration::from_millis(1 + u64::from_le_bytes(dice) % most_ms));
}

/// How long to wait for further commands of the callers that were just answered, as a fraction
/// (1/8) of the time that their transaction took.
const GATHER_SHARE: u32 = 8;
/// The maximum of that wait. The time of a transaction during an outage says nothing about the
/// next.
const GATHER_MAX: Duration = Duration::from_millis(2);

struct Writer {
    connection: Connection,
    /// How long a transaction is retried.
    wait: Duration,
    entropy: Arc<dyn Entropy>,
    grouping: Grouping,
    waiting: Waiting,
    observer: Arc<dyn Observer>,
    /// Why the last transaction did not reach the server, if it didn't.
    out_of_reach: Option<Error>,
}

impl Writer {
    fn run(mut self) {
        let mut gather = Gather::default();
        while let Some(mut batch) = self.waiting.next_gathered(gather) {
            let (since, expected) = (Instant::now(), batch.len());
            // Skips commands whose callers have gone away. A transaction that was started is
            // always finished.
            batch.retain(|work| work.is_awaited());
            match self.grouping {
                Grouping::Many => self.serve(batch),
                Grouping::Single => batch.into_iter().for_each(|work| self.serve(vec![work])),
            }
            if self.grouping == Grouping::Many {
                let within = (since.elapsed() / GATHER_SHARE).min(GATHER_MAX);
                gather = Gather { expected, within };
            }
        }
        self.waiting.end(Ok(()));
    }

    /// Runs all commands in one transaction, or in several if it takes too long. If it fails, runs
    /// each command in a transaction of its own, so that only the commands that cause the failure
    /// fail.
    fn serve(&mut self, batch: Vec<Box<dyn Work>>) {
        let mut batch = self.without_late(batch);
        while !batch.is_empty() {
            match self.persist(&mut batch) {
                Ok(ran) => {
                    let rest = batch.split_off(ran);
                    answer(batch, &Ok(()));
                    batch = rest;
                }
                Err(fault) if batch.len() == 1 || is_everybodys(&fault) => {
                    return answer(batch, &Err(fault));
                }
                Err(_) => return batch.into_iter().for_each(|work| self.serve(vec![work])),
            }
        }
    }

    /// While the server can't be reached, rejects the commands that have waited long enough, so
    /// that they need not wait for the failing attempts of others. When the writer stops, rejects
    /// all of them.
    fn without_late(&self, batch: Vec<Box<dyn Work>>) -> Vec<Box<dyn Work>> {
        let Some(fault) = &self.out_of_reach else { return batch };
        let is_over = self.waiting.is_stopping();
        let (late, rest) =
            batch.into_iter().partition(|work| is_over || work.waited() >= self.wait);
        answer(late, &Err(fault.clone()));
        rest
    }

    /// Retries while that may help. Returns how many of the commands were run.
    fn persist(&mut self, batch: &mut [Box<dyn Work>]) -> Result<usize, Error> {
        let since = Instant::now();
        let mut trust = Trust::NewNames;
        let mut attempt = 0;
        loop {
            let (commands, began) = (batch.len(), Instant::now());
            let done = self.connection.attempt(batch, trust);
            observer::tried(&*self.observer, commands, began, &done);
            self.out_of_reach = done.as_ref().err().and_then(out_of_reach);
            let Err(fault) = &done else { return done };
            let is_taken = matches!(fault, Error::Taken { .. });
            let may_help = fault.is_transient() && (batch.len() == 1 || !is_taken);
            // Always reconnects once to replace a lost connection, however long the command has
            // waited.
            let waited = match &self.out_of_reach {
                Some(_) if attempt > 0 => batch.first().map_or(Duration::ZERO, |it| it.waited()),
                _ => since.elapsed(),
            };
            let has_time = attempt < ATTEMPTS_MAX && waited < self.wait;
            let is_over = self.out_of_reach.is_some() && self.waiting.is_stopping();
            if !may_help || !has_time || is_over {
                return done;
            }
            if is_taken {
                trust = Trust::Nothing;
            }
            pause(&*self.entropy, attempt);
            attempt += 1;
        }
    }
}

/// The error for the commands that wait behind one that met an outage. None for other errors.
fn out_of_reach(fault: &Error) -> Option<Error> {
    match fault {
        Error::Unsure { message } => Some(Error::Unreachable { message: message.clone() }),
        fault => fault.is_outage().then(|| fault.clone()),
    }
}

/// Whether each command would fail with this error even on its own.
const fn is_everybodys(fault: &Error) -> bool {
    matches!(fault, Error::Unsure { .. } | Error::Conflict { .. }) || fault.is_outage()
}

fn answer(batch: Vec<Box<dyn Work>>, done: &Result<(), Error>) {
    batch.into_iter().for_each(|work| work.answer(done.clone()));
}
