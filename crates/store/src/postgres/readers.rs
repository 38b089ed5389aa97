//! Connections that read, each used by one call at a time, off the async threads.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Address;
use super::session::{Session, Use};
use crate::rows::{Rows, params};
use crate::{Error, Settings};

/// Connections for reading, as many as there may be.
#[derive(Clone, Debug)]
pub(super) struct Readers {
    address: Address,
    wait_ms: u64,
    places: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Rows>>>,
}

impl Readers {
    pub(super) fn new(settings: &Settings, address: &Address) -> Self {
        let places = Arc::new(Semaphore::new(settings.readers_max.max(1)));
        let address = address.clone();
        Self { address, wait_ms: settings.wait_ms_max, places, idle: Arc::default() }
    }

    /// Runs a query that sees one state of the database.
    pub(super) async fn read<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Rows) -> Result<T, Error> + Send + 'static,
    {
        self.blocking(move |rows| {
            rows.put("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", params![])?;
            let answer = query(rows)?;
            rows.execute("COMMIT", params![])?;
            Ok(answer)
        })
        .await
    }

    /// Runs a query of one statement, which sees one state of the database by itself.
    pub(super) async fn glance<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Rows) -> Result<T, Error> + Send + 'static,
    {
        self.blocking(query).await
    }

    /// Gives the idle connections back; one that still reads is closed when it ends.
    pub(super) fn close(&self) {
        self.places.close();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    async fn blocking<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Rows) -> Result<T, Error> + Send + 'static,
    {
        let place = self.place().await?;
        let readers = self.clone();
        let answer = tokio::task::spawn_blocking(move || {
            let answer = readers.run(query);
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

    /// A connection whose query has failed is not kept: it may be in the middle of something.
    fn run<T>(&self, query: impl FnOnce(&Rows) -> Result<T, Error>) -> Result<T, Error> {
        let rows = self.rows()?;
        let answer = query(&rows)?;
        if !self.places.is_closed() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(rows);
        }
        Ok(answer)
    }

    fn rows(&self) -> Result<Rows, Error> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        while let Some(rows) = idle() {
            if matches!(&rows, Rows::Postgres(session) if !session.is_lost()) {
                return Ok(rows);
            }
        }
        Session::connect(&self.address, Use::Reading).map(Rows::Postgres)
    }
}
