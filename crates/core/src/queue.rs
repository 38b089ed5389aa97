//! How many may wait: a count with a bound, for whoever makes callers wait in turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A count of those who wait, with the most that may.
#[derive(Clone, Debug)]
pub struct Queue {
    waiting: Arc<AtomicUsize>,
    waiting_max: usize,
}

/// As many wait as may.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{waiting} are waiting already")]
pub struct QueueFull {
    /// How many wait.
    pub waiting: usize,
}

/// A place in a queue, given up when dropped.
#[derive(Debug)]
pub struct Place(Arc<AtomicUsize>);

impl Queue {
    /// A queue in which `waiting_max` may wait.
    pub fn new(waiting_max: usize) -> Self {
        Self { waiting: Arc::default(), waiting_max }
    }

    /// How many wait at this moment.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Whether nobody more may wait.
    pub fn is_full(&self) -> bool {
        self.waiting() >= self.waiting_max
    }

    /// Takes a place.
    ///
    /// # Errors
    /// When as many wait as may.
    pub fn enter(&self) -> Result<Place, QueueFull> {
        let waiting = self.waiting.fetch_add(1, Ordering::Relaxed);
        let place = Place(Arc::clone(&self.waiting));
        if waiting >= self.waiting_max { Err(QueueFull { waiting }) } else { Ok(place) }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
