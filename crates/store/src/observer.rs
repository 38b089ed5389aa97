//! Who is told what the store does, in numbers. The store knows neither their names nor where they go.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use crate::Error;

/// Told of what the store does, on the threads that do it: it counts and returns.
pub trait Observer: Debug + Send + Sync {
    /// A command has been put into a queue of whoever writes.
    fn queued(&self) {}

    /// A command has been taken out of a queue, where it has waited for so long.
    fn taken(&self, _waited: Duration) {}

    /// A transaction has been tried.
    fn transaction(&self, _tried: &Transaction) {}

    /// Something was read from the database; it took so long, with waiting for a connection.
    fn read(&self, _outcome: &'static str, _took: Duration) {}

    /// The place of stored files was called.
    fn blob(&self, _call: &BlobCall) {}
}

/// A transaction that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// How many commands were to be in it.
    pub commands: usize,
    /// `done`, or [`Error::name`].
    pub outcome: &'static str,
    /// How long it took from its beginning to its end.
    pub took: Duration,
}

/// A call to the place of stored files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlobCall {
    /// What it was asked: `put`, `read`, `confirm` or `delete`.
    pub operation: &'static str,
    /// `done`, or [`Error::name`].
    pub outcome: &'static str,
    /// How long it took; a file that is read is only opened by then.
    pub took: Duration,
}

/// Nobody, who is told of everything.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Observer for Nobody {}

/// Tells `observer` of a transaction of so many commands that was begun then.
pub(crate) fn tried<T>(
    observer: &dyn Observer,
    (commands, began): (usize, Instant),
    done: &Result<T, Error>,
) {
    let (outcome, took) = (outcome(done), began.elapsed());
    observer.transaction(&Transaction { commands, outcome, took });
}

/// How something went, in a word.
pub(crate) fn outcome<T>(done: &Result<T, Error>) -> &'static str {
    done.as_ref().map_or_else(Error::name, |_| "done")
}
