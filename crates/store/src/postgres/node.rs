//! One of the processes that use the server: its writers and its readers.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::try_join_all;
use retouch_core::Clock;

use super::Address;
use super::clock::ServerClock;
use super::mark;
use super::migrate::prepare;
use super::readers::Readers;
use super::writer::{self, Grouping};
use crate::query::Query;
use crate::queue::{Durability, Queue, Touches};
use crate::transaction::Transaction;
use crate::{Context, Error, Settings};

/// How long closing may take, in milliseconds. This is enough for a transaction that gets no
/// answer.
const CLOSE_MS_MAX: u64 = 40_000;

/// The connections of this process. Commands on one account always go to the same writer, which
/// puts them into one transaction, so that they need not wait for one another's.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// For rows of accounts.
    accounts: Arc<[Queue]>,
    global: Queue,
    /// For single rows and for posted changes, which therefore don't delay commands on accounts.
    rows: Queue,
    /// For heartbeats, which must not wait behind anything else.
    heartbeats: Queue,
    readers: Readers,
    /// Set if the server's time is used.
    clock: Option<Arc<ServerClock>>,
}

impl Node {
    pub(crate) fn open(
        settings: &Settings,
        address: &Address,
        context: &Context,
    ) -> Result<Self, Error> {
        let rows = prepare(address, settings)?;
        let mut context = context.clone();
        let clock = if settings.takes_servers_time {
            let clock = Arc::new(ServerClock::ask(&rows)?);
            context.clock = Arc::clone(&clock) as Arc<dyn Clock>;
            Some(clock)
        } else {
            None
        };
        mark::forget_old(&rows, context.clock.now())?;
        let writer = |grouping| writer::start(settings, address, &context, grouping);
        let accounts = (0..settings.writers_max.max(1)).map(|_| writer(Grouping::Many));
        Ok(Self {
            accounts: accounts.collect::<Result<_, _>>()?,
            global: writer(Grouping::Single)?,
            rows: writer(Grouping::Single)?,
            heartbeats: writer(Grouping::Single)?,
            readers: Readers::new(settings, address),
            clock,
        })
    }

    pub(crate) async fn write<T, F>(&self, touches: Touches, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut Transaction<'_>) -> Result<T, Error> + Send + 'static,
    {
        self.queue(&touches).write((touches, Durability::Synced), work).await
    }

    pub(crate) fn post<F>(&self, work: F)
    where
        F: FnMut(&mut Transaction<'_>) -> Result<(), Error> + Send + 'static,
    {
        self.rows.post(work);
    }

    pub(crate) async fn read(&self, query: Query) -> Result<(), Error> {
        self.readers.read(query).await
    }

    pub(crate) async fn report(&self, query: Query) -> Result<(), Error> {
        self.readers.report(query).await
    }

    /// Runs a query of one statement.
    pub(crate) async fn single_statement(&self, query: Query) -> Result<(), Error> {
        self.readers.single_statement(query).await
    }

    /// The server's clock, if its time is used.
    pub(crate) fn clock(&self) -> Option<Arc<dyn Clock>> {
        self.clock.as_ref().map(|clock| Arc::clone(clock) as Arc<dyn Clock>)
    }

    /// Synchronizes the clock with the server, if its time is used.
    pub(crate) async fn set_clock_right(&self) -> Result<(), Error> {
        let Some(clock) = self.clock.clone() else { return Ok(()) };
        self.single_statement(Box::new(move |rows| clock.set_right(rows))).await
    }

    /// Finishes all queued commands, unless the server stops answering.
    pub(crate) async fn close(&self) -> Result<(), Error> {
        self.readers.close();
        let queues = self.accounts.iter().chain([&self.global, &self.rows, &self.heartbeats]);
        let stopping = try_join_all(queues.map(Queue::stop));
        let stopped = tokio::time::timeout(Duration::from_millis(CLOSE_MS_MAX), stopping).await;
        let too_long = |_| Error::Unreachable {
            message: format!("queued writes were not finished within {CLOSE_MS_MAX} ms"),
        };
        stopped.map_err(too_long)?.map(drop)
    }

    fn queue(&self, touches: &Touches) -> &Queue {
        let number = match touches {
            Touches::Global(_) => return &self.global,
            Touches::Rows | Touches::Posted => return &self.rows,
            Touches::Heartbeats => return &self.heartbeats,
            Touches::Accounts(accounts) => accounts
                .first()
                .map_or(0, |account| crc32fast::hash(account.as_str().as_bytes()) as usize),
        };
        self.accounts.get(number % self.accounts.len().max(1)).unwrap_or(&self.global)
    }
}
