//! The service with providers behind it: the real router, store and adapters, over real HTTP to the
//! simulators of `retouch-sim`, which fail in every way that a provider can.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(unreachable_pub, reason = "modules of one binary, not a crate")]

#[path = "providers/faults.rs"]
mod faults;
#[path = "providers/prices.rs"]
mod prices;
#[path = "providers/service.rs"]
mod service;
#[path = "providers/table.rs"]
mod table;
