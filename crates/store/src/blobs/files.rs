//! The folder, for async callers. Each call runs on a thread that may block, once a permit is free.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use retouch_core::Timestamp;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use super::blob::Pieces;
use super::folder::{Folder, Unnamed};
use super::walk::BlobWalk;
use crate::Error;

/// How many calls may block on writing at the same time, each on a thread. A file takes two to
/// three syncs, so if a sync takes 10 ms, this is enough for about a thousand durable files per
/// second.
const WRITERS_MAX: usize = 32;
/// How many calls may read at the same time. They have permits of their own, because reading from
/// the page cache must not wait for writes.
const READERS_MAX: usize = 16;
/// How much of a file is read at a time, in bytes.
const PIECE_BYTES: u64 = 32 << 10;

/// The files of a folder.
#[derive(Debug)]
pub(super) struct Files {
    folder: Arc<Folder>,
    writers: Arc<Semaphore>,
    readers: Arc<Semaphore>,
    /// Checking whether the folder is writable must not wait for those who write.
    probes: Arc<Semaphore>,
}

/// An open file. It can be read to its end even if it is deleted meanwhile.
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

    /// Stores a file, which gets its name once `before_naming` has ended, too. That is awaited while
    /// the file is written, because each of them waits for the disk.
    pub(super) async fn put<B>(
        &self,
        (name, bytes): (String, B),
        before_naming: Option<JoinHandle<io::Result<()>>>,
    ) -> Result<(), Error>
    where
        B: AsRef<[u8]> + Send + 'static,
    {
        let runtime = Handle::current();
        let before_naming = move || match before_naming {
            Some(ending) => runtime.block_on(ending).map_err(io::Error::other)?,
            None => Ok(()),
        };
        let put = move |folder: &Folder| {
            let unnamed = folder.write(bytes.as_ref())?;
            before_naming()?;
            folder.name(&unnamed, &name)
        };
        self.run(&self.writers, put).await
    }

    /// Starts to write a file, which has no name until [`Files::name`] gives it one. `None` if too many
    /// are being written.
    pub(super) fn write(&self, bytes: Bytes) -> Option<JoinHandle<io::Result<Unnamed>>> {
        let place = Arc::clone(&self.writers).try_acquire_owned().ok()?;
        let folder = Arc::clone(&self.folder);
        Some(tokio::task::spawn_blocking(move || {
            let written = folder.write(&bytes);
            drop(place);
            written
        }))
    }

    /// Names a written file.
    pub(super) async fn name(&self, unnamed: Unnamed, name: String) -> Result<(), Error> {
        self.run(&self.writers, move |folder| folder.name(&unnamed, &name)).await
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
    /// The whole content, whose length is known.
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

/// Runs `work` on a thread that may block, once a permit is free. The permit is held until the work
/// is done, even if the caller no longer waits for it.
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
