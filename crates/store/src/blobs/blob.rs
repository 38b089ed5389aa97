//! One stored file, found for reading.

use std::io::{Read, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;

use super::objects::Objects;
use crate::Error;

/// The content of a file, piece by piece; a content that is cut short ends with an error.
pub type Pieces = BoxStream<'static, std::io::Result<Bytes>>;

/// A stored file that was found.
#[derive(Debug)]
pub struct Blob {
    /// Its length in bytes.
    pub bytes: u64,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// Open: it can be read to its end although somebody deletes it meanwhile.
    File(std::fs::File),
    /// Asked for when it is read.
    Object(Arc<Objects>, String),
}

impl Blob {
    pub(super) fn of_file(file: std::fs::File, bytes: u64) -> Self {
        Self { bytes, content: Content::File(file) }
    }

    pub(super) fn of_object(objects: Arc<Objects>, name: String, bytes: u64) -> Self {
        Self { bytes, content: Content::Object(objects, name) }
    }

    /// The whole content.
    ///
    /// # Errors
    /// [`Error::FileGone`] when it has been deleted meanwhile, [`Error::Files`].
    pub async fn into_bytes(self) -> Result<Bytes, Error> {
        match self.content {
            Content::Object(objects, name) => objects.get(&name, self.bytes).await,
            Content::File(mut file) => {
                let mut content = Vec::with_capacity(usize::try_from(self.bytes).unwrap_or(0));
                let reading = tokio::task::spawn_blocking(move || {
                    file.read_to_end(&mut content).map(|_| content)
                });
                let read = reading.await.map_err(|_| Error::Panicked)?;
                read.map(Bytes::from).map_err(|error| Error::files(&error))
            }
        }
    }

    /// A part of the content, which must lie within it.
    ///
    /// # Errors
    /// [`Error::FileGone`] when it has been deleted meanwhile, [`Error::Files`].
    pub async fn into_pieces(self, part: Range<u64>) -> Result<Pieces, Error> {
        if part.is_empty() {
            return Ok(stream::empty().boxed());
        }
        match self.content {
            Content::Object(objects, name) => objects.pieces(&name, part).await,
            Content::File(file) => {
                let mut file = tokio::fs::File::from_std(file);
                let sought = file.seek(SeekFrom::Start(part.start)).await;
                sought.map_err(|error| Error::files(&error))?;
                Ok(ReaderStream::new(file.take(part.end - part.start)).boxed())
            }
        }
    }
}
