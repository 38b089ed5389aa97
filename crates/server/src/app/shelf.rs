//! The service's own stored pictures, as inputs of further edits.

use async_trait::async_trait;
use bytes::Bytes;
use retouch_providers::Media;
use retouch_providers::inputs::Shelf;
use retouch_store::{Error, Store};
use url::Url;

/// The address of the stored file `name` under `public_url`.
pub(super) fn file_url(public_url: &Url, name: &str) -> String {
    format!("{}/files/{name}", public_url.as_str().trim_end_matches('/'))
}

/// The bytes of the stored file `name`, if it is stored.
pub(super) async fn read(store: &Store, name: &str) -> Result<Option<Bytes>, Error> {
    match store.blobs().read(name).await? {
        None => Ok(None),
        Some(blob) => match blob.into_bytes().await {
            Err(Error::FileGone) => Ok(None),
            read => read.map(Some),
        },
    }
}

/// Finds stored pictures by their addresses.
pub(super) struct StoredPictures {
    pub(super) public_url: Url,
    pub(super) store: Store,
}

#[async_trait]
impl Shelf for StoredPictures {
    async fn take(&self, url: &Url) -> Option<Option<Bytes>> {
        let name = url.as_str().strip_prefix(file_url(&self.public_url, "").as_str())?;
        if Media::of_name(name) != Some(Media::Png) {
            return Some(None);
        }
        match read(&self.store, name).await {
            Ok(found) => Some(found),
            Err(error) => {
                tracing::error!(%error, "a stored picture could not be read");
                Some(None)
            }
        }
    }
}
