//! The machine's resources, for settings where 0 means "depending on the machine".

use std::fs;

/// Memory that is assumed if the operating system does not report it, in bytes.
const MEMORY_BYTES_ASSUMED: u64 = 4 << 30;
/// Files with a container's memory limit on Linux, the newer format first.
const CONTAINER_FILES: [&str; 2] =
    ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];

/// Cores that this process may use; 1 if the operating system does not report them.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Memory of the machine or its container, in bytes.
pub(crate) fn memory_bytes() -> u64 {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| total_bytes(&text));
    let container =
        CONTAINER_FILES.iter().find_map(|file| fs::read_to_string(file).ok()?.trim().parse().ok());
    let machine = machine.unwrap_or(MEMORY_BYTES_ASSUMED);
    container.map_or(machine, |limit: u64| limit.min(machine))
}

/// Reads `MemTotal:  24610100 kB`.
fn total_bytes(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read_in_bytes() {
        let text = "MemTotal:       2048 kB\nMemFree:         100 kB\n";
        assert_eq!(total_bytes(text), Some(2 << 20));
        assert_eq!(total_bytes("MemFree: 100 kB\n"), None);
        assert_eq!(total_bytes("MemTotal: much\n"), None);
    }
}
