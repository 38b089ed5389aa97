//! The checks of the fuzz targets. `crates/engine/tests/found` runs the same ones on inputs that were
//! found.

#[path = "../../crates/engine/tests/memory/counting.rs"]
mod counting;
#[path = "../../crates/engine/tests/found/decode.rs"]
mod decoding;
#[path = "../../crates/engine/tests/found/execute.rs"]
mod executing;
#[path = "../../crates/engine/tests/found/input.rs"]
mod input;
#[path = "../../crates/engine/tests/found/read.rs"]
mod reading;

use counting::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Checks bytes as an image or a video.
pub fn decode(bytes: &[u8]) {
    decoding::check(bytes);
}

/// Checks text as a plan, or as an instruction for one.
pub fn execute(bytes: &[u8]) {
    executing::check(bytes);
}

/// Checks text as an instruction.
pub fn read(bytes: &[u8]) {
    reading::check(bytes);
}
