//! Going through the names of all stored files, some at a time.

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

/// The most names that are given at a time: what a server of S3 lists with one call.
const NAMES_MAX: usize = 1_000;

/// Goes through the names of all files that were stored before a time, in no order. A file that is
/// stored or deleted meanwhile may be met or not.
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
    /// The entries of a folder, for whose reading there are these places.
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

    /// The next names, at most a thousand; none when all have been given.
    ///
    /// # Errors
    /// [`Error::Files`]; then the walk is at its end.
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
            // Deleted since the folder was listed.
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
