//! Protocols over real HTTP, against the stand-ins for their vendors.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod faults;
mod openai;
mod sdcpp;
mod stand;
