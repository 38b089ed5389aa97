//! Tests that apply to every file storage: a folder, memory and, if `RETOUCH_TEST_S3` has the
//! address of a server (`tests/s3/run` starts one), a bucket.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "servers of tests end with their runtime")]

mod addresses;
mod contract;
mod folder;
mod network;
mod place;
mod servers;
mod walks;
