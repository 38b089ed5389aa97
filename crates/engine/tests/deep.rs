//! Pictures of 16 bits a channel keep their precision until the last step.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test that cannot go on says why, and references are rounded"
)]

mod decoding;
mod mixing;
mod points;
mod support;
