//! The service with providers behind it: the real router, store and adapters, over real HTTP to the
//! simulators of `retouch-sim`, which fail in every way that a provider can.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(unreachable_pub, reason = "modules of one binary, not a crate")]

#[path = "vendors/faults.rs"]
mod faults;
#[path = "vendors/prices.rs"]
mod prices;
#[path = "vendors/service.rs"]
mod service;
#[path = "vendors/table.rs"]
mod table;
