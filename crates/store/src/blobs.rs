//! Blobs: stored files with names that cannot be guessed, in a folder or on an S3 server, and small
//! ones in the embedded database. A file is stored completely or not at all, and an acknowledged
//! file survives a crash.

mod archive;
mod blob;
mod direct;
mod files;
mod folder;
mod objects;
mod place;
mod s3;
pub(crate) mod small;
mod walk;

use std::io;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use retouch_core::Timestamp;
use tokio::task::JoinHandle;

use self::files::Files;
use self::folder::Unnamed;
use self::objects::Objects;
use self::small::SmallFiles;
use crate::backend::Backend;
use crate::sqlite::Log;
use crate::{BlobCall, Error, Nobody, Observer, observer};

pub use archive::Filed;
pub use blob::{Blob, Pieces};
pub use place::BlobsPlace;
pub use s3::{S3Keys, S3Settings};
pub use walk::BlobWalk;

/// The valid lengths of a name, in bytes. The minimum is enough for 128 random bits in base64.
const NAME_BYTES: std::ops::RangeInclusive<usize> = 16..=128;

/// The stored files.
#[derive(Clone, Debug)]
pub struct Blobs {
    kept: Kept,
    small: Option<SmallFiles>,
    log: Option<Arc<Log>>,
    observer: Arc<dyn Observer>,
}

#[derive(Clone, Debug)]
enum Kept {
    Files(Arc<Files>),
    Objects(Arc<Objects>),
}

/// A file that is being written and has no name yet. Dropping this removes it.
#[derive(Debug)]
pub struct Begun {
    bytes: Bytes,
    writing: JoinHandle<io::Result<Unnamed>>,
    syncing_rows: Option<JoinHandle<io::Result<()>>>,
}

impl Blobs {
    /// Opens the storage. In a folder, this removes unfinished files of earlier processes. It does
    /// not connect to a server yet.
    ///
    /// # Errors
    /// [`Error::Files`] if the folder cannot be used or the settings of the server are invalid.
    pub fn open(place: &BlobsPlace) -> Result<Self, Error> {
        let kept = match place {
            BlobsPlace::Folder(folder) => Kept::Files(Arc::new(Files::open(folder)?)),
            BlobsPlace::Memory => Kept::Objects(Arc::new(Objects::in_memory())),
            BlobsPlace::S3(settings) => Kept::Objects(Arc::new(s3::open(settings)?)),
        };
        Ok(Self { kept, small: None, log: None, observer: Arc::new(Nobody) })
    }

    /// The same blobs, next to this database.
    pub(crate) fn beside(self, backend: &Backend) -> Self {
        Self { small: SmallFiles::of(backend), log: backend.log().cloned(), ..self }
    }

    /// Whether a file of this length is stored in the database, by the transaction that needs it
    /// ([`crate::Outcome::Succeeded`]), instead of with [`Blobs::put`].
    pub fn is_small(&self, bytes: usize) -> bool {
        let is_in_a_folder = matches!(self.kept, Kept::Files(_));
        is_in_a_folder && self.small.is_some() && bytes <= small::BYTES_MAX
    }

    /// The same blobs, with an observer that is notified of every call.
    pub fn observed_by(self, observer: Arc<dyn Observer>) -> Self {
        Self { observer, ..self }
    }

    /// Stores a file durably: once this returns, the file survives a crash. So does what the
    /// database has acknowledged before, because a file must not outlive the row that names it.
    ///
    /// # Errors
    /// [`Error::BadBlobName`], [`Error::Files`] (then the file may exist without being durable; an
    /// earlier file of this name is never removed).
    pub async fn put<B>(&self, name: &str, bytes: B) -> Result<(), Error>
    where
        B: AsRef<[u8]> + Send + 'static,
    {
        let name = checked(name)?;
        let putting = async {
            match &self.kept {
                Kept::Files(files) => files.put((name, bytes), self.sync_rows()).await,
                Kept::Objects(objects) => {
                    synced(self.sync_rows()).await?;
                    objects.put(&name, Bytes::from_owner(bytes)).await
                }
            }
        };
        self.observed("put", putting).await
    }

    /// Starts to write a file that [`Blobs::put_begun`] may store later, which then waits less for the
    /// disk. Until then it has no name, and dropping what this returns removes it. `None` where
    /// that gains nothing: for small files, on a server, and where many files are being written.
    pub fn begin(&self, bytes: &Bytes) -> Option<Begun> {
        let Kept::Files(files) = &self.kept else { return None };
        if bytes.len() <= small::BYTES_MAX {
            return None;
        }
        let writing = files.write(bytes.clone())?;
        Some(Begun { bytes: bytes.clone(), writing, syncing_rows: self.sync_rows() })
    }

    /// Stores a file as [`Blobs::put`] does, with what [`Blobs::begin`] has begun. It makes durable only
    /// what the database had acknowledged when that was called.
    ///
    /// # Errors
    /// As [`Blobs::put`].
    pub async fn put_begun(&self, name: &str, begun: Begun) -> Result<(), Error> {
        let Kept::Files(files) = &self.kept else { return self.put(name, begun.bytes).await };
        let name = checked(name)?;
        let putting = async {
            let written = begun.writing.await.map_err(|_| Error::Panicked)?;
            let unnamed = written.map_err(|error| Error::files(&error))?;
            synced(begun.syncing_rows).await?;
            files.name(unnamed, name).await
        };
        self.observed("put", putting).await
    }

    /// Starts to make durable what the database has acknowledged. `None` if it is.
    fn sync_rows(&self) -> Option<JoinHandle<io::Result<()>>> {
        let log = self.log.clone().filter(|log| !log.is_synced())?;
        Some(tokio::task::spawn_blocking(move || log.sync().map_err(io::Error::other)))
    }

    /// Opens a file for reading. `None` if there is no such file.
    ///
    /// # Errors
    /// [`Error::Files`].
    pub async fn read(&self, name: &str) -> Result<Option<Blob>, Error> {
        let Ok(name) = checked(name) else {
            return Ok(None);
        };
        let finding = async {
            if let Some((small, bytes)) = self.find_small(&name).await? {
                return Ok(Some(Blob::of_row(small.clone(), name, bytes)));
            }
            match &self.kept {
                Kept::Files(files) => {
                    let found = files.read(name).await?;
                    Ok(found.map(|(file, bytes)| Blob::of_file(file, bytes)))
                }
                Kept::Objects(objects) => {
                    let bytes = objects.find(&name).await?;
                    Ok(bytes.map(|bytes| Blob::of_object(Arc::clone(objects), name, bytes)))
                }
            }
        };
        self.observed("read", finding).await
    }

    /// Whether the file is durably stored. Fails, rather than saying `false`, if the folder or
    /// bucket is missing.
    ///
    /// # Errors
    /// [`Error::BadBlobName`], [`Error::Files`].
    pub async fn confirm(&self, name: &str) -> Result<bool, Error> {
        let name = checked(name)?;
        let confirming = async {
            if self.find_small(&name).await?.is_some() {
                return Ok(true);
            }
            match &self.kept {
                Kept::Files(files) => files.confirm(name).await,
                // A server only lists objects that are complete and durable.
                Kept::Objects(objects) => objects.confirm(&name).await,
            }
        };
        self.observed("confirm", confirming).await
    }

    /// Deletes a file. It is no error if there is none.
    ///
    /// # Errors
    /// [`Error::BadBlobName`], [`Error::Files`].
    pub async fn delete(&self, name: &str) -> Result<(), Error> {
        let name = checked(name)?;
        let deleting = async {
            if let Some(small) = &self.small {
                small.delete(&name).await?;
            }
            match &self.kept {
                Kept::Files(files) => files.delete(name).await,
                Kept::Objects(objects) => objects.delete(&name).await,
            }
        };
        self.observed("delete", deleting).await
    }

    /// A URL at which anyone can download the file from its server for `valid_ms` milliseconds, or
    /// `None` if it is not on a server. Does not check that the file exists.
    ///
    /// # Errors
    /// [`Error::BadBlobName`], [`Error::Files`] if there is no key to sign with.
    pub async fn address(&self, name: &str, valid_ms: u64) -> Result<Option<String>, Error> {
        let name = checked(name)?;
        match &self.kept {
            Kept::Files(_) => Ok(None),
            Kept::Objects(_) if self.find_small(&name).await?.is_some() => Ok(None),
            Kept::Objects(objects) => objects.address(&name, valid_ms).await,
        }
    }

    /// Starts listing the names of all files that were stored before a time, without small ones in the
    /// database.
    ///
    /// # Errors
    /// [`Error::Files`].
    pub async fn walk(&self, before: Timestamp) -> Result<BlobWalk, Error> {
        match &self.kept {
            Kept::Files(files) => files.walk(before).await,
            Kept::Objects(objects) => Ok(BlobWalk::of_objects(Arc::clone(objects), before)),
        }
    }

    /// Checks that the folder is writable, or that the server has the bucket.
    ///
    /// # Errors
    /// [`Error::Files`].
    pub async fn ready(&self) -> Result<(), Error> {
        match &self.kept {
            Kept::Files(files) => files.ready().await,
            Kept::Objects(objects) => objects.ready().await,
        }
    }

    /// The length of a file that is in the database, in bytes.
    async fn find_small(&self, name: &str) -> Result<Option<(&SmallFiles, u64)>, Error> {
        let Some(small) = &self.small else { return Ok(None) };
        Ok(small.find(name).await?.map(|bytes| (small, bytes)))
    }

    /// Runs `call` and notifies the observer.
    async fn observed<T>(
        &self,
        operation: &'static str,
        call: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let began = Instant::now();
        let done = call.await;
        let (outcome, took) = (observer::outcome(&done), began.elapsed());
        self.observer.blob(&BlobCall { operation, outcome, took });
        done
    }
}

impl Begun {
    /// Whether it is this file: the same bytes at the same place in memory.
    pub fn is(&self, file: &Bytes) -> bool {
        std::ptr::eq(self.bytes.as_ref(), file.as_ref())
    }
}

/// Waits until what the database has acknowledged is durable.
async fn synced(syncing: Option<JoinHandle<io::Result<()>>>) -> Result<(), Error> {
    let Some(syncing) = syncing else { return Ok(()) };
    let synced = syncing.await.map_err(|_| Error::Panicked)?;
    synced.map_err(|error| Error::files(&error))
}

/// Checks a name: on any file system, it must name a file in the folder and nothing else.
fn checked(name: &str) -> Result<String, Error> {
    let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_');
    let well_formed = NAME_BYTES.contains(&name.len())
        && name.bytes().all(plain)
        && !name.starts_with('.')
        && !name.ends_with('.');
    if well_formed { Ok(name.to_owned()) } else { Err(Error::BadBlobName) }
}
