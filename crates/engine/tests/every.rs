//! What holds for every operation, over the examples of the table of operations.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says why")]

mod alpha;
mod controls;
mod scaled;
mod table;
mod threads;

/// Large enough for an example of every operation.
const SMALL: table::Size = (260, 190);
