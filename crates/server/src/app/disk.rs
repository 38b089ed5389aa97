//! The space on the disk with the data folder, and the figures of the day.

use std::path::Path;

use retouch_store::Error;

use super::App;

/// The space on a disk, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disk {
    /// What is used, by all programs together.
    pub used_bytes: u64,
    /// What this program can still use.
    pub free_bytes: u64,
}

impl Disk {
    /// The disk that has `folder`. `None` if the operating system does not say.
    pub fn of(folder: &Path) -> Option<Self> {
        let space = rustix::fs::statvfs(folder).ok()?;
        let used = space.f_blocks.saturating_sub(space.f_bfree);
        Some(Self {
            used_bytes: used.saturating_mul(space.f_frsize),
            free_bytes: space.f_bavail.saturating_mul(space.f_frsize),
        })
    }
}

impl App {
    /// Measures the figures of the day for the dashboard.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn measure(&self) -> Result<(), Error> {
        let disk = Disk::of(&self.settings.store.data_dir);
        let used = disk.and_then(|disk| i64::try_from(disk.used_bytes).ok());
        self.store.measure(used).await
    }
}
