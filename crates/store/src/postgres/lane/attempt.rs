//! One attempt at a transaction, up to knowing what became of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use retouch_core::{AccountId, Clock, Entropy};

use super::pause;
use crate::postgres::Address;
use crate::postgres::mark::Mark;
use crate::postgres::session::{Committed, Session, Use};
use crate::rows::Rows;
use crate::unit::{Books, Trust, Unit};
use crate::work::{Touches, Work};
use crate::{Error, Settings};

/// How long it is asked whether a commit was done whose answer was lost, in milliseconds.
const DOUBT_MS_MAX: u64 = 10_000;
/// How long a transaction goes on taking up commands, in milliseconds: others wait for what it has
/// locked.
const TAKING_MS_MAX: u64 = 100;

/// A connection that writes, with the books that were last seen there.
pub(super) struct Writer {
    address: Address,
    /// The connection, while it is not in use and not lost.
    idle: Option<Box<Session>>,
    mark: Mark,
    books: Books,
    books_max: usize,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

impl Writer {
    pub(super) fn new(
        address: &Address,
        settings: &Settings,
        (clock, entropy): (Arc<dyn Clock>, Arc<dyn Entropy>),
    ) -> Self {
        Self {
            address: address.clone(),
            idle: None,
            mark: Mark::default(),
            books: Books::of_lane(&*entropy),
            books_max: settings.books_cached_max,
            clock,
            entropy,
        }
    }

    /// Carries commands out in one transaction; how many of them it took up before its time was over.
    pub(super) fn attempt(
        &mut self,
        batch: &mut [Box<dyn Work>],
        trust: Trust,
    ) -> Result<usize, Error> {
        let idle = self.idle.take().filter(|session| !session.is_lost());
        let session = idle.map_or_else(|| Session::connect(&self.address, Use::Writing), Ok)?;
        let rows = Rows::Postgres(session);
        self.mark.name(&rows)?;
        begin(&rows, batch, (&mut self.mark, &*self.clock))?;
        let mut unit = Unit::new(&rows, &mut self.books, (&*self.clock, trust));
        let worked = work_on(&mut unit, batch);
        let Rows::Postgres(session) = rows else { return Err(Error::Closed) };
        let (done, session) = match worked.map(|ran| (ran, session.commit())) {
            Ok((ran, Committed::Done)) => (Ok(ran), Some(session)),
            Ok((ran, Committed::Unknown)) => {
                // First, so that the server does not wait for this connection.
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

    /// Learns on another connection what became of the last transaction.
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

/// Has a transaction begun.
fn begin(
    rows: &Rows,
    batch: &[Box<dyn Work>],
    (mark, clock): (&mut Mark, &dyn Clock),
) -> Result<(), Error> {
    let Rows::Postgres(session) = rows else { return Err(Error::Closed) };
    session.begin()?;
    // First of all, before any lock is waited for.
    mark.write(session, clock.now())?;
    if batch.iter().all(|work| *work.touches() == Touches::Posted) {
        session.be_hasty()?;
    }
    if batch.iter().any(|work| matches!(work.touches(), Touches::House(_))) {
        session.lock_house()?;
    }
    Ok(())
}

/// Everything of a transaction between its beginning and its end.
fn work_on(unit: &mut Unit<'_>, batch: &mut [Box<dyn Work>]) -> Result<usize, Error> {
    let accounts: Vec<&AccountId> =
        batch.iter().flat_map(|work| work.touches().accounts()).collect();
    unit.lock(&accounts)?;
    drop(accounts);
    let since = Instant::now();
    let mut ran = 0;
    for work in batch {
        if ran > 0 && since.elapsed() > Duration::from_millis(TAKING_MS_MAX) {
            break;
        }
        work.run(unit)?;
        ran += 1;
    }
    unit.save()?;
    Ok(ran)
}
