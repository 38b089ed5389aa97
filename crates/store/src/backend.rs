//! The database behind the store. Only this module and those below it know which one it is.

use std::path::Path;
use std::sync::Arc;

use retouch_core::rate::Taken;
use retouch_core::{Clock, Timestamp};

use crate::postgres::Node;
use crate::query::{self, Query};
use crate::queue::{Durability, Queue, Touches};
use crate::rate::{self, Limit, Memory, Refused, Whose};
use crate::rows::Rows;
use crate::sqlite::{self, Log, Readers};
use crate::transaction::Transaction;
use crate::{Context, Database, Error, Settings};

/// The connections for writing and reading. Clones share them.
#[derive(Clone, Debug)]
pub(crate) enum Backend {
    /// The embedded database, with one writer and several readers.
    Sqlite {
        /// The queue of the writer.
        writer: Queue,
        /// The read connections.
        readers: Readers,
        /// What it writes before the database file.
        log: Arc<Log>,
        /// The rate limiter's counts.
        counts: Memory,
    },
    /// A PostgreSQL server, which this node shares with others.
    Postgres {
        /// The connections.
        node: Node,
        /// Callers over a rate limit. They are refused without a query until they may try again, so
        /// that repeated attempts cost other callers no connection.
        refused: Memory,
    },
}

impl Backend {
    /// Opens the database, and migrates its schema if the settings say so.
    pub(crate) fn open(settings: &Arc<Settings>, context: &Context) -> Result<Self, Error> {
        match &settings.database {
            Database::File(path) => Self::open_file(settings, path, Arc::clone(&context.clock)),
            Database::Server(address) => {
                let node = Node::open(settings, address, context)?;
                Ok(Self::Postgres { node, refused: Memory::default() })
            }
        }
    }

    /// Runs `work` in a transaction with exclusive access to what it touches.
    pub(crate) async fn write<T, F>(
        &self,
        (touches, durability): (Touches, Durability),
        work: F,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut Transaction<'_>) -> Result<T, Error> + Send + 'static,
    {
        match self {
            Self::Sqlite { writer, .. } => writer.write((touches, durability), work).await,
            Self::Postgres { node, .. } => node.write(touches, work).await,
        }
    }

    /// Runs `work`, which touches single rows, later in the background. It may get lost.
    pub(crate) fn post<F>(&self, work: F)
    where
        F: FnMut(&mut Transaction<'_>) -> Result<(), Error> + Send + 'static,
    {
        match self {
            Self::Sqlite { writer, .. } => writer.post(work),
            Self::Postgres { node, .. } => node.post(work),
        }
    }

    /// The write-ahead log of the embedded database.
    pub(crate) fn log(&self) -> Option<&Arc<Log>> {
        match self {
            Self::Sqlite { log, .. } => Some(log),
            Self::Postgres { .. } => None,
        }
    }

    /// One consistent read. Of what it finds, everything is on disk that has to be.
    pub(crate) async fn read(&self, query: Query) -> Result<(), Error> {
        match self {
            Self::Sqlite { readers, log, .. } => {
                readers.read(query).await?;
                log.settled().await
            }
            Self::Postgres { node, .. } => node.read(query).await,
        }
    }

    /// Like [`Self::read`], for queries that may take long.
    pub(crate) async fn report(&self, query: Query) -> Result<(), Error> {
        match self {
            Self::Sqlite { .. } => self.read(query).await,
            Self::Postgres { node, .. } => node.report(query).await,
        }
    }

    /// Reads one or two rows by an index. Of what it finds, everything is on disk that has to be.
    pub(crate) async fn read_row(&self, query: Query) -> Result<(), Error> {
        self.peek_row(query).await?;
        self.settled().await
    }

    /// Waits until what the embedded database has committed is on disk, as far as it has to be.
    pub(crate) async fn settled(&self) -> Result<(), Error> {
        match self {
            Self::Sqlite { log, .. } => log.settled().await,
            Self::Postgres { .. } => Ok(()),
        }
    }

    /// Reads one or two rows by an index. What it finds may not be on disk yet.
    pub(crate) async fn peek_row(&self, query: Query) -> Result<(), Error> {
        match self {
            Self::Sqlite { readers, log, .. } => {
                log.check()?;
                readers.read_row(query).await
            }
            Self::Postgres { node, .. } => node.single_statement(query).await,
        }
    }

    /// Counts a call against a limit. Returns whether it is allowed, and the new count.
    pub(crate) async fn count(
        &self,
        limit: Limit,
        whose: Whose,
        now: Timestamp,
    ) -> Result<(bool, Taken), Error> {
        match self {
            Self::Sqlite { counts, .. } => Ok(counts.count(limit, whose, now)),
            Self::Postgres { node, refused } => {
                if let Some(taken) = refused.find_refused(limit, whose, now) {
                    return Ok((false, taken));
                }
                let (query, answer) =
                    query::erased(move |rows| rate::count(rows, limit, whose, now));
                node.single_statement(query).await?;
                let (may_come, taken) = answer.take()?;
                if !may_come {
                    refused.refuse(&Refused { limit, whose, taken }, now);
                }
                Ok((may_come, taken))
            }
        }
    }

    /// The count of a caller that this node knows to be over the limit.
    pub(crate) fn find_refused(&self, limit: Limit, whose: Whose, now: Timestamp) -> Option<Taken> {
        match self {
            Self::Sqlite { counts: known, .. } | Self::Postgres { refused: known, .. } => {
                known.find_refused(limit, whose, now)
            }
        }
    }

    /// Undoes one count.
    pub(crate) async fn give_back(&self, limit: Limit, whose: Whose) -> Result<(), Error> {
        match self {
            Self::Sqlite { counts, .. } => {
                counts.give_back(limit, whose);
                Ok(())
            }
            Self::Postgres { node, refused } => {
                refused.give_back(limit, whose);
                let query = move |rows: &Rows| rate::give_back(rows, limit, whose);
                node.single_statement(Box::new(query)).await
            }
        }
    }

    /// Forgets counts that no longer matter. Returns how many.
    pub(crate) async fn forget_counts(&self, now: Timestamp) -> Result<usize, Error> {
        match self {
            Self::Sqlite { counts, .. } => Ok(counts.forget(now)),
            Self::Postgres { node, refused } => {
                refused.forget(now);
                let (query, answer) = query::erased(move |rows| rate::forget(rows, now));
                node.single_statement(query).await?;
                answer.take()
            }
        }
    }

    /// The clock to use instead of this machine's, if any.
    pub(crate) fn clock(&self) -> Option<Arc<dyn Clock>> {
        match self {
            Self::Sqlite { .. } => None,
            Self::Postgres { node, .. } => node.clock(),
        }
    }

    /// Corrects that clock.
    pub(crate) async fn set_clock_right(&self) -> Result<(), Error> {
        match self {
            Self::Sqlite { .. } => Ok(()),
            Self::Postgres { node, .. } => node.set_clock_right().await,
        }
    }

    /// Finishes what is queued, then closes.
    pub(crate) async fn close(&self) -> Result<(), Error> {
        match self {
            Self::Sqlite { writer, readers, .. } => {
                readers.close();
                writer.stop().await
            }
            Self::Postgres { node, .. } => node.close().await,
        }
    }

    fn open_file(
        settings: &Arc<Settings>,
        path: &Path,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Error> {
        sqlite::make_folder(path)?;
        sqlite::prepare(&Rows::Sqlite(sqlite::connect(settings, path)?), settings)?;
        let (writer, log) = sqlite::start(settings, path, clock)?;
        Ok(Self::Sqlite {
            writer,
            log,
            readers: Readers::new(Arc::clone(settings), path),
            counts: Memory::default(),
        })
    }
}
