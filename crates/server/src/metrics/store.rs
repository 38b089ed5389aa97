//! Metrics of the database and the image store.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;
use retouch_store::{BlobCall, Observer, TransactionReport};

use super::seconds;

/// The metrics of the store; clones share them.
#[derive(Clone, Debug)]
pub(super) struct StoreNumbers {
    transactions: Family<OutcomeLabels, Counter>,
    transaction_seconds: Histogram,
    sync_seconds: Histogram,
    commands: Histogram,
    wait_seconds: Histogram,
    waiting: Gauge,
    reads: Family<OutcomeLabels, Counter>,
    read_seconds: Histogram,
    blob_calls: Family<BlobLabels, Counter>,
    blob_seconds: Family<OperationLabels, Histogram>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct BlobLabels {
    operation: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OperationLabels {
    operation: &'static str,
}

impl StoreNumbers {
    /// Creates the metrics with the value zero and adds them to `registry`.
    pub(super) fn new(registry: &mut Registry) -> Self {
        let numbers = Self {
            transactions: Family::default(),
            transaction_seconds: seconds(),
            sync_seconds: seconds(),
            commands: Histogram::new(exponential_buckets(1.0, 2.0, 9)),
            wait_seconds: seconds(),
            waiting: Gauge::default(),
            reads: Family::default(),
            read_seconds: seconds(),
            blob_calls: Family::default(),
            blob_seconds: Family::new_with_constructor(seconds),
        };
        let n = &numbers;
        let help = "Attempted transactions by outcome";
        registry.register("database_transactions", help, n.transactions.clone());
        let help = "Duration of transactions";
        registry.register("database_transaction_seconds", help, n.transaction_seconds.clone());
        let help = "Duration of syncs of the embedded database's log, while other transactions run";
        registry.register("database_sync_seconds", help, n.sync_seconds.clone());
        let help = "Commands per transaction";
        registry.register("database_transaction_commands", help, n.commands.clone());
        let help = "Time that commands waited for a transaction";
        registry.register("database_wait_seconds", help, n.wait_seconds.clone());
        let help = "Commands waiting for a transaction";
        registry.register("database_waiting", help, n.waiting.clone());
        let help = "Database reads by outcome";
        registry.register("database_reads", help, n.reads.clone());
        let help = "Duration of reads, including the wait for a connection and for the disk";
        registry.register("database_read_seconds", help, n.read_seconds.clone());
        let help = "Image store calls by outcome";
        registry.register("blob_calls", help, n.blob_calls.clone());
        let help = "Duration of image store calls, including the wait for a thread";
        registry.register("blob_call_seconds", help, n.blob_seconds.clone());
        numbers
    }
}

impl Observer for StoreNumbers {
    fn queued(&self) {
        self.waiting.inc();
    }

    fn taken(&self, waited: Duration) {
        self.waiting.dec();
        self.wait_seconds.observe(waited.as_secs_f64());
    }

    fn transaction(&self, tried: &TransactionReport) {
        let outcome = tried.outcome;
        self.transactions.get_or_create(&OutcomeLabels { outcome }).inc();
        self.transaction_seconds.observe(tried.took.as_secs_f64());
        self.commands.observe(f64::from(u32::try_from(tried.commands).unwrap_or(u32::MAX)));
    }

    fn synced(&self, took: Duration) {
        self.sync_seconds.observe(took.as_secs_f64());
    }

    fn read(&self, outcome: &'static str, took: Duration) {
        self.reads.get_or_create(&OutcomeLabels { outcome }).inc();
        self.read_seconds.observe(took.as_secs_f64());
    }

    fn blob(&self, call: &BlobCall) {
        let BlobCall { operation, outcome, took } = *call;
        self.blob_calls.get_or_create(&BlobLabels { operation, outcome }).inc();
        let seconds = self.blob_seconds.get_or_create(&OperationLabels { operation });
        seconds.observe(took.as_secs_f64());
    }
}
