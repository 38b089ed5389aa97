//! Images stored by this service, used as inputs of edits: results, by whoever knows their address,
//! and uploads, by their owner.

use async_trait::async_trait;
use bytes::Bytes;
use retouch_core::AccountId;
use retouch_outbound::stock::Allowance;
use retouch_providers::Media;
use retouch_providers::inputs::{NotTaken, StoredImage, StoredImages};
use retouch_store::{Blob, Error, Store};
use url::Url;

/// The URL of the stored file `name` below `public_url`.
pub(super) fn file_url(public_url: &Url, name: &str) -> String {
    format!("{}/files/{name}", public_url.as_str().trim_end_matches('/'))
}

/// The URL of the upload `id` below `public_url`.
pub(super) fn upload_url(public_url: &Url, id: &str) -> String {
    format!("{}/api/uploads/{id}", public_url.as_str().trim_end_matches('/'))
}

/// The bytes of the stored file `name`, if it exists.
pub(super) async fn read(store: &Store, name: &str) -> Result<Option<Bytes>, Error> {
    match store.blobs().read(name).await? {
        None => Ok(None),
        Some(blob) => match blob.into_bytes().await {
            Err(Error::FileGone) => Ok(None),
            read => read.map(Some),
        },
    }
}

/// Finds stored images by their URLs.
pub(super) struct ImageFiles {
    pub(super) public_url: Url,
    pub(super) store: Store,
}

#[async_trait]
impl StoredImages for ImageFiles {
    fn is_own(&self, url: &Url) -> bool {
        self.result(url).is_some() || self.upload(url).is_some()
    }

    async fn take(
        &self,
        account: &AccountId,
        url: &Url,
        allowance: &dyn Allowance,
    ) -> Result<StoredImage, NotTaken> {
        let found = self.open(Some(account), url).await?;
        if !allowance.take(found.blob.bytes) {
            return Err(NotTaken::NoRoom);
        }
        let bytes = found.blob.into_bytes().await.map_err(|error| unreadable(&error))?;
        Ok(StoredImage { bytes, is_result: found.is_result })
    }
}

/// A stored image that an account may use.
pub(crate) struct FoundImage {
    /// The name of its file.
    pub(crate) name: String,
    pub(crate) blob: Blob,
    /// Whether the service made it.
    pub(crate) is_result: bool,
}

impl ImageFiles {
    /// Opens the image at `url`, one of our own addresses. Without an account, only results can be
    /// opened.
    pub(super) async fn open(
        &self,
        account: Option<&AccountId>,
        url: &Url,
    ) -> Result<FoundImage, NotTaken> {
        let (name, is_result) = match (self.upload(url), account) {
            (Some(id), Some(account)) => (self.uploaded(account, id).await?, false),
            (Some(_), None) => return Err(NotTaken::NoUpload),
            (None, _) => (self.result(url).ok_or(NotTaken::Missing)?.to_owned(), true),
        };
        if is_result && !Media::of_name(&name).is_some_and(Media::is_image) {
            return Err(NotTaken::Missing);
        }
        let found = self.store.blobs().read(&name).await.map_err(|error| unreadable(&error))?;
        Ok(FoundImage { name, blob: found.ok_or(NotTaken::Missing)?, is_result })
    }

    /// The name of the stored result at `url`, if it is one of ours.
    fn result<'u>(&self, url: &'u Url) -> Option<&'u str> {
        url.as_str().strip_prefix(file_url(&self.public_url, "").as_str())
    }

    /// The id of the upload at `url`, if it is one of ours.
    fn upload<'u>(&self, url: &'u Url) -> Option<&'u str> {
        url.as_str().strip_prefix(upload_url(&self.public_url, "").as_str())
    }

    /// The name of the file of an upload of `account`.
    async fn uploaded(&self, account: &AccountId, id: &str) -> Result<String, NotTaken> {
        let id = id.parse().map_err(|_| NotTaken::NoUpload)?;
        let found =
            self.store.find_upload(account, &id).await.map_err(|error| unreadable(&error))?;
        found.map(|upload| upload.blob).ok_or(NotTaken::NoUpload)
    }
}

fn unreadable(error: &Error) -> NotTaken {
    if !matches!(error, Error::FileGone) {
        tracing::error!(%error, "could not read a stored image");
    }
    NotTaken::Missing
}
