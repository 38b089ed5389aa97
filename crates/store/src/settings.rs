//! Where the store keeps things, and how much it may use.

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retouch_core::{Clock, Credits, Entropy};

use crate::{Address, BlobsPlace, Nobody, Observer};

/// Where the rows are.
#[derive(Clone, Debug)]
pub enum Database {
    /// An SQLite file; its folder is made where it is missing.
    File(PathBuf),
    /// A PostgreSQL server, which several processes may share.
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

/// What is done with a schema that is older than this program's when a store is opened. Where there is
/// none yet, it is made in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// It is brought up to date.
    Migrate,
    /// It is left as it is, for others may be working with it, and the store is not opened.
    AsIs,
}

/// Where the rows and the blobs are, and the store's limits.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the rows are.
    pub database: Database,
    /// Where the blobs are.
    pub blobs: BlobsPlace,
    /// What is done with an older schema.
    pub schema: Schema,
    /// How many queries may read at the same time, each on a connection of its own.
    pub readers_max: usize,
    /// How many commands may wait for whoever writes, on a server for each who does.
    pub queue_max: usize,
    /// How long a call waits for a place in a queue before it is refused, in milliseconds.
    pub wait_ms_max: u64,
    /// On a server: how many connections write at the same time.
    pub writers_max: usize,
    /// On a server: whether its time is taken instead of this machine's, so that nodes agree on it.
    pub takes_servers_time: bool,
    /// How large the embedded database may grow, in bytes; what does not fit is refused.
    pub database_bytes_max: u64,
    /// How many accounts' books whoever writes keeps in memory.
    pub books_cached_max: usize,
    /// How many letters may wait to be sent; 0 where no mail is sent.
    pub letters_max: usize,
    /// How many free credits all sign-ups of a day (of UTC) together are given.
    pub free_credits_per_day_max: Credits,
    /// After how many refusals by providers in a day (of UTC) an account has to wait before it asks one
    /// again; 0: never.
    pub refusals_before_wait: u32,
    /// After how many refusals by providers in a day (of UTC) they are paused for an account until an
    /// administrator has looked; 0: never.
    pub refusals_before_pause: u32,
    /// How long a session lives without being used, in milliseconds.
    pub session_idle_ms: i64,
    /// Who is told what the store does.
    pub observer: Arc<dyn Observer>,
}

impl Settings {
    /// The usual limits, with the rows in an SQLite file and the blobs in a folder.
    pub fn new(database: impl Into<PathBuf>, blobs: impl Into<PathBuf>) -> Self {
        Self::of(Database::File(database.into()), BlobsPlace::Folder(blobs.into()))
    }

    /// The usual limits, with the rows and the blobs in these places.
    pub fn of(database: Database, blobs: BlobsPlace) -> Self {
        Self {
            database,
            blobs,
            schema: Schema::Migrate,
            readers_max: 8,
            writers_max: 4,
            takes_servers_time: false,
            queue_max: 4096,
            wait_ms_max: 5_000,
            database_bytes_max: 1 << 40,
            books_cached_max: 20_000,
            letters_max: 0,
            free_credits_per_day_max: Credits::MAX,
            refusals_before_wait: 0,
            refusals_before_pause: 0,
            session_idle_ms: 14 * 24 * 3_600_000,
            observer: Arc::new(Nobody),
        }
    }
}

/// What the store is given instead of reading the wall clock or making randomness itself.
#[derive(Clone, Debug)]
pub struct Context {
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness, for ids.
    pub entropy: Arc<dyn Entropy>,
}
