//! What the driver does when a provider fails at each point. The numbers are those of the table in
//! docs/reliability.md.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(unreachable_pub, reason = "modules of one binary, not a crate")]

mod gate;
mod points;
mod results;
mod server;
mod support;
mod tasks;
mod toy;
