//! Connections for reading and for counting requests. Each is used by one call at a time, outside
//! the async threads.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Address;
use super::session::{Session, Use};
use crate::query::Query;
use crate::rows::{Rows, params};
use crate::{Error, Settings};

/// How long a connection may be idle before it is checked, in milliseconds.
const FRESH_MS: u64 = 1_000;

/// An unused connection, and when it was last used.
type Idle = (Box<Session>, Instant);

/// A pool of connections for reading, with a maximum size.
#[derive(Clone, Debug)]
pub(super) struct Readers {
    address: Address,
    wait_ms: u64,
    places: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Idle>>>,
}

impl Readers {
    pub(super) fn new(settings: &Settings, address: &Address) -> Self {
        let places = Arc::new(Semaphore::new(settings.readers_max.max(1)));
        let address = address.clone();
        Self { address, wait_ms: settings.wait_ms_max, places, idle: Arc::default() }
    }

    /// Runs a query on a consistent snapshot of the database.
    pub(super) async fn read(&self, query: Query) -> Result<(), Error> {
        self.blocking(|readers| readers.run(|rows| in_transaction(rows, query))).await
    }

    /// Runs a query that may take long on a consistent snapshot of the database. Uses a new
    /// connection.
    pub(super) async fn report(&self, query: Query) -> Result<(), Error> {
        self.blocking(|readers| {
            let session = Session::connect(&readers.address, Use::Reporting)?;
            in_transaction(&Rows::Postgres(session), query)
        })
        .await
    }

    /// Runs a query of one statement, which sees one state of the database by itself.
    pub(super) async fn single_statement(&self, query: Query) -> Result<(), Error> {
        self.blocking(|readers| readers.run(query)).await
    }

    /// Closes the idle connections. One that is still in use is closed afterwards.
    pub(super) fn close(&self) {
        self.places.close();
        self.idle().clear();
    }

    async fn blocking<F>(&self, work: F) -> Result<(), Error>
    where
        F: FnOnce(&Self) -> Result<(), Error> + Send + 'static,
    {
        let place = self.place().await?;
        let readers = self.clone();
        let answer = tokio::task::spawn_blocking(move || {
            let answer = work(&readers);
            drop(place);
            answer
        });
        answer.await.map_err(|_| Error::Panicked)?
    }

    async fn place(&self) -> Result<OwnedSemaphorePermit, Error> {
        let wait_ms = self.wait_ms;
        let places = Arc::clone(&self.places).acquire_owned();
        tokio::time::timeout(Duration::from_millis(wait_ms), places)
            .await
            .map_err(|_| Error::Busy { wait_ms })?
            .map_err(|_| Error::Closed)
    }

    /// A connection on which an error occurred is not reused, because its state is unknown.
    fn run(&self, query: impl FnOnce(&Rows) -> Result<(), Error>) -> Result<(), Error> {
        let session = self.session()?;
        let rows = Rows::Postgres(session);
        let answer = query(&rows);
        let Rows::Postgres(session) = rows else { return Err(Error::Closed) };
        if answer.as_ref().is_err_and(|error| !error.is_fault()) {
            session.undo();
        }
        let is_sound = !answer.as_ref().is_err_and(Error::is_fault) && !session.is_lost();
        if is_sound && !self.places.is_closed() {
            self.idle().push((session, Instant::now()));
        }
        answer
    }

    fn session(&self) -> Result<Box<Session>, Error> {
        let idle = || self.idle().pop();
        while let Some((session, since)) = idle() {
            // A restart of the server closes all connections, but that is not visible on all of
            // them.
            let is_fresh = since.elapsed() < Duration::from_millis(FRESH_MS);
            if !session.is_lost() && (is_fresh || session.is_there()) {
                return Ok(session);
            }
        }
        Session::connect(&self.address, Use::Reading)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn in_transaction(rows: &Rows, mut query: Query) -> Result<(), Error> {
    rows.put("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", params![])?;
    query(rows)?;
    rows.execute("COMMIT", params![])?;
    Ok(())
}
