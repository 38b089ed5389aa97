//! The folder, for callers who must not wait in their thread: each call goes to a thread that may, when
//! there is a place for it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use retouch_core::Timestamp;
use tokio::sync::Semaphore;

use super::blob::Pieces;
use super::folder::Folder;
use super::walk::BlobWalk;
use crate::Error;

/// Calls that may wait for the disk at once, each in a thread. A file takes two to three syncs, so that a
/// disk of 10 ms a sync makes about a thousand files a second durable by these.
const WRITERS_MAX: usize = 32;
/// Calls that may read at once. They have places of their own: what is in the system's memory must not
/// wait for those who write.
const READERS_MAX: usize = 16;
/// What is read of a file at a time, in bytes.
const PIECE_BYTES: u64 = 32 << 10;

/// The files of a folder.
#[derive(Debug)]
pub(super) struct Files {
    folder: Arc<Folder>,
    writers: Arc<Semaphore>,
    readers: Arc<Semaphore>,
    /// Whoever asks whether the folder can be written to does not wait for those who do.
    probes: Arc<Semaphore>,
}

/// A file that is open: it can be read to its end although somebody deletes it meanwhile.
#[derive(Debug)]
pub(super) struct OpenFile {
    file: File,
    readers: Arc<Semaphore>,
}

impl Files {
    pub(super) fn open(folder: &Path) -> Result<Self, Error> {
        let folder = Arc::new(Folder::open(folder)?);
        let places = |most| Arc::new(Semaphore::new(most));
        let (writers, readers) = (places(WRITERS_MAX), places(READERS_MAX));
        Ok(Self { folder, writers, readers, probes: places(1) })
    }

    pub(super) async fn put<B>(&self, name: String, bytes: B) -> Result<(), Error>
    where
        B: AsRef<[u8]> + Send + 'static,
    {
        self.run(&self.writers, move |folder| folder.put(&name, bytes.as_ref())).await
    }

    pub(super) async fn confirm(&self, name: String) -> Result<bool, Error> {
        self.run(&self.writers, move |folder| folder.confirm(&name)).await
    }

    pub(super) async fn delete(&self, name: String) -> Result<(), Error> {
        self.run(&self.writers, move |folder| folder.delete(&name)).await
    }

    pub(super) async fn ready(&self) -> Result<(), Error> {
        self.run(&self.probes, Folder::ready).await
    }

    /// The file and its length in bytes.
    pub(super) async fn read(&self, name: String) -> Result<Option<(OpenFile, u64)>, Error> {
        let found = self.run(&self.readers, move |folder| folder.read(&name)).await?;
        Ok(found.map(|(file, bytes)| {
            let readers = Arc::clone(&self.readers);
            (OpenFile { file, readers }, bytes)
        }))
    }

    pub(super) async fn walk(&self, before: Timestamp) -> Result<BlobWalk, Error> {
        let entries = self.run(&self.readers, Folder::entries).await?;
        Ok(BlobWalk::of_folder((entries, Arc::clone(&self.readers)), before))
    }

    async fn run<T, F>(&self, places: &Arc<Semaphore>, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Folder) -> io::Result<T> + Send + 'static,
    {
        let folder = Arc::clone(&self.folder);
        in_a_thread(places, move || work(&folder)).await
    }
}

impl OpenFile {
    /// The whole content, of which the length is known.
    pub(super) async fn into_bytes(self, bytes: u64) -> Result<Bytes, Error> {
        let Self { mut file, readers } = self;
        let reading = in_a_thread(&readers, move || {
            let mut content = Vec::with_capacity(usize::try_from(bytes).unwrap_or(0));
            file.read_to_end(&mut content).map(|_| content)
        });
        reading.await.map(Bytes::from)
    }

    /// A part of the content.
    pub(super) fn into_pieces(self, part: Range<u64>) -> Pieces {
        let rest = move |(file, part): (Self, Range<u64>)| async move {
            if part.is_empty() {
                return Ok(None);
            }
            let end = part.end.min(part.start + PIECE_BYTES);
            let read = file.piece(part.start..end).await;
            let (file, piece) = read.map_err(io::Error::other)?;
            Ok(Some((piece, (file, end..part.end))))
        };
        stream::try_unfold((self, part), rest).boxed()
    }

    async fn piece(self, part: Range<u64>) -> Result<(Self, Bytes), Error> {
        let Self { mut file, readers } = self;
        let reading = in_a_thread(&readers, move || {
            let length = part.end - part.start;
            let mut piece = vec![0; usize::try_from(length).unwrap_or(0)];
            file.seek(SeekFrom::Start(part.start))?;
            file.read_exact(&mut piece)?;
            Ok((file, Bytes::from(piece)))
        });
        let (file, piece) = reading.await?;
        Ok((Self { file, readers }, piece))
    }
}

/// What `work` gives, in a thread that may wait, when there is a place for it. The place is held until the
/// work is done, even when nobody waits for it any more.
pub(super) async fn in_a_thread<T, F>(places: &Arc<Semaphore>, work: F) -> Result<T, Error>
where
    T: Send + 'static,
    F: FnOnce() -> io::Result<T> + Send + 'static,
{
    let place = Arc::clone(places).acquire_owned().await.map_err(|_| Error::Closed)?;
    let working = tokio::task::spawn_blocking(move || {
        let done = work();
        drop(place);
        done
    });
    working.await.map_err(|_| Error::Panicked)?.map_err(|error| Error::files(&error))
}
