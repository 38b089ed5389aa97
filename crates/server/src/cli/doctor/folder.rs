//! Whether a folder can be written to, and how much fits.

use std::fs;
use std::path::Path;

/// Space below which the service soon cannot store results, in bytes.
const FREE_BYTES_MIN: u64 = 1 << 30;
/// A file that is written to see whether files can be.
const TRIAL_FILE: &str = ".retouch-doctor";

/// Makes `folder` where it is missing, writes a file into it and removes it.
pub(super) fn writable(folder: &Path) -> Result<String, String> {
    let cannot = |error| format!("cannot write to {}: {error}", folder.display());
    let file = folder.join(TRIAL_FILE);
    retouch_store::make_folder(folder).map_err(cannot)?;
    fs::write(&file, b"a trial").map_err(cannot)?;
    fs::remove_file(&file).map_err(cannot)?;
    Ok(format!("{} can be written to", folder.display()))
}

/// How much may still be written where `folder` is.
pub(super) fn free_space(folder: &Path) -> Result<String, String> {
    let space = rustix::fs::statvfs(folder);
    let space = space.map_err(|error| format!("cannot ask {}: {error}", folder.display()))?;
    let free_bytes = space.f_bavail.saturating_mul(space.f_frsize);
    let free = format!("{} MiB are free", free_bytes >> 20);
    if free_bytes < FREE_BYTES_MIN {
        return Err(format!("{free}; at least {} MiB should be", FREE_BYTES_MIN >> 20));
    }
    Ok(free)
}
