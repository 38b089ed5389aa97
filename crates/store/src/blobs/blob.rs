//! A stored file that is open for reading.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};

use super::files::OpenFile;
use super::objects::Objects;
use super::small::SmallFiles;
use crate::Error;

/// The content of a file in pieces. If the content is cut short, the last item is an error.
pub type Pieces = BoxStream<'static, std::io::Result<Bytes>>;

/// A stored file.
#[derive(Debug)]
pub struct Blob {
    /// Its length in bytes.
    pub bytes: u64,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// An open file.
    File(OpenFile),
    /// An object, requested when it is read.
    Object(Arc<Objects>, String),
    /// A file in the database, read when it is needed.
    Row(SmallFiles, String),
}

impl Blob {
    pub(super) fn of_file(file: OpenFile, bytes: u64) -> Self {
        Self { bytes, content: Content::File(file) }
    }

    pub(super) fn of_object(objects: Arc<Objects>, name: String, bytes: u64) -> Self {
        Self { bytes, content: Content::Object(objects, name) }
    }

    pub(super) fn of_row(small: SmallFiles, name: String, bytes: u64) -> Self {
        Self { bytes, content: Content::Row(small, name) }
    }

    /// The whole content.
    ///
    /// # Errors
    /// [`Error::FileGone`] if it was deleted in the meantime, [`Error::Files`].
    pub async fn into_bytes(self) -> Result<Bytes, Error> {
        match self.content {
            Content::Object(objects, name) => objects.get(&name, self.bytes).await,
            Content::File(file) => file.into_bytes(self.bytes).await,
            Content::Row(small, name) => small.get(&name).await,
        }
    }

    /// A part of the content, which must be within its length.
    ///
    /// # Errors
    /// [`Error::FileGone`] if it was deleted in the meantime, [`Error::Files`].
    pub async fn into_pieces(self, part: Range<u64>) -> Result<Pieces, Error> {
        if part.is_empty() {
            return Ok(stream::empty().boxed());
        }
        match self.content {
            Content::Object(objects, name) => objects.pieces(&name, part).await,
            Content::File(file) => Ok(file.into_pieces(part)),
            Content::Row(small, name) => small.pieces(&name, part).await,
        }
    }
}
