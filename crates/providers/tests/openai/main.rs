//! The OpenAI Images protocol: what each kind of server is sent, and what its responses mean.

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
