//! Future events, in order of time.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Future events and the current time: a clock that jumps from one event to the next.
#[derive(Debug)]
pub(crate) struct Calendar<E> {
    now_ns: u64,
    count: u64,
    due: BinaryHeap<Reverse<Due<E>>>,
}

#[derive(Debug)]
struct Due<E> {
    at_ns: u64,
    /// Orders events at the same time: the first one entered comes first.
    number: u64,
    event: E,
}

impl<E> Calendar<E> {
    /// An empty calendar.
    pub(crate) fn new() -> Self {
        Self { now_ns: 0, count: 0, due: BinaryHeap::new() }
    }

    /// The current time, in nanoseconds since the beginning.
    pub(crate) fn now_ns(&self) -> u64 {
        self.now_ns
    }

    /// Schedules `event` in that many nanoseconds.
    pub(crate) fn enter(&mut self, in_ns: u64, event: E) {
        self.count += 1;
        let at_ns = self.now_ns.saturating_add(in_ns);
        self.due.push(Reverse(Due { at_ns, number: self.count, event }));
    }

    /// The next event before `end_ns`. The clock moves to its time.
    pub(crate) fn next_before(&mut self, end_ns: u64) -> Option<E> {
        if self.due.peek().is_none_or(|Reverse(due)| due.at_ns >= end_ns) {
            return None;
        }
        let Reverse(due) = self.due.pop()?;
        self.now_ns = due.at_ns;
        Some(due.event)
    }
}

impl<E> Due<E> {
    fn place(&self) -> (u64, u64) {
        (self.at_ns, self.number)
    }
}

impl<E> PartialEq for Due<E> {
    fn eq(&self, other: &Self) -> bool {
        self.place() == other.place()
    }
}

impl<E> Eq for Due<E> {}

impl<E> PartialOrd for Due<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Due<E> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place().cmp(&other.place())
    }
}
