//! Runs one transaction and finds out its outcome.

use std::sync::Arc;
use std::time::{Duration, Instant};

use retouch_core::{AccountId, Clock, Entropy};

use super::pause;
use crate::postgres::Address;
use crate::postgres::mark::Mark;
use crate::postgres::session::{Committed, Session, Use};
use crate::queue::{Touches, Work};
use crate::rows::Rows;
use crate::transaction::{Books, Transaction, Trust};
use crate::{Error, Settings};

/// How long to try to find out whether a transaction was committed if the answer was lost, in
/// milliseconds.
const DOUBT_MS_MAX: u64 = 10_000;
/// How long a transaction may keep running further commands, in milliseconds. Other transactions
/// wait for its locks.
const TAKING_MS_MAX: u64 = 100;

/// The connection of a writer, with the ledger states that it last saw.
pub(super) struct Connection {
    address: Address,
    /// The connection, unless it is in use or lost.
    idle: Option<Box<Session>>,
    mark: Mark,
    books: Books,
    books_max: usize,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

impl Connection {
    pub(super) fn new(
        address: &Address,
        settings: &Settings,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Self {
        Self {
            address: address.clone(),
            idle: None,
            mark: Mark::default(),
            books: Books::of_one_writer(&*entropy),
            books_max: settings.books_cached_max,
            clock,
            entropy,
        }
    }

    /// Runs commands in one transaction. Returns how many of them ran before its time was over.
    pub(super) fn attempt(
        &mut self,
        batch: &mut [Box<dyn Work>],
        trust: Trust,
    ) -> Result<usize, Error> {
        let idle = self.idle.take().filter(|session| !session.is_lost());
        let session = idle.map_or_else(|| Session::connect(&self.address, Use::Writing), Ok)?;
        let rows = Rows::Postgres(session);
        self.mark.name(&rows)?;
        begin(&rows, batch, &mut self.mark, &*self.clock)?;
        let mut tx = Transaction::new(&rows, &mut self.books, &*self.clock, trust);
        let worked = work_on(&mut tx, batch);
        let Rows::Postgres(session) = rows else { return Err(Error::Closed) };
        let (done, session) = match worked.map(|ran| (ran, session.commit())) {
            Ok((ran, Committed::Done)) => (Ok(ran), Some(session)),
            Ok((ran, Committed::Unknown)) => {
                // Close this connection first, so that the server doesn't wait for it.
                drop(session);
                (self.settle().map(|()| ran), None)
            }
            Ok((_, Committed::Undone(fault))) | Err(fault) => {
                session.undo();
                (Err(fault), Some(session))
            }
        };
        match &done {
            Ok(_) => self.books.written(self.books_max),
            Err(fault) => {
                let commands = batch.len();
                tracing::debug!(%fault, commands, "a transaction was rolled back");
                self.books.forget();
            }
        }
        self.idle = session.filter(|session| !session.is_lost());
        done
    }

    /// Finds out on another connection whether the last transaction was committed.
    fn settle(&self) -> Result<(), Error> {
        let since = Instant::now();
        let mut attempt = 0;
        loop {
            let settled = Session::connect(&self.address, Use::Writing)
                .and_then(|session| self.mark.settle(&Rows::Postgres(session), self.clock.now()));
            match settled {
                Ok(true) => return Ok(()),
                Ok(false) => {
                    let message = "the connection was lost before the commit".into();
                    return Err(Error::Unreachable { message });
                }
                Err(fault) if since.elapsed() > Duration::from_millis(DOUBT_MS_MAX) => {
                    return Err(Error::Unsure { message: fault.to_string() });
                }
                Err(_) => pause(&*self.entropy, attempt),
            }
            attempt += 1;
        }
    }
}

/// Begins a transaction and takes the global lock if a command needs it.
fn begin(
    rows: &Rows,
    batch: &[Box<dyn Work>],
    mark: &mut Mark,
    clock: &dyn Clock,
) -> Result<(), Error> {
    let Rows::Postgres(session) = rows else { return Err(Error::Closed) };
    session.begin()?;
    // The mark must be written first, before waiting for any lock.
    mark.write(session, clock.now())?;
    if batch.iter().all(|work| *work.touches() == Touches::Posted) {
        session.be_hasty()?;
    }
    if batch.iter().any(|work| matches!(work.touches(), Touches::Global(_))) {
        session.lock_global()?;
    }
    Ok(())
}

/// Everything in a transaction between its start and its end.
fn work_on(tx: &mut Transaction<'_>, batch: &mut [Box<dyn Work>]) -> Result<usize, Error> {
    let accounts: Vec<&AccountId> =
        batch.iter().flat_map(|work| work.touches().accounts()).collect();
    tx.lock(&accounts)?;
    drop(accounts);
    if batch.len() > 1 {
        // Waiting for them is not time that the first command takes from the others.
        tx.wait_for_locks()?;
    }
    let since = Instant::now();
    let mut ran = 0;
    for work in batch {
        if ran > 0 && since.elapsed() > Duration::from_millis(TAKING_MS_MAX) {
            break;
        }
        work.run(tx)?;
        ran += 1;
    }
    tx.save()?;
    Ok(ran)
}
