//! What the fuzz targets share: how inputs are laid out, and memory at its peak.

mod input;
mod memory;

pub use input::{Input, perturbed};
pub use memory::{Counting, peak_bytes};
