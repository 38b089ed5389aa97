//! Blobs as objects of a bucket, whoever keeps it.
//!
//! A server shows an object only when it has all of it, and answers only when that is durable; so
//! nothing of what the folder does for that is needed here. What is: a limit for each call, parts for
//! what is large, and errors that name no file, since a name is all that is needed to read one.

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

/// What is larger goes to the server in parts of this length, in bytes. S3 takes at most 10,000
/// parts, none but the last below 5 MiB.
const PART_BYTES: usize = 8 << 20;
/// How many parts of a file are under way at once.
const PARTS_CONCURRENT_MAX: usize = 4;
/// A name that stands behind those of nearly all files, where a list has nothing more to tell.
const LAST_NAME: &str = "zzzz";

/// How long a bucket that was there is believed to be, for those who only read: so that nobody who asks
/// for files that are not there makes more calls than these.
const BUCKET_SEEN_MAX: Duration = Duration::from_secs(10);

/// A bucket, or a part of one.
#[derive(Debug)]
pub(super) struct Objects {
    store: Arc<dyn ObjectStore>,
    signer: Option<Arc<dyn Signer>>,
    /// What all names begin with.
    prefix: Path,
    call_ms_max: u64,
    /// When the bucket was there last, as far as that was asked.
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
            // What cannot be taken back now is for the bucket's own rules.
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

    /// The length of the file in bytes, where there is one. That there is none is believed of a bucket
    /// that has been there a moment ago.
    pub(super) async fn find(&self, name: &str) -> Result<Option<u64>, Error> {
        let found = self.call_about(self.store.head(&self.at(name))).await?;
        if found.is_none() {
            self.see_bucket(BUCKET_SEEN_MAX).await?;
        }
        Ok(found.map(|meta| meta.size))
    }

    /// Whether the file is there. That it is not is believed only of a bucket that is there after
    /// that: whoever asks lets a result go for it.
    pub(super) async fn confirm(&self, name: &str) -> Result<bool, Error> {
        let is_there = self.call_about(self.store.head(&self.at(name))).await?.is_some();
        if !is_there {
            self.see_bucket(Duration::ZERO).await?;
        }
        Ok(is_there)
    }

    /// The whole file, of which the length is known.
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

    /// A part that is not empty. A silent server is given up by the client itself.
    pub(super) async fn pieces(&self, name: &str, part: Range<u64>) -> Result<Pieces, Error> {
        let options = GetOptions { range: Some(GetRange::Bounded(part)), ..GetOptions::default() };
        let found = self.call_about(self.store.get_opts(&self.at(name), options)).await?;
        let found = found.ok_or(Error::FileGone)?;
        let said = |error| std::io::Error::other(fault::explain(&error));
        Ok(found.into_stream().map_err(said).boxed())
    }

    pub(super) async fn delete(&self, name: &str) -> Result<(), Error> {
        // A server says nothing of a file that is not there; so it may be the bucket.
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
        // Its end may be asked for again.
        self.store.list(Some(&self.prefix)).fuse().boxed()
    }

    /// The next names of a list whose files were stored before a time; none at its end.
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

    /// Whether the server answers for the bucket and takes the key.
    pub(super) async fn ready(&self) -> Result<(), Error> {
        let after = self.prefix.clone().join(LAST_NAME);
        let mut list = self.store.list_with_offset(Some(&self.prefix), &after);
        self.call(list.try_next()).await.map(drop)
    }

    /// Makes sure that the server has the bucket, unless that was seen lately: of a file in a bucket
    /// that is gone many a server says no more than that it is not there.
    async fn see_bucket(&self, seen_max: Duration) -> Result<(), Error> {
        // One asks for all who come meanwhile.
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

    /// Waits for a call about one file; none where there is no such file.
    async fn call_about<T>(
        &self,
        work: impl Future<Output = object_store::Result<T>>,
    ) -> Result<Option<T>, Error> {
        self.call(about_the_file(work)).await
    }

    /// Waits for one call, with its repetitions, as long as one may take.
    async fn call<T>(
        &self,
        work: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, Error> {
        self.call_carrying(0, work).await
    }

    /// The same for a call that carries so many bytes.
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

/// What a call about one file comes to; none where there is no such file.
async fn about_the_file<T>(
    work: impl Future<Output = object_store::Result<T>>,
) -> object_store::Result<Option<T>> {
    match work.await {
        Err(error) if fault::is_about_the_file(&error) => Ok(None),
        done => done.map(Some),
    }
}

/// What a server tells whoever gets the file from it.
fn attributes(name: &str) -> Attributes {
    let kind = match name.rsplit_once('.') {
        Some((_, "png")) => "image/png",
        Some((_, "mp4")) => "video/mp4",
        _ => "application/octet-stream",
    };
    Attributes::from_iter([(Attribute::ContentType, kind)])
}
