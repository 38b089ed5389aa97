//! Protocols over real HTTP, against the simulators of their providers.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod faults;
mod openai;
mod sdcpp;
mod stand;
