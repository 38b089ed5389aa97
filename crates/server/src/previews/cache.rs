//! The reduced copies of stored images, of which the most recently used stay in memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use retouch_providers::built_in::preview::Reduced;
use tokio::sync::OnceCell;

/// A copy, once it has been made. Calls that need it at the same time wait for the first of them.
pub(super) type Cell = Arc<OnceCell<Reduced>>;

/// The most recently used copies, by the names of their files. A file never changes.
pub(super) struct Cache {
    images_max: usize,
    /// The last used one is at the end.
    cells: Mutex<VecDeque<(String, Cell)>>,
}

impl Cache {
    /// Keeps at most this many copies.
    pub(super) fn new(images_max: usize) -> Self {
        Self { images_max, cells: Mutex::default() }
    }

    /// The copy of the file `name`, which may have to be made.
    pub(super) fn cell(&self, name: &str) -> Cell {
        // A panic elsewhere cannot leave the list inconsistent.
        let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        let known = cells.iter().position(|(other, _)| other == name);
        let found = known.and_then(|at| cells.remove(at));
        let (name, cell) = found.unwrap_or_else(|| (name.to_owned(), Cell::default()));
        cells.push_back((name, Arc::clone(&cell)));
        while cells.len() > self.images_max {
            cells.pop_front();
        }
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_that_was_not_used_for_longest_goes_first() {
        let cache = Cache::new(2);
        let [first, second] = ["a", "b"].map(|name| cache.cell(name));
        assert!(Arc::ptr_eq(&first, &cache.cell("a")));
        cache.cell("c");
        assert!(Arc::ptr_eq(&first, &cache.cell("a")));
        assert!(!Arc::ptr_eq(&second, &cache.cell("b")));
    }

    #[test]
    fn without_room_nothing_is_kept() {
        let cache = Cache::new(0);
        let first = cache.cell("a");
        assert!(!Arc::ptr_eq(&first, &cache.cell("a")));
    }
}
