//! Connections that read, each used by one call at a time, off the async threads.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::connect;
use crate::{Error, Settings};

/// Connections for reading, beside the writer; each reads a consistent state of the database.
#[derive(Clone, Debug)]
pub(crate) struct Readers {
    settings: Arc<Settings>,
    places: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl Readers {
    pub(crate) fn new(settings: Arc<Settings>) -> Self {
        let places = Arc::new(Semaphore::new(settings.readers_max.max(1)));
        Self { settings, places, idle: Arc::default() }
    }

    /// Runs a query on a blocking thread, in a transaction of its own.
    pub(crate) async fn read<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, Error> + Send + 'static,
    {
        let wait_ms = self.settings.wait_ms_max;
        let places = Arc::clone(&self.places).acquire_owned();
        let place = tokio::time::timeout(Duration::from_millis(wait_ms), places)
            .await
            .map_err(|_| Error::Busy { wait_ms })?
            .map_err(|_| Error::Closed)?;
        let readers = self.clone();
        let answer = tokio::task::spawn_blocking(move || {
            let answer = readers.run(query);
            drop(place);
            answer
        });
        answer.await.map_err(|_| Error::Panicked)?
    }

    /// Gives the idle connections back; one that still reads is closed when it ends.
    pub(crate) fn close(&self) {
        self.places.close();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn run<T>(&self, query: impl FnOnce(&Connection) -> Result<T, Error>) -> Result<T, Error> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = idle.map_or_else(|| self.connect(), Ok)?;
        let transaction = connection.unchecked_transaction()?;
        let answer = query(&transaction)?;
        transaction.commit()?;
        if !self.places.is_closed() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        }
        Ok(answer)
    }

    fn connect(&self) -> Result<Connection, Error> {
        let connection = connect(&self.settings)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    }
}
