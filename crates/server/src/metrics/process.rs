//! Metrics of this process, as far as the operating system provides them.

use std::fs;

use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

/// The metrics of the process.
#[derive(Debug, Default)]
pub(super) struct ProcessNumbers {
    started_seconds: Gauge,
    resident_bytes: Gauge,
    open_files: Gauge,
}

impl ProcessNumbers {
    /// Creates the metrics, including the program's version, and adds them to `registry`.
    pub(super) fn new(registry: &mut Registry) -> Self {
        let numbers = Self::default();
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "Version of the program", version);
        let help = "Start time of the process in seconds since 1970";
        registry.register("process_start_time_seconds", help, numbers.started_seconds.clone());
        let help = "Resident memory of the process";
        registry.register("process_resident_memory_bytes", help, numbers.resident_bytes.clone());
        let help = "Open files and connections of the process";
        registry.register("process_open_files", help, numbers.open_files.clone());
        numbers
    }

    /// Records when the process started, in milliseconds since 1970.
    pub(super) fn began(&self, at_ms: i64) {
        self.started_seconds.set(at_ms / 1_000);
    }

    /// Reads the current values.
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
