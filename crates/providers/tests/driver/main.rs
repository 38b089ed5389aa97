//! What the driver makes of a vendor that breaks at every point: the numbers are those of the
//! table in docs/reliability.md.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(unreachable_pub, reason = "modules of one binary, not a crate")]

mod gate;
mod points;
mod results;
mod server;
mod support;
mod tasks;
mod toy;
