//! What every store must do, whatever database is below: a factory opens stores, the tests only
//! speak to the public calls. A second database runs the same files with a factory of its own.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod accounts;
mod administration;
mod administrators;
mod blobs;
mod books;
mod days;
mod deletion;
mod edits;
mod idempotency;
mod identities;
mod letters;
mod lists;
mod passkeys;
mod payments;
mod place;
mod plans;
mod sessions;
mod tasks;
