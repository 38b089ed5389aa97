//! Values that take long to make, of which the most recently used stay in memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

/// A value, once it has been made. Calls that need it at the same time wait for the first of them.
pub type Cell<V> = Arc<OnceCell<V>>;

/// The most recently used values by their keys. What belongs to a key never changes.
pub struct Recent<K, V> {
    values_max: usize,
    /// The last used one is at the end.
    cells: Mutex<VecDeque<(K, Cell<V>)>>,
}

impl<K: Eq, V: Clone> Recent<K, V> {
    /// Keeps at most this many values.
    pub fn new(values_max: usize) -> Self {
        Self { values_max, cells: Mutex::default() }
    }

    /// The value for `key`, which may have to be made.
    pub fn cell(&self, key: K) -> Cell<V> {
        // A panic elsewhere cannot leave the list inconsistent.
        let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        let known = cells.iter().position(|(other, _)| *other == key);
        let found = known.and_then(|at| cells.remove(at));
        let (key, cell) = found.unwrap_or_else(|| (key, Cell::default()));
        cells.push_back((key, Arc::clone(&cell)));
        while cells.len() > self.values_max {
            cells.pop_front();
        }
        cell
    }

    /// The value for `key`, if it has been made and is still here.
    pub fn find(&self, key: &K) -> Option<V> {
        let cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, cell) = cells.iter().find(|(other, _)| other == key)?;
        cell.get().cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_that_was_not_used_for_longest_goes_first() {
        let recent = Recent::<_, ()>::new(2);
        let [first, second] = ["a", "b"].map(|key| recent.cell(key));
        assert!(Arc::ptr_eq(&first, &recent.cell("a")));
        recent.cell("c");
        assert!(Arc::ptr_eq(&first, &recent.cell("a")));
        assert!(!Arc::ptr_eq(&second, &recent.cell("b")));
    }

    #[test]
    fn without_room_nothing_is_kept() {
        let recent = Recent::<_, ()>::new(0);
        let first = recent.cell("a");
        assert!(!Arc::ptr_eq(&first, &recent.cell("a")));
    }

    #[test]
    fn only_finished_values_are_found() {
        let recent = Recent::new(2);
        let cell = recent.cell("a");
        assert_eq!(recent.find(&"a"), None);
        cell.set(1).unwrap();
        assert_eq!(recent.find(&"a"), Some(1));
        assert_eq!(recent.find(&"b"), None);
    }
}
