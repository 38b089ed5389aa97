//! Listing the names of all stored files in batches.

use std::fmt::{self, Debug, Formatter};
use std::fs::ReadDir;
use std::io;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use futures_util::stream::BoxStream;
use object_store::ObjectMeta;
use retouch_core::Timestamp;
use tokio::sync::Semaphore;

use super::files::in_a_thread;
use super::objects::Objects;
use crate::Error;

/// The maximum number of names per batch: as many as an S3 server lists in one call.
const NAMES_MAX: usize = 1_000;

/// Lists the names of all files that were stored before a time, in no particular order. Files that
/// are stored or deleted during the walk may or may not be included.
pub struct BlobWalk {
    before: Timestamp,
    rest: Rest,
}

pub(super) type ObjectList = BoxStream<'static, object_store::Result<ObjectMeta>>;

enum Rest {
    Files(ReadDir, Arc<Semaphore>),
    Objects(Arc<Objects>, ObjectList),
    None,
}

impl BlobWalk {
    /// Walks the entries of a folder, reading with these permits.
    pub(super) fn of_folder(
        (entries, places): (ReadDir, Arc<Semaphore>),
        before: Timestamp,
    ) -> Self {
        Self { before, rest: Rest::Files(entries, places) }
    }

    pub(super) fn of_objects(objects: Arc<Objects>, before: Timestamp) -> Self {
        let list = objects.list();
        Self { before, rest: Rest::Objects(objects, list) }
    }

    /// The next names, at most a thousand. Empty when the walk is done.
    ///
    /// # Errors
    /// [`Error::Files`]; this ends the walk.
    pub async fn next(&mut self) -> Result<Vec<String>, Error> {
        let before = self.before;
        match std::mem::replace(&mut self.rest, Rest::None) {
            Rest::None => Ok(Vec::new()),
            Rest::Files(mut entries, places) => {
                let look = move || files(&mut entries, before).map(|names| (entries, names));
                let (entries, names) = in_a_thread(&places, look).await?;
                self.rest = Rest::Files(entries, places);
                Ok(names)
            }
            Rest::Objects(objects, mut list) => {
                let names = objects.next_names(&mut list, before, NAMES_MAX).await?;
                self.rest = Rest::Objects(objects, list);
                Ok(names)
            }
        }
    }
}

impl Debug for BlobWalk {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("BlobWalk").field("before", &self.before).finish_non_exhaustive()
    }
}

fn files(entries: &mut ReadDir, before: Timestamp) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry?;
        let changed = match entry.metadata() {
            // It was deleted after the folder was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            metadata => timestamp(metadata?.modified()?),
        };
        if changed < before {
            names.extend(entry.file_name().into_string().ok());
        }
        if names.len() == NAMES_MAX {
            break;
        }
    }
    Ok(names)
}

fn timestamp(time: SystemTime) -> Timestamp {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
