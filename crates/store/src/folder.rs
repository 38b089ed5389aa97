//! Making a folder that is still there after a failure of power.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

/// How it is said that a folder cannot be synced here, and not that the disk has failed.
const CANNOT_BE: [ErrorKind; 3] =
    [ErrorKind::PermissionDenied, ErrorKind::InvalidInput, ErrorKind::Unsupported];

/// Makes a folder where it is missing, with those above it, and makes their names durable: what is in a
/// folder survives a failure of power only where the folder's own name does.
///
/// A folder that is there is made durable too: whoever made it may not have come that far. One whose
/// neighbours may not be read cannot be, nor one below a file system that syncs no folders; then that file
/// system decides. Most keep the name of a folder once something in it is durable.
///
/// # Errors
/// Where the folder cannot be made, or the disk fails.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let missing = folder.ancestors().take_while(|it| !it.exists()).count();
    fs::create_dir_all(folder)?;
    for above in folder.ancestors().skip(1).take(missing.max(1)) {
        // What is above a relative name without any is the current folder.
        let above = if above == Path::new("") { Path::new(".") } else { above };
        match File::open(above).and_then(|above| above.sync_all()) {
            Err(error) if CANNOT_BE.contains(&error.kind()) => {}
            done => done?,
        }
    }
    Ok(())
}
