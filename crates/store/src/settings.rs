//! The store's settings: where the data is, and the limits.

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retouch_core::{Clock, Credits, Entropy};

use crate::{Address, BlobsPlace, Nobody, Observer, STEPS, Step};

/// The database.
#[derive(Clone, Debug)]
pub enum Database {
    /// An SQLite file. Its folder is created if it does not exist.
    File(PathBuf),
    /// A PostgreSQL server, which several processes can share.
    Server(Address),
}

impl Database {
    /// The file of the embedded database.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Server(_) => None,
        }
    }
}

impl Display for Database {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(formatter),
            Self::Server(address) => address.fmt(formatter),
        }
    }
}

/// What to do when opening a store whose schema is older than this program, or missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// Migrate or create it.
    Migrate,
    /// Leave it unchanged, because other processes may be using it, and fail to open.
    AsIs,
}

/// Where the data is, and the limits of the store.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The database.
    pub database: Database,
    /// The place of the stored files.
    pub blobs: BlobsPlace,
    /// What to do with an older schema.
    pub schema: Schema,
    /// The migrations that make the schema. Only tests of migrating have others than [`STEPS`].
    pub steps: &'static [Step],
    /// How many queries may read at the same time. Each takes a connection.
    pub readers_max: usize,
    /// How many commands may wait in the queue of a writer. On a server, each writer has its own
    /// queue.
    pub queue_max: usize,
    /// How long a call waits for a place in a queue before it fails, in milliseconds.
    pub wait_ms_max: u64,
    /// On a server: the number of connections that write.
    pub writers_max: usize,
    /// On a server: whether to use its clock instead of this machine's, so that all nodes agree on
    /// the time.
    pub takes_servers_time: bool,
    /// The maximum size of the embedded database, in bytes. Writes that exceed it fail.
    pub database_bytes_max: u64,
    /// How many accounts' ledger states a writer keeps in memory.
    pub books_cached_max: usize,
    /// How many emails may wait to be sent. 0 if email is not configured.
    pub emails_max: usize,
    /// Below how many credits an account is told that they run low. Zero: never.
    pub low_credits: Credits,
    /// How many free credits all sign-ups of a day (UTC) together may receive.
    pub free_credits_per_day_max: Credits,
    /// After how many refusals by providers in a day (UTC) an account must wait before its next
    /// call to one. 0 means never.
    pub refusals_before_wait: u32,
    /// After how many refusals by providers in a day (UTC) paid providers are paused for an account
    /// until an administrator reviews it. 0 means never.
    pub refusals_before_pause: u32,
    /// How long an unused session stays valid, in milliseconds.
    pub session_idle_ms: i64,
    /// Notified of what the store does.
    pub observer: Arc<dyn Observer>,
}

impl Settings {
    /// The default limits, with the database in an SQLite file and the files in a folder.
    pub fn new(database: impl Into<PathBuf>, blobs: impl Into<PathBuf>) -> Self {
        Self::of(Database::File(database.into()), BlobsPlace::Folder(blobs.into()))
    }

    /// Whether no other process serves from the embedded database. Commands that run beside a service
    /// leave the schema as it is.
    pub(crate) fn is_alone(&self) -> bool {
        self.schema == Schema::Migrate
    }

    /// The default limits, with the data in these places.
    pub fn of(database: Database, blobs: BlobsPlace) -> Self {
        Self {
            database,
            blobs,
            schema: Schema::Migrate,
            steps: STEPS,
            readers_max: 8,
            writers_max: 4,
            takes_servers_time: false,
            queue_max: 4096,
            wait_ms_max: 5_000,
            database_bytes_max: 1 << 40,
            books_cached_max: 20_000,
            emails_max: 0,
            low_credits: Credits::ZERO,
            free_credits_per_day_max: Credits::MAX,
            refusals_before_wait: 0,
            refusals_before_pause: 0,
            session_idle_ms: 14 * 24 * 3_600_000,
            observer: Arc::new(Nobody),
        }
    }
}

/// The sources of time and randomness, which the store takes as parameters so that tests can
/// control them.
#[derive(Clone, Debug)]
pub struct Context {
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Randomness, for ids.
    pub entropy: Arc<dyn Entropy>,
}
