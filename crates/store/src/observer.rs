//! Hooks for metrics. The store knows neither the names of the metrics nor where they go.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use crate::Error;

/// Notified of what the store does, on the threads that do it. Implementations must only count and
/// return.
pub trait Observer: Debug + Send + Sync {
    /// A command was added to a writer's queue.
    fn queued(&self) {}

    /// A command was taken from a queue after waiting this long.
    fn taken(&self, _waited: Duration) {}

    /// A transaction was attempted.
    fn transaction(&self, _tried: &TransactionReport) {}

    /// A sync of the embedded database's log finished.
    fn synced(&self, _took: Duration) {}

    /// A read from the database finished. The time includes waiting for a connection, and for a sync of
    /// what it may have found.
    fn read(&self, _outcome: &'static str, _took: Duration) {}

    /// A call to the file storage finished.
    fn blob(&self, _call: &BlobCall) {}
}

/// An attempted transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransactionReport {
    /// The number of commands in it.
    pub commands: usize,
    /// `done`, or [`Error::name`].
    pub outcome: &'static str,
    /// How long it took, from start to end.
    pub took: Duration,
}

/// A call to the file storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlobCall {
    /// The operation: `put`, `read`, `confirm` or `delete`.
    pub operation: &'static str,
    /// `done`, or [`Error::name`].
    pub outcome: &'static str,
    /// How long it took. For `read`, only until the file was opened.
    pub took: Duration,
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Observer for Nobody {}

/// Notifies `observer` of a transaction with this many commands that started at this time.
pub(crate) fn tried<T>(
    observer: &dyn Observer,
    commands: usize,
    began: Instant,
    done: &Result<T, Error>,
) {
    let (outcome, took) = (outcome(done), began.elapsed());
    observer.transaction(&TransactionReport { commands, outcome, took });
}

/// The outcome in a word.
pub(crate) fn outcome<T>(done: &Result<T, Error>) -> &'static str {
    done.as_ref().map_or_else(Error::name, |_| "done")
}
