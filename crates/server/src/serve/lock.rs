//! Ensures that only one server uses an embedded database. At start-up, every open edit then belongs
//! to a process that is gone.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The lock, held until this is dropped. The operating system releases it when the process ends for
/// any reason.
#[derive(Debug)]
pub(crate) struct DataLock {
    file: File,
}

/// Who uses an embedded database.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// No one.
    Nobody,
    /// A server that accepts requests at this public URL.
    Server(String),
    /// A server that is still starting, or a command such as `retouch move`.
    Other,
}

/// Why the database cannot be used.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another server uses it.
    #[error(
        "another server is using {0}; stop it, or set RETOUCH_STORE__DATA_DIR to another folder"
    )]
    Taken(PathBuf),
    /// The database's folder or its lock file cannot be created.
    #[error("cannot use the folder {folder}: {cause}")]
    Unusable {
        /// The folder.
        folder: PathBuf,
        /// Why.
        cause: io::Error,
    },
}

impl DataLock {
    /// Takes the lock file next to `database`, and creates the folder if it is missing. The lock
    /// belongs to the database, not to the data folder, because two data folders may be configured
    /// with the same database.
    ///
    /// # Errors
    /// When another server has the lock, or the folder is not writable.
    pub(crate) fn take(database: &Path) -> Result<Self, LockError> {
        let folder = database.parent().unwrap_or(database);
        let unusable = |cause| LockError::Unusable { folder: folder.to_owned(), cause };
        retouch_store::make_folder(folder).map_err(unusable)?;
        // Whoever holds the lock may have written its URL, so it is not truncated yet.
        let mut options = File::options();
        options.write(true).create(true).truncate(false);
        let file = options.open(path(database)).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => {
                file.set_len(0).map_err(unusable)?;
                Ok(Self { file })
            }
            Err(TryLockError::WouldBlock) => Err(LockError::Taken(database.to_owned())),
            Err(TryLockError::Error(cause)) => Err(unusable(cause)),
        }
    }

    /// Writes down where the server can be reached, for commands that print links to it.
    pub(crate) fn announce(&self, public_url: &str) {
        // Without it, these commands say that the server is starting.
        let written = (&self.file).write_all(public_url.as_bytes());
        if let Err(error) = written {
            tracing::warn!(%error, "cannot write the server's URL to its lock file");
        }
    }
}

impl Holder {
    /// Finds out who uses `database`.
    ///
    /// # Errors
    /// When the lock file cannot be read.
    pub(crate) fn find(database: &Path) -> io::Result<Self> {
        let file = match File::open(path(database)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::Nobody),
            opened => opened?,
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(Self::Nobody),
            Err(TryLockError::WouldBlock) => Ok(match fs::read_to_string(path(database))? {
                url if url.is_empty() => Self::Other,
                url => Self::Server(url),
            }),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

/// The lock file of a database.
fn path(database: &Path) -> PathBuf {
    database.with_extension("lock")
}
