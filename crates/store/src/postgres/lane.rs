//! A lane: a thread with a connection that writes. It takes the commands that have queued and
//! decides them in one transaction, which has locked the books of all their accounts.

use std::sync::Arc;
use std::time::{Duration, Instant};

use retouch_core::{AccountId, Clock, Entropy};

use super::Address;
use super::session::{Committed, Session, Use};
use crate::rows::Rows;
use crate::unit::{Books, Trust, Unit};
use crate::work::{self, Queue, Touches, Waiting, Work};
use crate::{Context, Error, Settings};

/// How often something is tried that fails because of others.
const ATTEMPTS_MAX: u32 = 24;
/// The longest pause between two attempts, in milliseconds; they begin with one.
const PAUSE_MS_MAX: u64 = 500;
/// How long it is asked whether a commit was done whose answer was lost, in milliseconds.
const DOUBT_MS_MAX: u64 = 10_000;

/// How many commands go into a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grouping {
    /// All that have queued.
    Many,
    /// Each has one of its own: what it locks shows only while it runs.
    Single,
}

/// Starts a lane; it connects when it has something to do.
pub(super) fn start(
    settings: &Settings,
    address: &Address,
    (context, grouping): (&Context, Grouping),
) -> Result<Queue, Error> {
    let (queue, waiting) = work::queue(settings);
    let lane = Lane {
        address: address.clone(),
        idle: None,
        books: Books::default(),
        books_max: settings.books_cached_max,
        wait: Duration::from_millis(settings.wait_ms_max),
        clock: Arc::clone(&context.clock),
        entropy: Arc::clone(&context.entropy),
        grouping,
    };
    std::thread::Builder::new()
        .name("store-lane".into())
        .spawn(move || lane.run(waiting))
        .map_err(|error| Error::Database { message: format!("no thread: {error}") })?;
    Ok(queue)
}

struct Lane {
    address: Address,
    /// The connection, while it is not in use and not lost.
    idle: Option<Box<Session>>,
    books: Books,
    books_max: usize,
    /// How long a transaction is tried for.
    wait: Duration,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    grouping: Grouping,
}

impl Lane {
    fn run(mut self, mut waiting: Waiting) {
        while let Some(batch) = waiting.next() {
            // What locks rows in no order that is known has a transaction of its own, so that nobody
            // who has locked one row waits for another.
            let (single, grouped): (Vec<_>, Vec<_>) = batch.into_iter().partition(|work| {
                self.grouping == Grouping::Single || *work.touches() == Touches::Rows
            });
            single.into_iter().for_each(|work| self.batch(vec![work]));
            self.batch(grouped);
        }
        waiting.end(Ok(()));
    }

    /// One transaction for all; where it fails, one for each, so that only those fail whose own
    /// doing it is.
    fn batch(&mut self, mut batch: Vec<Box<dyn Work>>) {
        if batch.is_empty() {
            return;
        }
        let mut done = self.attempt(&mut batch, Trust::NewNames);
        if matches!(done, Err(Error::Unreachable { .. })) || (done.is_err() && batch.len() == 1) {
            done = self.persist(&mut batch, done);
        }
        let by_itself = matches!(done, Err(Error::Unreachable { .. } | Error::Unsure { .. }));
        if done.is_ok() || by_itself || batch.len() == 1 {
            batch.into_iter().for_each(|work| work.answer(done.clone()));
        } else {
            batch.into_iter().for_each(|work| self.single(work));
        }
    }

    fn single(&mut self, work: Box<dyn Work>) {
        let mut alone = [work];
        let first = self.attempt(&mut alone, Trust::Nothing);
        let done = self.persist(&mut alone, first);
        let [work] = alone;
        work.answer(done);
    }

    /// Tries again while that may help, with longer and longer pauses of uneven length, so that
    /// those who met do not meet again.
    fn persist(
        &mut self,
        batch: &mut [Box<dyn Work>],
        first: Result<(), Error>,
    ) -> Result<(), Error> {
        let since = Instant::now();
        let mut done = first;
        for attempt in 0..ATTEMPTS_MAX {
            match &done {
                Err(fault) if fault.is_passing() && since.elapsed() < self.wait => {}
                _ => break,
            }
            self.pause(attempt);
            done = self.attempt(batch, Trust::Nothing);
        }
        done
    }

    fn pause(&self, attempt: u32) {
        let most_ms = (1_u64 << attempt.min(16)).min(PAUSE_MS_MAX);
        let mut dice = [0; 8];
        self.entropy.fill(&mut dice);
        std::thread::sleep(Duration::from_millis(1 + u64::from_le_bytes(dice) % most_ms));
    }

    fn attempt(&mut self, batch: &mut [Box<dyn Work>], trust: Trust) -> Result<(), Error> {
        let idle = self.idle.take().filter(|session| !session.is_lost());
        let session = idle.map_or_else(|| Session::connect(&self.address, Use::Writing), Ok)?;
        let rows = Rows::Postgres(session);
        let mut unit = Unit::new(&rows, &mut self.books, (&*self.clock, trust));
        let worked = work_on(&mut unit, batch);
        let Rows::Postgres(session) = rows else { return Err(Error::Closed) };
        let done = worked.and_then(|()| self.commit(&session));
        match &done {
            Ok(()) => self.books.written(self.books_max),
            Err(fault) => {
                let commands = batch.len();
                tracing::debug!(%fault, commands, "a transaction was undone");
                session.undo();
                self.books.forget();
            }
        }
        self.idle = Some(session).filter(|session| !session.is_lost());
        done
    }

    /// Commits; where the answer is lost, asks the server what became of it.
    fn commit(&self, session: &Session) -> Result<(), Error> {
        match session.commit() {
            Committed::Done => Ok(()),
            Committed::Undone(fault) => Err(fault),
            Committed::Unknown(transaction) => self.resolve(&transaction),
        }
    }

    fn resolve(&self, transaction: &str) -> Result<(), Error> {
        let since = Instant::now();
        let mut message = String::new();
        for attempt in 0.. {
            let asked = Session::connect(&self.address, Use::Writing)
                .and_then(|session| session.what_became_of(transaction));
            match asked {
                Ok(Some(true)) => return Ok(()),
                Ok(Some(false)) => {
                    let message = "the connection was lost before the commit".into();
                    return Err(Error::Unreachable { message });
                }
                Ok(None) => message = "it has not ended yet".into(),
                Err(fault) => message = fault.to_string(),
            }
            if since.elapsed() > Duration::from_millis(DOUBT_MS_MAX) {
                break;
            }
            self.pause(attempt);
        }
        Err(Error::Unsure { message })
    }
}

/// Everything of a transaction but its end.
fn work_on(unit: &mut Unit<'_>, batch: &mut [Box<dyn Work>]) -> Result<(), Error> {
    let Rows::Postgres(session) = unit.rows() else { return Err(Error::Closed) };
    let of_house = batch.iter().any(|work| matches!(work.touches(), Touches::House(_)));
    session.begin(of_house)?;
    let accounts: Vec<&AccountId> =
        batch.iter().flat_map(|work| work.touches().accounts()).collect();
    unit.lock(&accounts)?;
    session.name_transaction()?;
    drop(accounts);
    for work in batch {
        work.run(unit)?;
    }
    unit.save()
}
