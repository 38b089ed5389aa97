//! The OpenAI Images protocol: what is asked of each kind of server, and what its answers mean.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod answers;
#[cfg(test)]
#[path = "../orders/edit.rs"]
mod edit;
mod faults;
mod probes;
mod requests;
mod sdcpp;
mod sizes;
mod support;
