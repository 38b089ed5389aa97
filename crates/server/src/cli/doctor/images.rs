//! Whether images can be stored, read and removed.

use retouch_store::{Blobs, BlobsPlace, Error};

use super::folder;
use crate::config::Settings;

/// A file that is stored to see whether files can be.
const TRIAL: &[u8] = b"a trial of retouch doctor";

/// Stores a file where images are, reads it and removes it.
pub(super) fn look(settings: &Settings) -> Result<String, String> {
    match &settings.store.blobs {
        BlobsPlace::Folder(folder) => folder::writable(folder),
        place => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(|error| error.to_string())?;
            let tried = runtime.block_on(attempt(place));
            // A name server that never answers must not keep the command from its end.
            runtime.shutdown_background();
            tried.map_err(|error| format!("{error} ({place}); see RETOUCH_STORE__BLOBS_URL"))?;
            Ok(format!("{place} takes, gives and removes files"))
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
        None => return Err(Error::Files { message: "what was stored is not there".to_owned() }),
    };
    blobs.delete(&name).await?;
    if read == TRIAL {
        Ok(())
    } else {
        Err(Error::Files { message: "another file came back".to_owned() })
    }
}
