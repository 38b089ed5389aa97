//! Where data is kept while measuring: a new folder for each case, removed only at the very end.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use crate::Fallible;

/// The folder of one run.
///
/// Nothing in it is removed before the run ends: an ext4 file system without a journal does not
/// reuse an inode that was freed in the last minutes and searches past all of them for every new
/// file. Files removed after one case would slow the next one down.
pub(crate) struct Folder {
    path: PathBuf,
    cases: Cell<u32>,
}

impl Folder {
    /// Creates a folder for this process in `parent`.
    pub(crate) fn make(parent: &Path) -> Fallible<Self> {
        let path = parent.join(std::process::id().to_string());
        std::fs::create_dir_all(&path)?;
        Ok(Self { path: path.canonicalize()?, cases: Cell::new(0) })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// An empty folder for a case.
    pub(crate) fn case(&self) -> Fallible<PathBuf> {
        let number = self.cases.get();
        self.cases.set(number + 1);
        let path = self.path.join(number.to_string());
        std::fs::create_dir(&path)?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // If this fails, leftover files do no harm.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
