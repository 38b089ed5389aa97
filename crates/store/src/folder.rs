//! Creating folders that survive a power failure.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Errors which mean that a folder cannot be synced here, rather than that the disk failed.
const CANNOT_BE: [ErrorKind; 3] =
    [ErrorKind::PermissionDenied, ErrorKind::InvalidInput, ErrorKind::Unsupported];

/// Creates a folder and its missing parents, and makes their names durable: files survive a power
/// failure only if the name of their folder does.
///
/// An existing folder is synced too, because the process that created it may have stopped before
/// syncing. Syncing is skipped if its parent cannot be opened or the file system cannot sync
/// folders. Most file systems keep the name of a folder anyway once something in it is durable.
///
/// # Errors
/// If the folder cannot be created, or the disk fails.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let missing = folder.ancestors().take_while(|it| !it.exists()).count();
    fs::create_dir_all(folder)?;
    for above in folder.ancestors().skip(1).take(missing.max(1)) {
        // The parent of a relative name is the current folder.
        let above = if above == Path::new("") { Path::new(".") } else { above };
        match File::open(above).and_then(|above| above.sync_all()) {
            Err(error) if CANNOT_BE.contains(&error.kind()) => {}
            done => done?,
        }
    }
    Ok(())
}
