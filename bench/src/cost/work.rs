//! What a server on this machine has done, as the kernel counts it: a process, its children, and those of
//! them that have ended.

use std::collections::HashSet;
use std::fs;
use std::os::linux::fs::MetadataExt;
use std::path::{Path, PathBuf};

use http::Uri;

use crate::Fallible;
use crate::process::TICKS_PER_SECOND;

/// `TCP_LISTEN` (Linux, `include/net/tcp_states.h`).
const LISTENS: &str = "0A";
/// Where the written sectors and the flushes stand in the `stat` of a disk, and the bytes of a sector (Linux,
/// `Documentation/block/stat.rst`).
const SECTORS_AT: usize = 6;
const FLUSHES_AT: usize = 15;
const SECTOR_BYTES: f64 = 512.0;

/// A server's first process; what its children did is its work too.
pub(super) struct Work {
    first: u32,
}

impl Work {
    /// The process that listens at an address of this machine; none where it is another machine's, or
    /// where who listens cannot be seen.
    pub(super) fn of_listener(address: &str) -> Option<Self> {
        let uri: Uri = address.parse().ok()?;
        let is_here = ["127.0.0.1", "localhost", "[::1]"].contains(&uri.host()?);
        let sockets = is_here.then(|| sockets(uri.port_u16().unwrap_or(5432)))?;
        let holders: HashSet<u32> =
            processes().filter(|process| holds(*process, &sockets).unwrap_or(false)).collect();
        let first =
            holders.iter().find(|one| parent(**one).is_some_and(|it| !holders.contains(&it)))?;
        Some(Self { first: *first })
    }

    /// Processor time so far, in milliseconds. Whoever ends is counted by its parent from then on (`man 5
    /// proc`, `cutime`).
    pub(super) fn processor_ms(&self) -> Fallible<f64> {
        let ticks = |process: u32| {
            let fields = stat(process)?;
            // The 14th to the 17th field of all, the name being the second.
            let times = fields.split(' ').skip(11).take(4);
            Some(times.filter_map(|time| time.parse::<f64>().ok()).sum::<f64>())
        };
        let first = ticks(self.first).ok_or("a server has ended")?;
        let all = first + self.children().filter_map(ticks).sum::<f64>();
        Ok(all * 1e3 / TICKS_PER_SECOND)
    }

    /// Bytes that it has given to the kernel to be written; none where that may not be seen. It is inherited
    /// as processor time is (Linux, `kernel/exit.c`, `task_io_accounting_add`). For PostgreSQL those are its
    /// files alone, since it answers by `send`. What the kernel says of the bytes on disks (`write_bytes`) is
    /// of no use: it counts a whole folio of the page cache for a byte changed in it (1 MiB on Linux 6.18).
    pub(super) fn written(&self) -> Option<f64> {
        let first = written(self.first)?;
        Some(first + self.children().filter_map(written).sum::<f64>())
    }

    fn children(&self) -> impl Iterator<Item = u32> {
        processes().filter(|process| parent(*process) == Some(self.first))
    }
}

fn written(process: u32) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{process}/io")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("wchar: "))?.parse().ok()
}

/// The file with the counters of the disk that `folder` is on; none where it is on none.
pub(super) fn disk(folder: &Path) -> Option<PathBuf> {
    let device = fs::metadata(folder).ok()?.st_dev();
    // As `major` and `minor` of the C library take it apart.
    let (major, minor) = ((device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00));
    let device = fs::canonicalize(format!("/sys/dev/block/{major}:{minor}")).ok()?;
    // Only a whole disk counts them.
    let is_part = device.join("partition").exists();
    let disk = if is_part { device.parent()? } else { &device };
    let file = disk.join("stat");
    done(&file).is_ok().then_some(file)
}

/// The bytes that were written to that disk, and how often it was told to make them durable, by whomever.
pub(super) fn done(disk: &Path) -> Fallible<(f64, f64)> {
    let text = fs::read_to_string(disk)?;
    let field = |at| text.split_whitespace().nth(at).ok_or("the kernel is too old");
    let sectors: f64 = field(SECTORS_AT)?.parse()?;
    Ok((sectors * SECTOR_BYTES, field(FLUSHES_AT)?.parse()?))
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// What stands behind the name of the process.
fn stat(process: u32) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    Some(text.rsplit_once(") ")?.1.to_owned())
}

fn parent(process: u32) -> Option<u32> {
    stat(process)?.split(' ').nth(1)?.parse().ok()
}

/// The sockets that listen on a port, as the links of open files name them.
fn sockets(port: u16) -> HashSet<PathBuf> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|file| fs::read_to_string(file).ok());
    let at = format!(":{port:04X}");
    let lines = tables.iter().flatten().flat_map(|table| table.lines());
    let inodes = lines.filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let is_it = fields.get(1)?.ends_with(&at) && *fields.get(3)? == LISTENS;
        is_it.then(|| fields.get(9).map(|inode| PathBuf::from(format!("socket:[{inode}]"))))?
    });
    inodes.collect()
}

fn holds(process: u32, sockets: &HashSet<PathBuf>) -> std::io::Result<bool> {
    let files = fs::read_dir(format!("/proc/{process}/fd"))?;
    let mut links = files.flatten().filter_map(|file| fs::read_link(file.path()).ok());
    Ok(links.any(|link| sockets.contains(&link)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_listens_is_found() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let work = Work::of_listener(&address).unwrap();
        assert_eq!(work.first, std::process::id());
        assert!(work.processor_ms().unwrap() >= 0.0);
        drop(listener);
        assert!(Work::of_listener(&address).is_none());
    }
}
