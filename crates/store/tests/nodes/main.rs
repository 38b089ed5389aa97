//! Tests several nodes on one PostgreSQL database: what holds across them, and what happens if the
//! connection to the server or a node is lost. Without a server in `RETOUCH_TEST_POSTGRES`,
//! nothing is tested.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "a test's tasks end with its runtime")]

#[path = "../support/asked.rs"]
mod asked;
#[path = "../support/database.rs"]
mod database;
mod doubt;
mod hosts;
mod leases;
mod losses;
mod outages;
mod place;
mod prune;
mod tls;
mod together;
mod way;
