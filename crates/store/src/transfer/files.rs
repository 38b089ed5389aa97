//! Copies the stored files from one place to another, and checks afterwards that they exist.

use bytes::Bytes;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use retouch_core::Timestamp;
use tokio::sync::Semaphore;

use super::{Stage, Watch};
use crate::{Blobs, BlobsPlace, Error};

/// How many files are copied at the same time.
const FILES_CONCURRENT_MAX: usize = 8;
/// The maximum total size of files in memory, in MiB. A larger file is copied alone.
const MEMORY_MIB_MAX: u32 = 256;
/// The maximum number of file names in a report.
const NAMES_MAX: usize = 20;

/// The result of copying the stored files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilesMoved {
    /// How many files there are.
    pub count: u64,
    /// Their total size in bytes.
    pub bytes: u64,
    /// How many of them were already at the target.
    pub known: u64,
    /// How many of them differ from the source after copying.
    pub differing: u64,
}

/// The result of looking for the files of all results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultsFound {
    /// How many results there are.
    pub count: u64,
    /// How many have a file in the source, but none of the same size in the final place.
    pub missing: u64,
    /// How many had no file in the source.
    pub lost_before: u64,
    /// The names of some of the missing and lost files.
    pub names: Vec<String>,
}

/// The source and the target of stored files.
pub(super) struct Places {
    source: Blobs,
    target: Blobs,
    /// Whether files are read back after writing. Only done for a folder, where it costs no
    /// network call.
    reads_again: bool,
    room: Semaphore,
}

impl Places {
    /// Opens both places. Without a target, the source is used for both.
    pub(super) fn open(source: &BlobsPlace, target: Option<&BlobsPlace>) -> Result<Self, Error> {
        let opened = Blobs::open(source)?;
        Ok(Self {
            target: target.map_or_else(|| Ok(opened.clone()), Blobs::open)?,
            source: opened,
            reads_again: matches!(target, Some(BlobsPlace::Folder(_))),
            room: Semaphore::new(MEMORY_MIB_MAX as usize),
        })
    }

    /// Copies every file that the target doesn't have yet. A file never changes under its name.
    pub(super) async fn copy(&self, watch: &Watch) -> Result<FilesMoved, Error> {
        let mut moved = FilesMoved::default();
        let mut walk = self.source.walk(Timestamp(i64::MAX)).await?;
        loop {
            let names = walk.next().await?;
            if names.is_empty() {
                return Ok(moved);
            }
            let copying = stream::iter(names).map(|name| self.copy_one(name));
            let mut copying = copying.buffer_unordered(FILES_CONCURRENT_MAX);
            while let Some(one) = copying.try_next().await? {
                moved.count += one.count;
                moved.bytes += one.bytes;
                moved.known += one.known;
                moved.differing += one.differing;
                watch(Stage::Files { count: moved.count, bytes: moved.bytes });
            }
        }
    }

    async fn copy_one(&self, name: String) -> Result<FilesMoved, Error> {
        let mut moved = FilesMoved::default();
        // The file was deleted since it was listed, or does not belong to Retouch.
        let Some(found) = self.source.read(&name).await? else { return Ok(moved) };
        let bytes = found.bytes;
        let mib = u32::try_from(bytes >> 20).unwrap_or(u32::MAX).saturating_add(1);
        let _room = self.room.acquire_many(mib.min(MEMORY_MIB_MAX)).await;
        let content = match found.into_bytes().await {
            Err(Error::FileGone) => return Ok(moved),
            content => content?,
        };
        (moved.count, moved.bytes) = (1, bytes);
        if self.has(&name, &content).await? {
            moved.known = 1;
            return Ok(moved);
        }
        self.target.put(&name, content.clone()).await?;
        moved.differing = u64::from(!self.has(&name, &content).await?);
        Ok(moved)
    }

    /// Whether the target has the same file.
    async fn has(&self, name: &str, content: &Bytes) -> Result<bool, Error> {
        match self.target.read(name).await? {
            Some(found) if found.bytes != content.len() as u64 => Ok(false),
            Some(found) if self.reads_again => Ok(found.into_bytes().await? == *content),
            Some(_) => Ok(true),
            None => Ok(false),
        }
    }

    /// Checks that the files of these results exist.
    pub(super) async fn look(
        &self,
        names: Vec<String>,
        found: &mut ResultsFound,
    ) -> Result<(), Error> {
        let looking = stream::iter(names).map(|name: String| async move {
            let before = self.source.read(&name).await?.map(|it| it.bytes);
            let now = self.target.read(&name).await?.map(|it| it.bytes);
            Ok::<_, Error>((name, before, now))
        });
        let mut looking = looking.buffer_unordered(FILES_CONCURRENT_MAX);
        while let Some((name, before, now)) = looking.try_next().await? {
            found.count += 1;
            let (is_lost, is_missing) = (before.is_none(), before.is_some() && before != now);
            found.lost_before += u64::from(is_lost);
            found.missing += u64::from(is_missing);
            let is_told = (is_lost || is_missing) && found.names.len() < NAMES_MAX;
            found.names.extend(is_told.then_some(name));
        }
        Ok(())
    }
}
