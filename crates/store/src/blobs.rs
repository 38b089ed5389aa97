//! Blobs: stored files under names that cannot be guessed. A file is there completely or not at
//! all, and what was acknowledged is on disk.

mod folder;
mod sync;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::folder::Folder;
use crate::Error;

/// The lengths a name may have, in bytes: at least what 128 random bits take in base 64.
const NAME_BYTES: std::ops::RangeInclusive<usize> = 16..=128;

/// The stored files.
#[derive(Clone, Debug)]
pub struct Blobs {
    folder: Arc<Folder>,
}

/// A stored file, opened for reading.
#[derive(Debug)]
pub struct Blob {
    /// The file, at its beginning.
    pub file: tokio::fs::File,
    /// Its length in bytes.
    pub bytes: u64,
}

impl Blobs {
    /// The blobs in this folder; what an earlier process has left half written is swept away.
    pub(crate) fn open(folder: &Path) -> Result<Self, Error> {
        Ok(Self { folder: Arc::new(Folder::open(folder)?) })
    }

    /// Stores a file durably: when this answers, it survives a crash.
    ///
    /// # Errors
    /// [`Error::BadBlobName`], [`Error::Files`] (then it may be there and not be durable; an
    /// earlier file of this name is never removed).
    pub async fn put<B>(&self, name: &str, bytes: B) -> Result<(), Error>
    where
        B: AsRef<[u8]> + Send + 'static,
    {
        let name = checked(name)?;
        self.blocking(move |folder| folder.put(&name, bytes.as_ref())).await
    }

    /// Opens a file for reading; none where there is none of this name.
    ///
    /// # Errors
    /// [`Error::Files`].
    pub async fn read(&self, name: &str) -> Result<Option<Blob>, Error> {
        let Ok(name) = checked(name) else {
            return Ok(None);
        };
        let found = self.blocking(move |folder| folder.read(&name)).await?;
        Ok(found.map(|(file, bytes)| Blob { file: tokio::fs::File::from_std(file), bytes }))
    }

    /// Whether the file is stored; true only once that is durable.
    ///
    /// # Errors
    /// [`Error::BadBlobName`], [`Error::Files`].
    pub async fn confirm(&self, name: &str) -> Result<bool, Error> {
        let name = checked(name)?;
        self.blocking(move |folder| folder.confirm(&name)).await
    }

    /// Removes a file; whether there was one.
    ///
    /// # Errors
    /// [`Error::BadBlobName`], [`Error::Files`].
    pub async fn delete(&self, name: &str) -> Result<bool, Error> {
        let name = checked(name)?;
        self.blocking(move |folder| folder.delete(&name)).await
    }

    /// Sees whether the folder can be written to.
    pub(crate) async fn ready(&self) -> Result<(), Error> {
        self.blocking(Folder::ready).await
    }

    async fn blocking<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Folder) -> std::io::Result<T> + Send + 'static,
    {
        let folder = Arc::clone(&self.folder);
        let done = tokio::task::spawn_blocking(move || work(&folder)).await;
        done.map_err(|_| Error::Panicked)?.map_err(|error| Error::files(&error))
    }
}

/// A name that is a file of the folder and nothing else, whatever the file system.
fn checked(name: &str) -> Result<PathBuf, Error> {
    let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_');
    let well_formed = NAME_BYTES.contains(&name.len())
        && name.bytes().all(plain)
        && !name.starts_with('.')
        && !name.ends_with('.');
    if well_formed { Ok(PathBuf::from(name)) } else { Err(Error::BadBlobName) }
}
