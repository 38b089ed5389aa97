//! Blobs: stored files under names that cannot be guessed, in a folder or on a server that speaks S3.
//! A file is there completely or not at all, and what was acknowledged survives a crash.

mod blob;
mod files;
mod folder;
mod objects;
mod place;
mod s3;
mod sync;
mod walk;

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use retouch_core::Timestamp;

use self::files::Files;
use self::objects::Objects;
use crate::{BlobCall, Error, Nobody, Observer, observer};

pub use blob::{Blob, Pieces};
pub use place::BlobsPlace;
pub use s3::{S3Keys, S3Settings};
pub use walk::BlobWalk;

/// The lengths a name may have, in bytes: at least what 128 random bits take in base 64.
const NAME_BYTES: std::ops::RangeInclusive<usize> = 16..=128;

/// The stored files.
#[derive(Clone, Debug)]
pub struct Blobs {
    kept: Kept,
    observer: Arc<dyn Observer>,
}

#[derive(Clone, Debug)]
enum Kept {
    Files(Arc<Files>),
    Objects(Arc<Objects>),
}

impl Blobs {
    /// The blobs at this place; in a folder, what an earlier process has left half written is
    /// swept away. No server is asked yet.
    ///
    /// # Errors
    /// [`Error::Files`] when the folder cannot be used, or the settings of the server make no sense.
    pub fn open(place: &BlobsPlace) -> Result<Self, Error> {
        let kept = match place {
            BlobsPlace::Folder(folder) => Kept::Files(Arc::new(Files::open(folder)?)),
            BlobsPlace::Memory => Kept::Objects(Arc::new(Objects::in_memory())),
            BlobsPlace::S3(settings) => Kept::Objects(Arc::new(s3::open(settings)?)),
        };
        Ok(Self { kept, observer: Arc::new(Nobody) })
    }

    /// The same, with somebody who is told of every call.
    pub fn observed_by(self, observer: Arc<dyn Observer>) -> Self {
        Self { observer, ..self }
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
        let putting = async {
            match &self.kept {
                Kept::Files(files) => files.put(name, bytes).await,
                Kept::Objects(objects) => objects.put(&name, Bytes::from_owner(bytes)).await,
            }
        };
        self.observed("put", putting).await
    }

    /// Finds a file for reading; none where there is none of this name.
    ///
    /// # Errors
    /// [`Error::Files`].
    pub async fn read(&self, name: &str) -> Result<Option<Blob>, Error> {
        let Ok(name) = checked(name) else {
            return Ok(None);
        };
        let finding = async {
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

    /// Whether the file is stored; true only once that is durable, false only where the place that it
    /// would be in is there.
    ///
    /// # Errors
    /// [`Error::BadBlobName`], [`Error::Files`].
    pub async fn confirm(&self, name: &str) -> Result<bool, Error> {
        let name = checked(name)?;
        let confirming = async {
            match &self.kept {
                Kept::Files(files) => files.confirm(name).await,
                // A server shows only what is complete and durable.
                Kept::Objects(objects) => objects.confirm(&name).await,
            }
        };
        self.observed("confirm", confirming).await
    }

    /// Removes a file; that there is none is as good.
    ///
    /// # Errors
    /// [`Error::BadBlobName`], [`Error::Files`].
    pub async fn delete(&self, name: &str) -> Result<(), Error> {
        let name = checked(name)?;
        let deleting = async {
            match &self.kept {
                Kept::Files(files) => files.delete(name).await,
                Kept::Objects(objects) => objects.delete(&name).await,
            }
        };
        self.observed("delete", deleting).await
    }

    /// An address at which anybody can get the file from its server for so long, in milliseconds,
    /// and which holds a proof of that; none where no such server is. Whether there is a file of
    /// this name is not looked at.
    ///
    /// # Errors
    /// [`Error::BadBlobName`], [`Error::Files`] when there is no key to sign with.
    pub async fn address(&self, name: &str, valid_ms: u64) -> Result<Option<String>, Error> {
        let name = checked(name)?;
        match &self.kept {
            Kept::Files(_) => Ok(None),
            Kept::Objects(objects) => objects.address(&name, valid_ms).await,
        }
    }

    /// Begins to go through the names of all files that were stored before a time.
    ///
    /// # Errors
    /// [`Error::Files`].
    pub async fn walk(&self, before: Timestamp) -> Result<BlobWalk, Error> {
        match &self.kept {
            Kept::Files(files) => files.walk(before).await,
            Kept::Objects(objects) => Ok(BlobWalk::of_objects(Arc::clone(objects), before)),
        }
    }

    /// Sees whether the folder can be written to, or the server answers for its bucket.
    ///
    /// # Errors
    /// [`Error::Files`].
    pub async fn ready(&self) -> Result<(), Error> {
        match &self.kept {
            Kept::Files(files) => files.ready().await,
            Kept::Objects(objects) => objects.ready().await,
        }
    }

    /// What `call` gives, told of.
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

/// A name that is a file of the folder and nothing else, whatever the file system.
fn checked(name: &str) -> Result<String, Error> {
    let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_');
    let well_formed = NAME_BYTES.contains(&name.len())
        && name.bytes().all(plain)
        && !name.starts_with('.')
        && !name.ends_with('.');
    if well_formed { Ok(name.to_owned()) } else { Err(Error::BadBlobName) }
}
