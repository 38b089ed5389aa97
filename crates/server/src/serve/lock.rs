//! Ensures that only one server uses an embedded database. At start-up, every open edit then belongs
//! to a process that is gone.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The lock, held until this is dropped. The operating system releases it when the process ends for
/// any reason.
#[derive(Debug)]
pub(crate) struct DataLock {
    /// Held only to be dropped.
    _file: File,
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
        cause: std::io::Error,
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
        let file = File::create(database.with_extension("lock")).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(LockError::Taken(database.to_owned())),
            Err(TryLockError::Error(cause)) => Err(unusable(cause)),
        }
    }
}
