//! The handle on the store.

use std::path::Path;
use std::sync::Arc;

use retouch_core::{Clock, Ids};
use rusqlite::{Connection, params};

use crate::sqlite::{Readers, Unit, Writer, connect, migrate};
use crate::{Blobs, Context, Error, Settings};

/// The rows and the blobs; clones share one writer and one set of readers.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) settings: Arc<Settings>,
    writer: Writer,
    readers: Readers,
    blobs: Blobs,
}

impl Store {
    /// Opens the store: makes its folders where they are missing, brings the schema up to date,
    /// starts the writer.
    ///
    /// # Errors
    /// [`Error::Database`], [`Error::Files`], [`Error::TooNew`].
    pub async fn open(settings: &Settings, context: Context) -> Result<Self, Error> {
        let settings = Arc::new(settings.clone());
        let opening = tokio::task::spawn_blocking(move || Self::open_now(settings, context));
        opening.await.map_err(|_| Error::Panicked)?
    }

    /// Sees whether the database answers and can be written to, and so can the blobs' folder.
    ///
    /// # Errors
    /// What is not so.
    pub async fn ready(&self) -> Result<(), Error> {
        self.write(|unit| {
            let sql = "INSERT INTO heartbeat (id, at) VALUES (1, ?1)
                       ON CONFLICT (id) DO UPDATE SET at = excluded.at";
            unit.rows().prepare_cached(sql)?.execute(params![unit.now().0])?;
            Ok(())
        })
        .await?;
        self.blobs.ready().await
    }

    /// The stored files.
    pub fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// Answers every command that has queued, then closes; clones answer [`Error::Closed`] from
    /// then on. A store that is dropped instead loses nothing that was acknowledged.
    ///
    /// # Errors
    /// [`Error::Database`] when the log cannot be moved into the database file (the next start
    /// does it), [`Error::Closed`] when it is closed already.
    pub async fn close(&self) -> Result<(), Error> {
        self.readers.close();
        self.writer.stop().await
    }

    /// One transaction of the writer; see [`Writer::write`].
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut Unit<'_>) -> Result<T, Error> + Send + 'static,
    {
        self.writer.write(work).await
    }

    /// A write that nobody waits for and that may be lost.
    pub(crate) fn post<F>(&self, work: F)
    where
        F: FnMut(&mut Unit<'_>) -> Result<(), Error> + Send + 'static,
    {
        self.writer.post(work);
    }

    /// One consistent read.
    pub(crate) async fn read<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, Error> + Send + 'static,
    {
        self.readers.read(query).await
    }

    /// One consistent read of a row or two by an index; see [`Readers::glance`].
    pub(crate) async fn glance<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, Error> + Clone + Send + 'static,
    {
        self.readers.glance(query).await
    }

    fn open_now(settings: Arc<Settings>, context: Context) -> Result<Self, Error> {
        if let Some(folder) = settings.database.parent().filter(|it| *it != Path::new("")) {
            std::fs::create_dir_all(folder).map_err(|error| Error::files(&error))?;
        }
        let blobs = Blobs::open(&settings.blobs)?;
        migrate(&mut connect(&settings)?)?;
        Ok(Self {
            ids: Ids::new(Arc::clone(&context.clock), context.entropy),
            writer: Writer::start(&settings, Arc::clone(&context.clock))?,
            readers: Readers::new(Arc::clone(&settings)),
            clock: context.clock,
            blobs,
            settings,
        })
    }
}
