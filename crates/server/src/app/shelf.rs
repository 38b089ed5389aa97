//! The service's own stored pictures, as inputs of further edits.

use async_trait::async_trait;
use bytes::Bytes;
use retouch_providers::Media;
use retouch_providers::inputs::Shelf;
use retouch_store::Store;
use tokio::io::AsyncReadExt;
use url::Url;

/// The address of the stored file `name` under `public_url`.
pub(super) fn file_url(public_url: &Url, name: &str) -> String {
    format!("{}/files/{name}", public_url.as_str().trim_end_matches('/'))
}

/// The bytes of the stored file `name`, if it is stored.
pub(super) async fn read(store: &Store, name: &str) -> Result<Option<Bytes>, std::io::Error> {
    let found = store.blobs().read(name).await.map_err(std::io::Error::other)?;
    let Some(mut blob) = found else { return Ok(None) };
    let mut bytes = Vec::with_capacity(usize::try_from(blob.bytes).unwrap_or(0));
    blob.file.read_to_end(&mut bytes).await?;
    Ok(Some(bytes.into()))
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
