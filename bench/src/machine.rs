//! The machine, without which the figures mean nothing.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use crate::Fallible;
use crate::waits::{Waits, nanoseconds};

/// The number of timed writes that show how long the disk takes to make one durable.
const SYNCS: u32 = 200;
/// The size of each timed write, in bytes: a page of the database.
const SYNC_BYTES: usize = 4096;

/// What the figures depend on.
#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    /// The processor.
    pub(crate) processor: String,
    /// Cores that this program may use.
    pub(crate) cores: usize,
    /// The operating system's kernel.
    pub(crate) kernel: String,
    /// The file system of the data.
    pub(crate) file_system: String,
    /// The median time of a durable write of 4 KiB there, in milliseconds.
    pub(crate) fdatasync_ms: f64,
    /// How busy the machine was beforehand, as its load average over the last minute.
    pub(crate) load_before: String,
}

impl Machine {
    /// Examines this machine, with data in `folder`.
    pub(crate) fn look(folder: &Path) -> Fallible<Self> {
        let cpu = fs::read_to_string("/proc/cpuinfo")?;
        let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        let load = fs::read_to_string("/proc/loadavg")?;
        Ok(Self {
            processor: model.map_or("unknown", |(_, name)| name).to_owned(),
            cores: std::thread::available_parallelism()?.get(),
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease")?.trim().to_owned(),
            file_system: file_system(folder)?,
            fdatasync_ms: fdatasync_ms(folder)?,
            load_before: load.split(' ').next().unwrap_or_default().to_owned(),
        })
    }
}

/// The type of the mount that `folder` is on: the mount with the longest matching path.
fn file_system(folder: &Path) -> Fallible<String> {
    let folder = folder.canonicalize()?;
    let mounts = fs::read_to_string("/proc/mounts")?;
    let mounts = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(1);
        Some((fields.next()?, fields.next()?))
    });
    let ours = mounts.filter(|(place, _)| folder.starts_with(place));
    let longest = ours.max_by_key(|(place, _)| place.len());
    Ok(longest.map_or("unknown", |(_, kind)| kind).to_owned())
}

fn fdatasync_ms(folder: &Path) -> Fallible<f64> {
    let path = folder.join("fdatasync");
    let mut file = File::create(&path)?;
    let mut waits = Vec::new();
    for _ in 0..SYNCS {
        let began = Instant::now();
        file.write_all(&[1; SYNC_BYTES])?;
        file.sync_data()?;
        waits.push(nanoseconds(began.elapsed()));
    }
    fs::remove_file(&path)?;
    Ok(Waits::new(waits).at_ms(0.5))
}
