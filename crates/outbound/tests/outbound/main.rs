//! What outgoing connections may reach, and what is accepted from them.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed precondition fails the test"
)]

mod address;
mod fetch;
mod signatures;
mod stock;
mod tokens;
