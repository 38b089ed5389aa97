//! Tones and colors against references in double precision.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod automatic;
mod fusing;
mod palettes;
pub(crate) mod reference;
mod single;
mod support;
