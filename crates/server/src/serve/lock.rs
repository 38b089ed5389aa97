//! One server on one data folder: recovery at start may then take every open edit for one whose
//! process is gone.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The lock, held as long as this lives. The operating system gives it up when the process ends,
/// however it ends.
#[derive(Debug)]
pub(super) struct DataLock {
    /// Held only to be dropped.
    _file: File,
}

/// Why the data folder cannot be served.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another process serves it.
    #[error(
        "another server works on {0}; stop it, or set RETOUCH_STORE__DATA_DIR to another folder"
    )]
    Taken(PathBuf),
    /// The folder or the lock file cannot be made.
    #[error("the data folder {folder} cannot be used: {cause}")]
    Unusable {
        /// The folder.
        folder: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
}

impl DataLock {
    /// Takes the lock of `folder`, which is made where it does not exist.
    ///
    /// # Errors
    /// When another server has it, or the folder cannot be written.
    pub(super) fn take(folder: &Path) -> Result<Self, LockError> {
        let unusable = |cause| LockError::Unusable { folder: folder.to_owned(), cause };
        std::fs::create_dir_all(folder).map_err(unusable)?;
        let file = File::create(folder.join("retouch.lock")).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(LockError::Taken(folder.to_owned())),
            Err(TryLockError::Error(cause)) => Err(unusable(cause)),
        }
    }
}
