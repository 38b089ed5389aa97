//! Whether a folder is writable, and how much free space it has.

use std::fs;
use std::path::Path;

/// With less free space than this, the service will soon be unable to store results, in bytes.
const FREE_BYTES_MIN: u64 = 1 << 30;
/// The name of the test file.
const TRIAL_FILE: &str = ".retouch-doctor";

/// Creates `folder` if it is missing, writes a test file and removes it.
pub(super) fn writable(folder: &Path) -> Result<String, String> {
    let cannot = |error| format!("cannot write to {}: {error}", folder.display());
    let file = folder.join(TRIAL_FILE);
    retouch_store::make_folder(folder).map_err(cannot)?;
    fs::write(&file, b"test").map_err(cannot)?;
    fs::remove_file(&file).map_err(cannot)?;
    Ok(format!("{} is writable", folder.display()))
}

/// The free space on the file system of `folder`.
pub(super) fn free_space(folder: &Path) -> Result<String, String> {
    let space = rustix::fs::statvfs(folder);
    let space = space
        .map_err(|error| format!("cannot read the free space of {}: {error}", folder.display()))?;
    let free_bytes = space.f_bavail.saturating_mul(space.f_frsize);
    let free = format!("{} MiB free", free_bytes >> 20);
    if free_bytes < FREE_BYTES_MIN {
        return Err(format!("{free}; at least {} MiB are needed", FREE_BYTES_MIN >> 20));
    }
    Ok(free)
}
