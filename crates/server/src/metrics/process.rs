//! What this process is and takes, as the operating system tells; nothing where it does not.

use std::fs;

use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

/// Numbers of the process.
#[derive(Debug, Default)]
pub(super) struct ProcessNumbers {
    started_seconds: Gauge,
    resident_bytes: Gauge,
    open_files: Gauge,
}

impl ProcessNumbers {
    /// The numbers, known to `registry`, with the version of this program.
    pub(super) fn new(registry: &mut Registry) -> Self {
        let numbers = Self::default();
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The program that runs", version);
        let help = "When the process began, in seconds since 1970";
        registry.register("process_start_time_seconds", help, numbers.started_seconds.clone());
        let help = "Memory that the process has";
        registry.register("process_resident_memory_bytes", help, numbers.resident_bytes.clone());
        let help = "Files and connections that the process has open";
        registry.register("process_open_files", help, numbers.open_files.clone());
        numbers
    }

    /// Notes when the process began, in milliseconds since 1970.
    pub(super) fn began(&self, at_ms: i64) {
        self.started_seconds.set(at_ms / 1_000);
    }

    /// Looks.
    pub(super) fn look(&self) {
        self.resident_bytes.set(resident_bytes().unwrap_or(0));
        let files = fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
        self.open_files.set(i64::try_from(files).unwrap_or(i64::MAX));
    }
}

fn resident_bytes() -> Option<i64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: i64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1_024)
}
