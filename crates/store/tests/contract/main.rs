//! Tests that every database must pass. They use the public API, and inspect rows directly only
//! where the rows themselves matter.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod accounts;
mod administration;
mod administrators;
#[path = "../support/asked.rs"]
mod asked;
mod books;
mod claims;
mod counts;
#[path = "../support/database.rs"]
mod database;
mod days;
mod deletion;
mod edits;
mod emails;
mod everything;
mod expiry;
mod failed;
mod grants;
mod idempotency;
mod identities;
mod leases;
mod lists;
mod newcomers;
mod packs;
mod passkeys;
mod payments;
mod place;
mod plans;
mod refusals;
mod schema;
mod sessions;
mod small;
mod spending;
mod tasks;
mod transfer;
mod uploads;
mod webhooks;
