//! What the fuzz targets share: how inputs are laid out, and memory at its peak.

#[path = "../../crates/engine/tests/memory/counting.rs"]
mod counting;
mod input;

use counting::Counting;
pub use input::{Input, perturbed};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What work gives, with the bytes that it took at its peak over those held before.
pub fn peak_bytes<T>(work: impl FnOnce() -> T) -> (T, u64) {
    counting::peak_bytes(work)
}
