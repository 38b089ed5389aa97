//! Whether images can be stored, read and deleted.

use retouch_store::{Blobs, BlobsPlace, Error};

use super::folder;
use crate::config::Settings;

/// The content of the test file.
const TRIAL: &[u8] = b"a test file of retouch doctor";

/// Stores a test file in the image store, reads it and deletes it.
pub(super) fn look(settings: &Settings) -> Result<String, String> {
    match &settings.store.blobs {
        BlobsPlace::Folder(folder) => folder::writable(folder),
        place => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(|error| error.to_string())?;
            let tried = runtime.block_on(attempt(place));
            // A DNS server that never responds must not keep the command running.
            runtime.shutdown_background();
            tried.map_err(|error| format!("{error} ({place}); see RETOUCH_STORE__BLOBS_URL"))?;
            Ok(format!("{place} can store, read and delete files"))
        }
    }
}

async fn attempt(place: &BlobsPlace) -> Result<(), Error> {
    let blobs = Blobs::open(place)?;
    blobs.ready().await?;
    let name = format!("retouch-doctor-{}.trial", std::process::id());
    blobs.put(&name, TRIAL).await?;
    let read = match blobs.read(&name).await? {
        Some(blob) => blob.into_bytes().await?,
        None => return Err(Error::Files { message: "the stored test file is missing".to_owned() }),
    };
    blobs.delete(&name).await?;
    if read == TRIAL {
        Ok(())
    } else {
        Err(Error::Files { message: "the stored test file came back changed".to_owned() })
    }
}
