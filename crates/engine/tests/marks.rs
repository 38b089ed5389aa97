//! Texts, watermarks and drawn marks on pictures.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod drawn;
mod grids;
mod plans;
mod qr_codes;
mod support;
mod texts;
#[path = "../src/operations/draw/text/transform.rs"]
mod transform;
mod transforms;
