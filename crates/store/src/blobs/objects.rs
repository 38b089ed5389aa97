//! Blobs as objects in a bucket.
//!
//! A server shows only complete objects, and responds only once they are durable, so this needs
//! none of the care that the folder takes. What it does need is a limit for each call, multipart
//! uploads for large files, and errors that contain no file name, because a name is all that is
//! needed to read a file.

use std::future::Future;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::signer::{Method, Signer};
use object_store::{
    Attribute, Attributes, GetOptions, GetRange, MultipartUpload, ObjectStore, ObjectStoreExt,
    PutMultipartOptions, PutOptions,
};
use retouch_core::Timestamp;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::blob::Pieces;
use super::s3::{fault, pace};
use super::walk::ObjectList;
use crate::Error;

/// Larger files are uploaded in parts of this size, in bytes. S3 allows at most 10,000 parts, each
/// but the last of at least 5 MiB.
const PART_BYTES: usize = 8 << 20;
/// How many parts of a file are uploaded at the same time.
const PARTS_CONCURRENT_MAX: usize = 4;
/// Sorts after the names of nearly all files, so a list that starts here is almost empty.
const LAST_NAME: &str = "zzzz";

/// How long reads trust that a bucket exists, so that requests for missing files do not cause more
/// calls than one per period.
const BUCKET_SEEN_MAX: Duration = Duration::from_secs(10);

/// A bucket, or a part of it.
#[derive(Debug)]
pub(super) struct Objects {
    store: Arc<dyn ObjectStore>,
    signer: Option<Arc<dyn Signer>>,
    /// The common prefix of all names.
    prefix: Path,
    call_ms_max: u64,
    /// When the bucket was last seen.
    bucket_seen: Mutex<Option<Instant>>,
}

impl Objects {
    pub(super) fn new<S>(store: S, prefix: &str, call_ms_max: u64) -> Self
    where
        S: ObjectStore + Signer,
    {
        let store = Arc::new(store);
        let signer: Arc<dyn Signer> = store.clone();
        let bucket_seen = Mutex::default();
        Self { store, signer: Some(signer), prefix: Path::from(prefix), call_ms_max, bucket_seen }
    }

    pub(super) fn in_memory() -> Self {
        let store = Arc::new(InMemory::new());
        let (prefix, bucket_seen) = (Path::default(), Mutex::default());
        Self { store, signer: None, prefix, call_ms_max: u64::from(u32::MAX), bucket_seen }
    }

    pub(super) async fn put(&self, name: &str, bytes: Bytes) -> Result<(), Error> {
        let (at, attributes) = (self.at(name), attributes(name));
        if bytes.len() <= PART_BYTES {
            let options = PutOptions { attributes, ..PutOptions::default() };
            let length = bytes.len() as u64;
            let sending = self.store.put_opts(&at, bytes.into(), options);
            return self.call_carrying(length, sending).await.map(drop);
        }
        let options = PutMultipartOptions { attributes, ..PutMultipartOptions::default() };
        let mut upload = self.call(self.store.put_multipart_opts(&at, options)).await?;
        let sent = match self.send_parts(upload.as_mut(), &bytes).await {
            Ok(()) => self.call(upload.complete()).await.map(drop),
            Err(error) => Err(error),
        };
        if sent.is_err() {
            // If this fails, the bucket's lifecycle rules have to remove the parts.
            let _ = self.call(upload.abort()).await;
        }
        sent
    }

    async fn send_parts(
        &self,
        upload: &mut dyn MultipartUpload,
        bytes: &Bytes,
    ) -> Result<(), Error> {
        let starts = (0..bytes.len()).step_by(PART_BYTES);
        let parts = starts.map(|start| bytes.slice(start..bytes.len().min(start + PART_BYTES)));
        let sending =
            parts.map(|part| self.call_carrying(part.len() as u64, upload.put_part(part.into())));
        stream::iter(sending).buffer_unordered(PARTS_CONCURRENT_MAX).try_collect().await
    }

    /// The length of the file in bytes, if it exists. A missing file counts as missing only if the
    /// bucket was seen recently.
    pub(super) async fn find(&self, name: &str) -> Result<Option<u64>, Error> {
        let found = self.call_about(self.store.head(&self.at(name))).await?;
        if found.is_none() {
            self.see_bucket(BUCKET_SEEN_MAX).await?;
        }
        Ok(found.map(|meta| meta.size))
    }

    /// Whether the file exists. A missing file counts as missing only if the bucket is seen
    /// afterwards, because the caller gives up a result based on this answer.
    pub(super) async fn confirm(&self, name: &str) -> Result<bool, Error> {
        let is_there = self.call_about(self.store.head(&self.at(name))).await?.is_some();
        if !is_there {
            self.see_bucket(Duration::ZERO).await?;
        }
        Ok(is_there)
    }

    /// The whole file, whose length is known.
    pub(super) async fn get(&self, name: &str, bytes: u64) -> Result<Bytes, Error> {
        let at = self.at(name);
        let reading = async { self.store.get(&at).await?.bytes().await };
        let content = self.call_carrying(bytes, about_the_file(reading)).await?;
        let content = content.ok_or(Error::FileGone)?;
        if content.len() as u64 != bytes {
            let message = format!("only {} of {bytes} bytes arrived", content.len());
            return Err(Error::Files { message });
        }
        Ok(content)
    }

    /// A part that is not empty. If the server falls silent, the client itself gives up.
    pub(super) async fn pieces(&self, name: &str, part: Range<u64>) -> Result<Pieces, Error> {
        let options = GetOptions { range: Some(GetRange::Bounded(part)), ..GetOptions::default() };
        let found = self.call_about(self.store.get_opts(&self.at(name), options)).await?;
        let found = found.ok_or(Error::FileGone)?;
        let said = |error| std::io::Error::other(fault::explain(&error));
        Ok(found.into_stream().map_err(said).boxed())
    }

    pub(super) async fn delete(&self, name: &str) -> Result<(), Error> {
        // Servers don't report a missing file when deleting, so what is missing may be the bucket.
        if self.call_about(self.store.delete(&self.at(name))).await?.is_none() {
            self.see_bucket(BUCKET_SEEN_MAX).await?;
        }
        Ok(())
    }

    pub(super) async fn address(&self, name: &str, valid_ms: u64) -> Result<Option<String>, Error> {
        let Some(signer) = &self.signer else { return Ok(None) };
        let (at, valid) = (self.at(name), Duration::from_millis(valid_ms));
        let url = self.call(signer.signed_url(Method::GET, &at, valid)).await?;
        Ok(Some(url.into()))
    }

    pub(super) fn list(&self) -> ObjectList {
        // Fused, so that polling past the end is safe.
        self.store.list(Some(&self.prefix)).fuse().boxed()
    }

    /// The next names in a list, of files stored before a time. Empty at the end.
    pub(super) async fn next_names(
        &self,
        list: &mut ObjectList,
        before: Timestamp,
        names_max: usize,
    ) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        while names.len() < names_max {
            let Some(found) = self.call(list.try_next()).await? else { break };
            if found.last_modified.timestamp_millis() < before.0 {
                names.extend(found.location.filename().map(str::to_owned));
            }
        }
        Ok(names)
    }

    /// Checks that the server has the bucket and accepts the key.
    pub(super) async fn ready(&self) -> Result<(), Error> {
        let after = self.prefix.clone().join(LAST_NAME);
        let mut list = self.store.list_with_offset(Some(&self.prefix), &after);
        self.call(list.try_next()).await.map(drop)
    }

    /// Checks that the server has the bucket, unless it was seen recently. For a file in a missing
    /// bucket, many servers only say that the file is missing.
    async fn see_bucket(&self, seen_max: Duration) -> Result<(), Error> {
        // One caller asks, and those that arrive meanwhile use its answer.
        let limit = Duration::from_millis(self.call_ms_max);
        let message =
            || format!("the check of the bucket took longer than {} ms", limit.as_millis());
        let seen = tokio::time::timeout(limit, self.bucket_seen.lock()).await;
        let mut seen = seen.map_err(|_| Error::Files { message: message() })?;
        if seen.is_some_and(|at| at.elapsed() < seen_max) {
            return Ok(());
        }
        let asked = Instant::now();
        self.ready().await?;
        *seen = Some(asked);
        Ok(())
    }

    fn at(&self, name: &str) -> Path {
        self.prefix.clone().join(name)
    }

    /// Waits for a call about one file. `None` if there is no such file.
    async fn call_about<T>(
        &self,
        work: impl Future<Output = object_store::Result<T>>,
    ) -> Result<Option<T>, Error> {
        self.call(about_the_file(work)).await
    }

    /// Waits for a call, including its retries, up to the limit.
    async fn call<T>(
        &self,
        work: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, Error> {
        self.call_carrying(0, work).await
    }

    /// The same for a call that transfers this many bytes.
    async fn call_carrying<T>(
        &self,
        bytes: u64,
        work: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, Error> {
        let limit = Duration::from_millis(self.call_ms_max) + pace::carrying(bytes);
        match tokio::time::timeout(limit, work).await {
            Ok(done) => done.map_err(|error| Error::Files { message: fault::explain(&error) }),
            Err(_) => {
                let message = format!("no answer within {} ms", limit.as_millis());
                Err(Error::Files { message })
            }
        }
    }
}

/// Turns "no such file" into `None`.
async fn about_the_file<T>(
    work: impl Future<Output = object_store::Result<T>>,
) -> object_store::Result<Option<T>> {
    match work.await {
        Err(error) if fault::is_about_the_file(&error) => Ok(None),
        done => done.map(Some),
    }
}

/// What the server sends along with the file.
fn attributes(name: &str) -> Attributes {
    let kind = match name.rsplit_once('.') {
        Some((_, "png")) => "image/png",
        Some((_, "mp4")) => "video/mp4",
        _ => "application/octet-stream",
    };
    Attributes::from_iter([(Attribute::ContentType, kind)])
}
