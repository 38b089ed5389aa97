//! A lane: a thread with a connection that writes. It takes the commands that have queued and
//! decides them in one transaction, which has locked the books of all their accounts.

mod attempt;

use std::sync::Arc;
use std::time::{Duration, Instant};

use retouch_core::Entropy;

use self::attempt::Writer;
use super::Address;
use crate::unit::Trust;
use crate::work::{self, Queue, Waiting, Work};
use crate::{Context, Error, Settings};

/// How often something is tried that fails because of others.
const ATTEMPTS_MAX: u32 = 24;
/// The longest pause between two attempts, in milliseconds; they begin with one.
const PAUSE_MS_MAX: u64 = 500;

/// How many commands go into a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grouping {
    /// All that have queued.
    Many,
    /// Each has one of its own: what it locks shows only while it runs, or has no order that is known,
    /// so that nobody who has locked one row must wait for another.
    Single,
}

/// Starts a lane; it connects when it has something to do.
pub(super) fn start(
    settings: &Settings,
    address: &Address,
    (context, grouping): (&Context, Grouping),
) -> Result<Queue, Error> {
    let (queue, waiting) = work::queue(settings);
    let (clock, entropy) = (Arc::clone(&context.clock), Arc::clone(&context.entropy));
    let lane = Lane {
        writer: Writer::new(address, settings, (clock, Arc::clone(&entropy))),
        wait: Duration::from_millis(settings.wait_ms_max),
        entropy,
        grouping,
        waiting,
    };
    std::thread::Builder::new()
        .name("store-lane".into())
        .spawn(move || lane.run())
        .map_err(|error| Error::Database { message: format!("no thread: {error}") })?;
    Ok(queue)
}

/// A pause before something is tried for this often: longer and longer, of uneven length, so that
/// those who met do not meet again.
fn pause(entropy: &dyn Entropy, attempt: u32) {
    let most_ms = (1_u64 << attempt.min(16)).min(PAUSE_MS_MAX);
    let mut dice = [0; 8];
    entropy.fill(&mut dice);
    std::thread::sleep(Duration::from_millis(1 + u64::from_le_bytes(dice) % most_ms));
}

struct Lane {
    writer: Writer,
    /// How long a transaction is tried for.
    wait: Duration,
    entropy: Arc<dyn Entropy>,
    grouping: Grouping,
    waiting: Waiting,
}

impl Lane {
    fn run(mut self) {
        // Why nothing further is tried: at the end nobody waits for a server that does not answer.
        let mut given_up = None;
        while let Some(mut batch) = self.waiting.next() {
            // Whoever has gone away is not served; what has been tried once is tried to its end.
            batch.retain(|work| work.is_awaited());
            let groups = match self.grouping {
                Grouping::Many => vec![batch],
                Grouping::Single => batch.into_iter().map(|work| vec![work]).collect(),
            };
            for group in groups {
                match &given_up {
                    None => given_up = self.serve(group),
                    Some(fault) => answer(group, &Err(Error::clone(fault))),
                }
            }
        }
        self.waiting.end(Ok(()));
    }

    /// One transaction for all, or several where it takes long; where one fails, one for each, so
    /// that only those fail whose own doing it is. The fault for which nothing further is tried.
    fn serve(&mut self, mut batch: Vec<Box<dyn Work>>) -> Option<Error> {
        while !batch.is_empty() {
            let fault = match self.persist(&mut batch) {
                Ok(ran) => {
                    let rest = batch.split_off(ran);
                    answer(batch, &Ok(()));
                    batch = rest;
                    continue;
                }
                Err(fault) => fault,
            };
            if batch.len() == 1 || is_everybodys(&fault) {
                answer(batch, &Err(fault.clone()));
                let is_gone = matches!(fault, Error::Unreachable { .. });
                return Some(fault).filter(|_| is_gone && self.waiting.is_stopping());
            }
            return batch.into_iter().fold(None, |given_up, work| match given_up {
                None => self.serve(vec![work]),
                Some(fault) => {
                    work.answer(Err(fault.clone()));
                    Some(fault)
                }
            });
        }
        None
    }

    /// Tries while that may help; how many of the commands have been carried out.
    fn persist(&mut self, batch: &mut [Box<dyn Work>]) -> Result<usize, Error> {
        let since = Instant::now();
        let mut trust = Trust::NewNames;
        let mut attempt = 0;
        loop {
            let done = self.writer.attempt(batch, trust);
            let Err(fault) = &done else { return done };
            let is_taken = matches!(fault, Error::Taken { .. });
            let may_help = fault.is_passing() && (batch.len() == 1 || !is_taken);
            let has_time = attempt < ATTEMPTS_MAX && since.elapsed() < self.wait;
            let is_over = matches!(fault, Error::Unreachable { .. }) && self.waiting.is_stopping();
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

/// Whether a fault would be each command's, were it tried by itself.
const fn is_everybodys(fault: &Error) -> bool {
    matches!(fault, Error::Unreachable { .. } | Error::Unsure { .. } | Error::Conflict { .. })
}

fn answer(batch: Vec<Box<dyn Work>>, done: &Result<(), Error>) {
    batch.into_iter().for_each(|work| work.answer(done.clone()));
}
