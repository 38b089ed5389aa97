//! What stored files must do, wherever they are: in a folder, in memory, and, where
//! `RETOUCH_TEST_S3` has the address of a server (`tests/s3/run` starts one), in a bucket.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "servers of tests end with their runtime")]

mod addresses;
mod contract;
mod folder;
mod network;
mod place;
mod servers;
mod walks;
