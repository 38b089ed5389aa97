//! The places for the files of the tests.

use std::sync::atomic::{AtomicUsize, Ordering};

use retouch_store::{Blobs, BlobsPlace, S3Keys, S3Settings};
use tempfile::TempDir;
use url::Url;

pub(crate) const NAME: &str = "0123456789abcdef-picture.png";

/// An empty place for one test.
pub(crate) struct Place {
    pub(crate) what: &'static str,
    pub(crate) place: BlobsPlace,
    pub(crate) blobs: Blobs,
    _folder: Option<TempDir>,
}

impl Place {
    fn new(what: &'static str, place: BlobsPlace, folder: Option<TempDir>) -> Self {
        let blobs = Blobs::open(&place).unwrap();
        Self { what, place, blobs, _folder: folder }
    }

    pub(crate) fn folder() -> Self {
        let folder = TempDir::new().unwrap();
        Self::new("folder", BlobsPlace::Folder(folder.path().to_owned()), Some(folder))
    }

    /// One place of every kind.
    pub(crate) fn all() -> Vec<Self> {
        let mut places = vec![Self::folder(), Self::new("memory", BlobsPlace::Memory, None)];
        places.extend(bucket().map(|it| Self::new("bucket", BlobsPlace::S3(Box::new(it)), None)));
        places
    }
}

/// A prefix in the server's bucket for one test. None if there is no server.
pub(crate) fn bucket() -> Option<S3Settings> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let endpoint = std::env::var("RETOUCH_TEST_S3").ok()?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let prefix = format!("test/{}-{number}", std::process::id());
    Some(S3Settings { prefix, ..at(&endpoint.parse().unwrap()) })
}

/// The settings of the bucket at this address.
pub(crate) fn at(endpoint: &Url) -> S3Settings {
    S3Settings {
        bucket: "retouch".into(),
        prefix: String::new(),
        endpoint: Some(endpoint.clone()),
        bucket_in_host: false,
        authority: None,
        region: Some("us-east-1".into()),
        keys: Some(S3Keys { id: "retouch-test".into(), secret: "retouch-test-secret".into() }),
        call_ms_max: 20_000,
        silence_ms_max: 20_000,
    }
}

pub(crate) async fn content(blobs: &Blobs, name: &str) -> Option<Vec<u8>> {
    let blob = blobs.read(name).await.unwrap()?;
    let length = blob.bytes;
    let content = blob.into_bytes().await.unwrap();
    assert_eq!(content.len() as u64, length);
    Some(content.to_vec())
}
