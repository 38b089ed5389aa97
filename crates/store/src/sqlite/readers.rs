//! Read connections. Each is used by one call at a time, off the async threads.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::connect;
use super::connection::LOCK_WAIT_MS_MAX;
use crate::query::Query;
use crate::rows::{Rows, params};
use crate::{Error, Settings};

/// The read connections. Each read sees a consistent state of the database.
#[derive(Clone, Debug)]
pub(crate) struct Readers {
    settings: Arc<Settings>,
    path: Arc<Path>,
    places: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Rows>>>,
}

impl Readers {
    pub(crate) fn new(settings: Arc<Settings>, path: &Path) -> Self {
        let places = Arc::new(Semaphore::new(settings.readers_max.max(1)));
        Self { settings, path: path.into(), places, idle: Arc::default() }
    }

    /// Runs a query on a blocking thread, in a transaction of its own.
    pub(crate) async fn read(&self, mut query: Query) -> Result<(), Error> {
        let wait_ms = self.settings.wait_ms_max;
        let places = Arc::clone(&self.places).acquire_owned();
        let place = tokio::time::timeout(Duration::from_millis(wait_ms), places)
            .await
            .map_err(|_| Error::Busy { wait_ms })?
            .map_err(|_| Error::Closed)?;
        let readers = self.clone();
        let answer = tokio::task::spawn_blocking(move || {
            let answer = readers.run(&mut query);
            drop(place);
            answer
        });
        answer.await.map_err(|_| Error::Panicked)?
    }

    /// Runs a query for one or two rows by an index on the current thread if a connection is idle,
    /// because handing it over would take several times as long. If it would have to wait for
    /// anything but the file itself, it goes to a blocking thread.
    pub(crate) async fn read_row(&self, mut query: Query) -> Result<(), Error> {
        match self.read_row_now(&mut query) {
            Some(Ok(())) => Ok(()),
            // On any problem, use the normal path, which waits where that helps and reports errors.
            None | Some(Err(_)) => self.read(query).await,
        }
    }

    fn read_row_now(&self, query: &mut Query) -> Option<Result<(), Error>> {
        let _place = self.places.try_acquire().ok()?;
        let connection = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()?;
        let answer = be_patient(&connection, Duration::ZERO);
        // A single statement sees one state of the database without a transaction.
        let answer = answer.and_then(|()| query(&connection));
        // If its timeout cannot be restored, don't keep the connection.
        if be_patient(&connection, Duration::from_millis(LOCK_WAIT_MS_MAX)).is_ok() {
            self.put_back(connection);
        }
        Some(answer)
    }

    /// Closes the idle connections. Busy ones are closed when their query ends.
    pub(crate) fn close(&self) {
        self.places.close();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn run(&self, query: &mut Query) -> Result<(), Error> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = idle.map_or_else(|| self.connect(), Ok)?;
        in_transaction(&connection, query)?;
        self.put_back(connection);
        Ok(())
    }

    /// A connection that is still in a transaction is not kept.
    fn put_back(&self, connection: Rows) {
        let at_rest = matches!(&connection, Rows::Sqlite(it) if it.is_autocommit());
        if at_rest && !self.places.is_closed() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        }
    }

    fn connect(&self) -> Result<Rows, Error> {
        let connection = connect(&self.settings, &self.path)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(Rows::Sqlite(connection))
    }
}

/// Sets how long a connection waits for another process's transaction.
fn be_patient(rows: &Rows, wait: Duration) -> Result<(), Error> {
    match rows {
        Rows::Sqlite(connection) => Ok(connection.busy_timeout(wait)?),
        Rows::Postgres(_) => Ok(()),
    }
}

/// Gives the whole query one consistent state of the database.
fn in_transaction(rows: &Rows, query: &mut Query) -> Result<(), Error> {
    rows.put("BEGIN DEFERRED", params![])?;
    let answer = query(rows);
    // End the transaction even after an error, so that the connection can be used again.
    rows.put(if answer.is_ok() { "COMMIT" } else { "ROLLBACK" }, params![])?;
    answer
}
