//! The work of a server on this machine, as the kernel counts it: of a process, its children, and
//! children that have ended.

use std::collections::HashSet;
use std::fs;
use std::os::linux::fs::MetadataExt;
use std::path::{Path, PathBuf};

use http::Uri;

use crate::Fallible;
use crate::process::TICKS_PER_SECOND;

/// `TCP_LISTEN` (Linux, `include/net/tcp_states.h`).
const LISTENS: &str = "0A";
/// The position of written sectors and flushes in the `stat` file of a disk, and the bytes of a
/// sector (Linux, `Documentation/block/stat.rst`).
const SECTORS_AT: usize = 6;
const FLUSHES_AT: usize = 15;
const SECTOR_BYTES: f64 = 512.0;

/// A server's first process, whose children's work counts too.
pub(super) struct Work {
    first: u32,
}

impl Work {
    /// The process that listens at an address of this machine; none if the address is another
    /// machine's, or if the listener cannot be determined.
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

    /// Processor time so far, in milliseconds. When a process ends, its time is added to its
    /// parent's (`man 5 proc`, `cutime`).
    pub(super) fn processor_ms(&self) -> Fallible<f64> {
        let ticks = |process: u32| {
            let fields = stat(process)?;
            // The 14th to 17th fields of the file; `fields` starts with the third.
            let times = fields.split(' ').skip(11).take(4);
            Some(times.filter_map(|time| time.parse::<f64>().ok()).sum::<f64>())
        };
        let first = ticks(self.first).ok_or("a server has ended")?;
        let all = first + self.children().filter_map(ticks).sum::<f64>();
        Ok(all * 1e3 / TICKS_PER_SECOND)
    }

    /// Bytes passed to the kernel to write; none without permission to read the count. A process
    /// that ends passes its count on to its parent, as for processor time (Linux, `kernel/exit.c`,
    /// `task_io_accounting_add`). For PostgreSQL, the count covers only files, because it answers
    /// with `send`. The kernel's count of bytes on disks (`write_bytes`) is useless here: a single
    /// changed byte counts as a whole folio of the page cache (1 MiB on Linux 6.18).
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

/// The file with the counters of the disk that contains `folder`; none if it is on no disk.
pub(super) fn disk(folder: &Path) -> Option<PathBuf> {
    let device = fs::metadata(folder).ok()?.st_dev();
    // Split in the same way as by `major` and `minor` of the C library.
    let (major, minor) = ((device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00));
    let device = fs::canonicalize(format!("/sys/dev/block/{major}:{minor}")).ok()?;
    // Only whole disks have these counters, not partitions.
    let is_part = device.join("partition").exists();
    let disk = if is_part { device.parent()? } else { &device };
    let file = disk.join("stat");
    done(&file).is_ok().then_some(file)
}

/// The bytes written to that disk and the number of flushes, by all processes.
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

/// The fields after the name of the process, which is the second field.
fn stat(process: u32) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    Some(text.rsplit_once(") ")?.1.to_owned())
}

fn parent(process: u32) -> Option<u32> {
    stat(process)?.split(' ').nth(1)?.parse().ok()
}

/// The sockets that listen on a port, named as in the links of open files.
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
