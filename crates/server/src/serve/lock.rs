//! One server on one database: recovery at start may then take every open edit for one whose
//! process is gone.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The lock, held as long as this lives. The operating system gives it up when the process ends,
/// however it ends.
#[derive(Debug)]
pub(crate) struct DataLock {
    /// Held only to be dropped.
    _file: File,
}

/// Why the database cannot be served.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another process serves it.
    #[error(
        "another server works on {0}; stop it, or set RETOUCH_STORE__DATA_DIR to another folder"
    )]
    Taken(PathBuf),
    /// The database's folder or the lock file in it cannot be made.
    #[error("the folder {folder} cannot be used: {cause}")]
    Unusable {
        /// The folder.
        folder: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
}

impl DataLock {
    /// Takes the lock beside `database`, whose folder is made where it does not exist. The lock
    /// is the database's own, since two data folders may be set to one database.
    ///
    /// # Errors
    /// When another server has it, or the folder cannot be written.
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
