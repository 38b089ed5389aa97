//! One process among those that use the server: the lanes that write, and the readers.

use std::sync::Arc;

use futures_util::future::try_join_all;
use retouch_core::Clock;

use super::Address;
use super::clock::ServerClock;
use super::lane::{self, Grouping};
use super::migrate::migrate;
use super::readers::Readers;
use crate::rows::Rows;
use crate::unit::Unit;
use crate::work::{Queue, Touches};
use crate::{Context, Error, Settings};

/// The connections of this process. Commands on one account wait in one lane, so that they are put
/// into one transaction instead of waiting for one another's.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    lanes: Arc<[Queue]>,
    house: Queue,
    readers: Readers,
    /// Where the time is the server's.
    clock: Option<Arc<ServerClock>>,
}

impl Node {
    pub(crate) fn open(
        settings: &Settings,
        address: &Address,
        context: &Context,
    ) -> Result<Self, Error> {
        let rows = migrate(address)?;
        let clock = Arc::new(ServerClock::new(Arc::clone(&context.clock)));
        let mut context = context.clone();
        if settings.takes_servers_time {
            clock.set_right(&rows)?;
            context.clock = Arc::clone(&clock) as Arc<dyn Clock>;
        }
        let lane = |grouping| lane::start(settings, address, (&context, grouping));
        let lanes = (0..settings.writers_max.max(1)).map(|_| lane(Grouping::Many));
        Ok(Self {
            lanes: lanes.collect::<Result<_, _>>()?,
            house: lane(Grouping::Single)?,
            readers: Readers::new(settings, address),
            clock: settings.takes_servers_time.then_some(clock),
        })
    }

    pub(crate) async fn write<T, F>(&self, touches: Touches, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut Unit<'_>) -> Result<T, Error> + Send + 'static,
    {
        self.queue(&touches).write(touches, work).await
    }

    pub(crate) fn post<F>(&self, work: F)
    where
        F: FnMut(&mut Unit<'_>) -> Result<(), Error> + Send + 'static,
    {
        self.queue(&Touches::Rows).post(work);
    }

    pub(crate) async fn read<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Rows) -> Result<T, Error> + Send + 'static,
    {
        self.readers.read(query).await
    }

    pub(crate) async fn glance<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Rows) -> Result<T, Error> + Send + 'static,
    {
        self.readers.glance(query).await
    }

    /// The server's time, where it is taken.
    pub(crate) fn clock(&self) -> Option<Arc<dyn Clock>> {
        self.clock.as_ref().map(|clock| Arc::clone(clock) as Arc<dyn Clock>)
    }

    /// Asks the server what time it is, where its time is taken.
    pub(crate) async fn set_clock_right(&self) -> Result<(), Error> {
        let Some(clock) = self.clock.clone() else { return Ok(()) };
        self.glance(move |rows| clock.set_right(rows)).await
    }

    pub(crate) async fn close(&self) -> Result<(), Error> {
        self.readers.close();
        try_join_all(self.lanes.iter().chain([&self.house]).map(Queue::stop)).await.map(drop)
    }

    fn queue(&self, touches: &Touches) -> &Queue {
        let number = match touches {
            Touches::House(_) => return &self.house,
            Touches::Accounts(accounts) => accounts
                .first()
                .map_or(0, |account| crc32fast::hash(account.as_str().as_bytes()) as usize),
            // In one lane, so that what was posted is done before what comes after it.
            Touches::Rows => 0,
        };
        self.lanes.get(number % self.lanes.len().max(1)).unwrap_or(&self.house)
    }
}
