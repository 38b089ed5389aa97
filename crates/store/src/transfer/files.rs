//! Copies the stored files from one place to another, and checks afterwards that they exist.

use bytes::Bytes;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use retouch_core::Timestamp;
use tokio::sync::Semaphore;

use super::{Stage, Transfer, Watch, blocking};
use crate::blobs::small::SmallFile;
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

impl FilesMoved {
    fn add(&mut self, one: Self, watch: &Watch) {
        self.count += one.count;
        self.bytes += one.bytes;
        self.known += one.known;
        self.differing += one.differing;
        watch(Stage::Files { count: self.count, bytes: self.bytes });
    }
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
    /// Whether the small files stay in the source database.
    keeps_small: bool,
    room: Semaphore,
}

impl Places {
    /// Opens both places. Without a target, the source is used for both.
    pub(super) fn open(plan: &Transfer) -> Result<Self, Error> {
        let (source, target) = (&plan.from_blobs, plan.to_blobs.as_ref());
        let opened = Blobs::open(source)?;
        Ok(Self {
            target: target.map_or_else(|| Ok(opened.clone()), Blobs::open)?,
            source: opened,
            reads_again: matches!(target, Some(BlobsPlace::Folder(_))),
            keeps_small: plan.to.is_none(),
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
                moved.add(one, watch);
            }
        }
    }

    /// Stores the small files of the source database like all others. `next` returns some of those
    /// after a position.
    pub(super) async fn copy_small<S>(
        &self,
        mut source: S,
        next: fn(&S, i64) -> Result<Vec<SmallFile>, Error>,
        watch: &Watch,
    ) -> Result<(S, FilesMoved), Error>
    where
        S: Send + 'static,
    {
        let (mut moved, mut position) = (FilesMoved::default(), 0);
        loop {
            let found;
            (source, found) = blocking(move || {
                let found = next(&source, position)?;
                Ok((source, found))
            })
            .await?;
            let Some(last) = found.last() else { return Ok((source, moved)) };
            position = last.position;
            let copying = found.into_iter().map(|it| self.store(it.name, it.content.into()));
            let copying = stream::iter(copying).buffer_unordered(FILES_CONCURRENT_MAX);
            let all: Vec<FilesMoved> = copying.try_collect().await?;
            all.into_iter().for_each(|one| moved.add(one, watch));
        }
    }

    async fn copy_one(&self, name: String) -> Result<FilesMoved, Error> {
        // The file was deleted since it was listed, or does not belong to Retouch.
        let none = FilesMoved::default();
        let Some(found) = self.source.read(&name).await? else { return Ok(none) };
        let mib = u32::try_from(found.bytes >> 20).unwrap_or(u32::MAX).saturating_add(1);
        let _room = self.room.acquire_many(mib.min(MEMORY_MIB_MAX)).await;
        match found.into_bytes().await {
            Err(Error::FileGone) => Ok(none),
            content => self.store(name, content?).await,
        }
    }

    async fn store(&self, name: String, content: Bytes) -> Result<FilesMoved, Error> {
        let moved = FilesMoved { count: 1, bytes: content.len() as u64, ..FilesMoved::default() };
        if self.has(&name, &content).await? {
            return Ok(FilesMoved { known: 1, ..moved });
        }
        self.target.put(&name, content.clone()).await?;
        let differs = !self.has(&name, &content).await?;
        Ok(FilesMoved { differing: u64::from(differs), ..moved })
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

    /// Checks that the files of these results exist. Each comes with its length in bytes if
    /// it is a small file of the source database.
    pub(super) async fn look(
        &self,
        results: Vec<(String, Option<u64>)>,
        found: &mut ResultsFound,
    ) -> Result<(), Error> {
        let looking =
            stream::iter(results).map(|(name, small): (String, Option<u64>)| async move {
                let before = match small {
                    Some(bytes) => Some(bytes),
                    None => self.source.read(&name).await?.map(|it| it.bytes),
                };
                let now = match small.filter(|_| self.keeps_small) {
                    Some(bytes) => Some(bytes),
                    None => self.target.read(&name).await?.map(|it| it.bytes),
                };
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
