//! The store's handle.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use retouch_core::{Clock, Credits, Ids};
use tokio::sync::{Notify, OnceCell};
use tracing::{Instrument, info_span};

use crate::backend::Backend;
use crate::pseudonym::Pseudonyms;
use crate::queue::{Durability, Touches};
use crate::rows::{Rows, params};
use crate::transaction::Transaction;
use crate::{Blobs, Context, Error, Schema, Settings, observer, query, rate};

/// The database and the stored files. Clones share both.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) settings: Arc<Settings>,
    /// How many free credits all sign-ups of a day together may receive.
    pub(crate) free_credits_per_day_max: Arc<AtomicI64>,
    /// Up to when idempotency keys have been checked, in milliseconds since 1970-01-01.
    pub(crate) keys_looked_at: Arc<AtomicI64>,
    /// Creates the pseudonyms of people and end users, once needed.
    pub(crate) pseudonyms: Arc<OnceCell<Pseudonyms>>,
    /// Recent calls to this node, for the limits that each node counts on its own.
    pub(crate) counts: rate::Memory,
    /// Wakes the task that delivers events to webhooks.
    pub(crate) delivery_news: Arc<Notify>,
    backend: Backend,
    blobs: Blobs,
}

impl Store {
    /// Opens the store: creates missing folders, migrates the schema if the settings say so, and
    /// starts the writer.
    ///
    /// # Errors
    /// [`Error::Database`], [`Error::Unreachable`], [`Error::Files`], [`Error::TooNew`],
    /// [`Error::TooOld`], [`Error::Empty`].
    pub async fn open(settings: &Settings, context: Context) -> Result<Self, Error> {
        let settings = Arc::new(settings.clone());
        let opening = tokio::task::spawn_blocking(move || Self::open_now(settings, context));
        opening.await.map_err(|_| Error::Panicked)?
    }

    /// Checks that the database responds and is writable.
    ///
    /// # Errors
    /// Why it is not.
    pub async fn ready(&self) -> Result<(), Error> {
        self.write(Touches::Heartbeats, |tx| {
            let sql = "INSERT INTO heartbeat (id, at) VALUES (1, ?1)
                       ON CONFLICT (id) DO UPDATE SET at = excluded.at";
            tx.rows().put(sql, params![tx.now().0])
        })
        .await
    }

    /// The store's clock: the database server's if the settings say so, or else the given one.
    pub fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock)
    }

    /// Corrects that clock, because clocks drift apart.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn set_clock_right(&self) -> Result<(), Error> {
        self.backend.set_clock_right().await
    }

    /// Changes how many free credits all sign-ups of a day (UTC) together may receive.
    pub fn set_free_credits_per_day_max(&self, credits: Credits) {
        self.free_credits_per_day_max.store(credits.get(), Ordering::Relaxed);
    }

    /// The stored files.
    pub fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// Finishes every queued command, then closes. Afterwards, clones return [`Error::Closed`]. A
    /// store that is dropped without closing loses nothing that was acknowledged.
    ///
    /// # Errors
    /// [`Error::Database`] if the write-ahead log cannot be moved into the database file (the next
    /// start does it), [`Error::Closed`] if it is already closed.
    pub async fn close(&self) -> Result<(), Error> {
        self.backend.close().await
    }

    /// The database.
    pub(crate) fn backend(&self) -> &Backend {
        &self.backend
    }

    /// Runs a transaction with exclusive access to what it touches; see
    /// [`crate::queue::Queue::write`].
    pub(crate) fn write<T, F>(
        &self,
        touches: Touches,
        work: F,
    ) -> impl Future<Output = Result<T, Error>>
    where
        T: Send + 'static,
        F: FnMut(&mut Transaction<'_>) -> Result<T, Error> + Send + 'static,
    {
        self.write_with((touches, Durability::Synced), work)
    }

    /// Like [`Self::write`], but a power failure may undo it if `durability` says so.
    pub(crate) async fn write_with<T, F>(
        &self,
        (touches, durability): (Touches, Durability),
        work: F,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut Transaction<'_>) -> Result<T, Error> + Send + 'static,
    {
        let span = info_span!("database_write", retouch.touches = touches.name());
        self.backend.write((touches, durability), work).instrument(span).await
    }

    /// A background write that may be lost.
    pub(crate) fn post<F>(&self, work: F)
    where
        F: FnMut(&mut Transaction<'_>) -> Result<(), Error> + Send + 'static,
    {
        self.backend.post(work);
    }

    /// Runs a consistent read.
    pub(crate) async fn read<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Rows) -> Result<T, Error> + Send + 'static,
    {
        let (query, answer) = query::erased_once(query);
        self.observed(self.backend.read(query)).await?;
        answer.take()
    }

    /// Runs a consistent read of everything, which may take long.
    pub(crate) async fn report<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Rows) -> Result<T, Error> + Send + 'static,
    {
        let (query, answer) = query::erased_once(query);
        self.backend.report(query).await?;
        answer.take()
    }

    /// Runs a consistent read of one or two rows by an index. It has to be a single statement, because
    /// it may run without a transaction.
    pub(crate) async fn read_row<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Rows) -> Result<T, Error> + Clone + Send + 'static,
    {
        let (query, answer) = query::erased(move |rows| query.clone()(rows));
        self.observed(self.backend.read_row(query)).await?;
        answer.take()
    }

    /// Like [`Self::read_row`], but a power failure may undo what it finds. For what only decides
    /// whether a call may go on.
    pub(crate) async fn peek_row<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Rows) -> Result<T, Error> + Clone + Send + 'static,
    {
        let (query, answer) = query::erased(move |rows| query.clone()(rows));
        self.observed(self.backend.peek_row(query)).await?;
        answer.take()
    }

    /// Runs `reading` and notifies the observer.
    async fn observed(
        &self,
        reading: impl Future<Output = Result<(), Error>>,
    ) -> Result<(), Error> {
        let began = Instant::now();
        let done = reading.instrument(info_span!("database_read")).await;
        self.settings.observer.read(observer::outcome(&done), began.elapsed());
        done
    }

    fn open_now(settings: Arc<Settings>, context: Context) -> Result<Self, Error> {
        // Connecting would create the file.
        let is_missing = settings.database.file().is_some_and(|path| !path.exists());
        if is_missing && settings.schema == Schema::AsIs {
            return Err(Error::Empty);
        }
        let blobs = Blobs::open(&settings.blobs)?.observed_by(Arc::clone(&settings.observer));
        let backend = Backend::open(&settings, &context)?;
        let blobs = blobs.beside(&backend);
        let clock = backend.clock().unwrap_or(context.clock);
        Ok(Self {
            free_credits_per_day_max: Arc::new(AtomicI64::new(
                settings.free_credits_per_day_max.get(),
            )),
            backend,
            ids: Ids::new(Arc::clone(&clock), context.entropy),
            clock,
            blobs,
            settings,
            pseudonyms: Arc::default(),
            keys_looked_at: Arc::new(AtomicI64::new(i64::MIN)),
            counts: rate::Memory::default(),
            delivery_news: Arc::default(),
        })
    }
}
