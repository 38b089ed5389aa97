//! Where the blobs are.

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use super::S3Settings;

/// Where the stored files are.
#[derive(Clone, Debug)]
pub enum BlobsPlace {
    /// A folder, which is created if it does not exist.
    Folder(PathBuf),
    /// This process's memory, for tests. The files are lost when it ends.
    Memory,
    /// A bucket on an S3 server, which several processes can share.
    S3(Box<S3Settings>),
}

impl BlobsPlace {
    /// The folder, if the files are in one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Memory | Self::S3(_) => None,
        }
    }
}

impl Display for BlobsPlace {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(formatter),
            Self::Memory => formatter.write_str("memory"),
            Self::S3(settings) => settings.fmt(formatter),
        }
    }
}
