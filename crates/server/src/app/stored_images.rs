//! Images stored by this service, used as inputs of further edits.

use async_trait::async_trait;
use bytes::Bytes;
use retouch_outbound::stock::Allowance;
use retouch_providers::Media;
use retouch_providers::inputs::{NotTaken, StoredImages};
use retouch_store::{Error, Store};
use url::Url;

/// The URL of the stored file `name` below `public_url`.
pub(super) fn file_url(public_url: &Url, name: &str) -> String {
    format!("{}/files/{name}", public_url.as_str().trim_end_matches('/'))
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
        self.name(url).is_some()
    }

    async fn take(&self, url: &Url, allowance: &dyn Allowance) -> Result<Bytes, NotTaken> {
        let name = self.name(url).filter(|name| Media::of_name(name) == Some(Media::Png));
        let name = name.ok_or(NotTaken::Missing)?;
        let found = self.store.blobs().read(name).await.map_err(|error| unreadable(&error))?;
        let blob = found.ok_or(NotTaken::Missing)?;
        if !allowance.take(blob.bytes) {
            return Err(NotTaken::NoRoom);
        }
        blob.into_bytes().await.map_err(|error| unreadable(&error))
    }
}

impl ImageFiles {
    /// The name of the stored file at `url`, if it is one of ours.
    fn name<'u>(&self, url: &'u Url) -> Option<&'u str> {
        url.as_str().strip_prefix(file_url(&self.public_url, "").as_str())
    }
}

fn unreadable(error: &Error) -> NotTaken {
    if !matches!(error, Error::FileGone) {
        tracing::error!(%error, "could not read a stored image");
    }
    NotTaken::Missing
}
