//! A counter with a limit, for code that makes callers wait their turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A number of waiting callers, and its maximum.
#[derive(Clone, Debug)]
pub struct Queue {
    waiting: Arc<AtomicUsize>,
    waiting_max: usize,
}

/// The queue is full.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("the queue is full: {waiting} are waiting")]
pub struct QueueFull {
    /// How many callers are waiting.
    pub waiting: usize,
}

/// A place in a queue, given up when dropped.
#[derive(Debug)]
pub struct Place(Arc<AtomicUsize>);

impl Queue {
    /// A queue in which at most `waiting_max` callers can wait.
    pub fn new(waiting_max: usize) -> Self {
        Self { waiting: Arc::default(), waiting_max }
    }

    /// How many callers are waiting now.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Whether no one else may wait.
    pub fn is_full(&self) -> bool {
        self.waiting() >= self.waiting_max
    }

    /// Takes a place.
    ///
    /// # Errors
    /// [`QueueFull`] if the maximum number of callers are waiting.
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
