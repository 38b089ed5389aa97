//! Several nodes on one PostgreSQL database: what holds across them, and when the way to the server
//! or one of them is lost. Without `RETOUCH_TEST_POSTGRES` there is no server, and nothing is tested.

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
