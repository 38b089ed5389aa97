//! The database below the verbs: which one it is, is known here and below, and nowhere else.

use std::path::Path;
use std::sync::Arc;

use retouch_core::rate::Taken;
use retouch_core::{Clock, Timestamp};

use crate::postgres::Node;
use crate::rate::{self, Limit, Memory, Whose};
use crate::rows::Rows;
use crate::sqlite::{self, Readers};
use crate::unit::Unit;
use crate::work::{Queue, Touches};
use crate::{Context, Database, Error, Settings};

/// Who writes and who reads; clones share both.
#[derive(Clone, Debug)]
pub(crate) enum Backend {
    /// The embedded database: one writer, and readers beside it.
    Sqlite {
        /// The queue of the one who writes.
        writer: Queue,
        /// Those who read.
        readers: Readers,
        /// Who has come lately.
        counts: Memory,
    },
    /// This process among those that use a server.
    Postgres {
        /// Its connections.
        node: Node,
        /// Who has come too often: they are refused without a question until one time is theirs again, so
        /// that whoever goes on trying costs nobody else a connection.
        refused: Memory,
    },
}

impl Backend {
    /// Opens the database, and brings its schema up to date where that is wanted.
    pub(crate) fn open(settings: &Arc<Settings>, context: &Context) -> Result<Self, Error> {
        match &settings.database {
            Database::File(path) => Self::open_file(settings, path, Arc::clone(&context.clock)),
            Database::Server(address) => {
                let node = Node::open(settings, address, context)?;
                Ok(Self::Postgres { node, refused: Memory::default() })
            }
        }
    }

    /// Runs `work` in a transaction that has what it touches to itself.
    pub(crate) async fn write<T, F>(&self, touches: Touches, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut Unit<'_>) -> Result<T, Error> + Send + 'static,
    {
        match self {
            Self::Sqlite { writer, .. } => writer.write(touches, work).await,
            Self::Postgres { node, .. } => node.write(touches, work).await,
        }
    }

    /// Runs `work`, which touches single rows, some time or never.
    pub(crate) fn post<F>(&self, work: F)
    where
        F: FnMut(&mut Unit<'_>) -> Result<(), Error> + Send + 'static,
    {
        match self {
            Self::Sqlite { writer, .. } => writer.post(work),
            Self::Postgres { node, .. } => node.post(work),
        }
    }

    /// One consistent read.
    pub(crate) async fn read<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Rows) -> Result<T, Error> + Send + 'static,
    {
        match self {
            Self::Sqlite { readers, .. } => readers.read(query).await,
            Self::Postgres { node, .. } => node.read(query).await,
        }
    }

    /// Like [`Self::read`] for what may take long.
    pub(crate) async fn report<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Rows) -> Result<T, Error> + Send + 'static,
    {
        match self {
            Self::Sqlite { readers, .. } => readers.read(query).await,
            Self::Postgres { node, .. } => node.report(query).await,
        }
    }

    /// One query for a row or two by an index.
    pub(crate) async fn glance<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Rows) -> Result<T, Error> + Clone + Send + 'static,
    {
        match self {
            Self::Sqlite { readers, .. } => readers.glance(query).await,
            Self::Postgres { node, .. } => node.glance(query).await,
        }
    }

    /// Counts somebody who comes; whether they may, and what they have taken then.
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
                let counting = node.glance(move |rows| rate::count(rows, (limit, whose), now));
                let (may_come, taken) = counting.await?;
                if !may_come {
                    refused.refuse(limit, whose, (taken, now));
                }
                Ok((may_come, taken))
            }
        }
    }

    /// What somebody has taken who is known to this node to have taken all of it.
    pub(crate) fn find_refused(&self, limit: Limit, whose: Whose, now: Timestamp) -> Option<Taken> {
        match self {
            Self::Sqlite { counts: known, .. } | Self::Postgres { refused: known, .. } => {
                known.find_refused(limit, whose, now)
            }
        }
    }

    /// Gives back one time that was counted.
    pub(crate) async fn give_back(&self, limit: Limit, whose: Whose) -> Result<(), Error> {
        match self {
            Self::Sqlite { counts, .. } => {
                counts.give_back(limit, whose);
                Ok(())
            }
            Self::Postgres { node, refused } => {
                refused.give_back(limit, whose);
                node.glance(move |rows| rate::give_back(rows, (limit, whose))).await
            }
        }
    }

    /// Forgets who has come and is past; of how many.
    pub(crate) async fn forget_counts(&self, now: Timestamp) -> Result<usize, Error> {
        match self {
            Self::Sqlite { counts, .. } => Ok(counts.forget(now)),
            Self::Postgres { node, refused } => {
                refused.forget(now);
                node.glance(move |rows| rate::forget(rows, now)).await
            }
        }
    }

    /// The time that is taken instead of this machine's.
    pub(crate) fn clock(&self) -> Option<Arc<dyn Clock>> {
        match self {
            Self::Sqlite { .. } => None,
            Self::Postgres { node, .. } => node.clock(),
        }
    }

    /// Sets the time right that is taken instead of this machine's.
    pub(crate) async fn set_clock_right(&self) -> Result<(), Error> {
        match self {
            Self::Sqlite { .. } => Ok(()),
            Self::Postgres { node, .. } => node.set_clock_right().await,
        }
    }

    /// Answers what has queued, then closes.
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
        sqlite::prepare(&mut sqlite::connect(settings, path)?, settings.schema)?;
        Ok(Self::Sqlite {
            writer: sqlite::start(settings, path, clock)?,
            readers: Readers::new(Arc::clone(settings), path),
            counts: Memory::default(),
        })
    }
}
