//! The memory that edits running at the same time may use together.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::config::machine;

/// Edits may use this part of the machine's memory, as in the service.
const MEMORY_PARTS: u64 = 4;

/// Memory, in bytes, to be reserved before it is used.
pub(super) struct Budget {
    total_bytes: u64,
    free_bytes: Mutex<u64>,
    changed: Condvar,
}

/// Reserved memory, given back when dropped.
pub(super) struct Reserved<'a> {
    budget: &'a Budget,
    bytes: u64,
}

impl Budget {
    /// A quarter of the machine's or the container's memory.
    pub(super) fn of_machine() -> Self {
        Self::new(machine::memory_bytes() / MEMORY_PARTS)
    }

    fn new(total_bytes: u64) -> Self {
        Self { total_bytes, free_bytes: Mutex::new(total_bytes), changed: Condvar::new() }
    }

    /// Waits until `bytes` are free. An edit that needs more than all of it runs alone.
    pub(super) fn reserve(&self, bytes: u64) -> Reserved<'_> {
        let bytes = bytes.min(self.total_bytes);
        let free = self.free_bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let free = self.changed.wait_while(free, |free| *free < bytes);
        *free.unwrap_or_else(PoisonError::into_inner) -= bytes;
        Reserved { budget: self, bytes }
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        let free = self.budget.free_bytes.lock();
        *free.unwrap_or_else(PoisonError::into_inner) += self.bytes;
        self.budget.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::Budget;

    #[test]
    fn memory_is_lent_up_to_its_total() {
        let budget = Budget::new(100);
        let small = budget.reserve(60);
        let rest = budget.reserve(40);
        assert_eq!(*budget.free_bytes.lock().unwrap(), 0);
        drop((small, rest));
        let alone = budget.reserve(1_000);
        assert_eq!(*budget.free_bytes.lock().unwrap(), 0, "it runs alone");
        drop(alone);
        assert_eq!(*budget.free_bytes.lock().unwrap(), 100);
    }
}
