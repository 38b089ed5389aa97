//! Whether a folder is writable, and how much free space it has.

use std::fs;
use std::path::Path;

use rustix::fs::Access;

/// With less free space than this, the service will soon be unable to store results, in bytes.
const FREE_BYTES_MIN: u64 = 1 << 30;
/// The name of the test file.
const TRIAL_FILE: &str = ".retouch-doctor";

/// Writes a test file to `folder` and removes it. A folder that is missing must be one that `retouch
/// serve` can create.
pub(super) fn writable(folder: &Path) -> Result<String, String> {
    let cannot = |error| format!("cannot write to {}: {error}", folder.display());
    if is_missing(folder) {
        let above = existing(folder);
        let access = rustix::fs::access(above, Access::WRITE_OK | Access::EXEC_OK);
        access.map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        return Ok(format!("{} does not exist yet; `retouch serve` creates it", folder.display()));
    }
    let file = folder.join(TRIAL_FILE);
    fs::write(&file, b"test").map_err(cannot)?;
    fs::remove_file(&file).map_err(cannot)?;
    Ok(format!("{} is writable", folder.display()))
}

/// The free space on the file system of `folder`.
pub(super) fn free_space(folder: &Path) -> Result<String, String> {
    let space = rustix::fs::statvfs(existing(folder));
    let space = space
        .map_err(|error| format!("cannot read the free space of {}: {error}", folder.display()))?;
    let free_bytes = space.f_bavail.saturating_mul(space.f_frsize);
    let free = format!("{} MiB free", free_bytes >> 20);
    if free_bytes < FREE_BYTES_MIN {
        return Err(format!("{free}; at least {} MiB are needed", FREE_BYTES_MIN >> 20));
    }
    Ok(free)
}

/// Whether nothing is at `path`, and nothing is in the way of creating it.
pub(super) fn is_missing(path: &Path) -> bool {
    !path.exists() && existing(path).is_dir()
}

/// The nearest of `path` and the folders above it that exists.
fn existing(path: &Path) -> &Path {
    let above = path.ancestors().find(|above| above.exists());
    // The last ancestor of a relative path is empty: the working directory.
    above.unwrap_or(Path::new("."))
}
