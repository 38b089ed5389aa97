//! Memory at its peak, counted by the allocator itself, against what was announced before the work
//! began: for files, and for every operation.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on says why"
)]

mod claims;
mod codec;
mod counting;
mod groups;
mod operations;
#[path = "../every/riff.rs"]
mod riff;
#[path = "../every/table.rs"]
mod table;
mod tables;
#[path = "../every/tiff.rs"]
mod tiff;
#[path = "../every/groups.rs"]
mod webp_groups;

use counting::{Counting, peak_bytes};
use std::sync::Mutex;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test at a time: the counters are the process's.
static MEASURING: Mutex<()> = Mutex::new(());
