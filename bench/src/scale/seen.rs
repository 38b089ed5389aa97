//! The results of a simulation.

use super::network::Database;
use super::place::Station;
use crate::waits::Waits;

/// What is recorded after the warm-up.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The time of each finished call, in nanoseconds.
    pub(crate) waits: Vec<u64>,
    /// Transactions of all writers.
    pub(crate) transactions: usize,
    /// Commands in those transactions.
    pub(crate) commands: usize,
    /// Syncs of all databases.
    pub(crate) syncs: u64,
    /// The duration, in seconds.
    pub(crate) seconds: f64,
    /// The average number of busy servers of each station.
    pub(crate) working: Vec<f64>,
    /// Calls that are running now.
    pub(crate) under_way: i64,
    /// The integral of the number of running calls over time, in calls times nanoseconds.
    call_ns: i128,
    since_ns: u64,
    began_ns: u64,
    busy_ns: Vec<u64>,
    synced: u64,
}

impl Seen {
    /// Starts recording.
    pub(crate) fn begin(now_ns: u64, stations: &[Station], databases: &[Database]) -> Self {
        Self {
            began_ns: now_ns,
            since_ns: now_ns,
            busy_ns: stations.iter().map(|station| station.busy_ns).collect(),
            synced: syncs(databases),
            ..Self::default()
        }
    }

    /// Notes that this many more calls are running from now on.
    pub(crate) fn changes(&mut self, now_ns: u64, calls: i64) {
        self.call_ns += i128::from(self.under_way) * i128::from(now_ns - self.since_ns);
        self.since_ns = now_ns;
        self.under_way += calls;
    }

    /// Stops recording.
    pub(crate) fn end(mut self, now_ns: u64, stations: &[Station], databases: &[Database]) -> Self {
        self.changes(now_ns, 0);
        let long_ns = (now_ns - self.began_ns) as f64;
        self.seconds = long_ns / 1e9;
        self.syncs = syncs(databases) - self.synced;
        let worked = stations.iter().zip(&self.busy_ns);
        self.working =
            worked.map(|(station, before)| (station.busy_ns - before) as f64 / long_ns).collect();
        self
    }

    /// Calls per second.
    pub(crate) fn per_s(&self) -> f64 {
        self.waits.len() as f64 / self.seconds
    }

    /// The mean time of a call, in milliseconds.
    pub(crate) fn mean_ms(&self) -> f64 {
        self.waits.iter().map(|wait_ns| *wait_ns as f64).sum::<f64>()
            / 1e6
            / self.waits.len() as f64
    }

    /// The average number of running calls.
    pub(crate) fn calls(&self) -> f64 {
        self.call_ns as f64 / 1e9 / self.seconds
    }

    /// The average number of commands in a transaction.
    pub(crate) fn batch(&self) -> f64 {
        self.commands as f64 / self.transactions as f64
    }

    /// The times of the calls, for their quantiles.
    pub(crate) fn times(&self) -> Waits {
        Waits::new(self.waits.clone())
    }
}

fn syncs(databases: &[Database]) -> u64 {
    databases.iter().map(|database| database.log.syncs).sum()
}
