//! The parts that establish who calls: API keys, passwords, passkeys, rate limits, origins, cookies
//! and client addresses.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a failed setup fails the test")]

#[path = "auth/client.rs"]
mod client;
#[path = "auth/cookie.rs"]
mod cookie;
#[path = "auth/origin.rs"]
mod origin;
#[path = "auth/passkey.rs"]
mod passkey;
#[path = "auth/password.rs"]
mod password;
#[path = "auth/secret.rs"]
mod secret;
#[path = "auth/throttle.rs"]
mod throttle;

use std::sync::Arc;

use retouch_core::{Ids, SeededEntropy, TestClock, Timestamp};
use retouch_server::auth;

/// IDs and secrets that are the same in every run.
fn ids(seed: u64) -> Ids {
    let clock = Arc::new(TestClock::new(Timestamp(1_800_000_000_000)));
    Ids::new(clock, Arc::new(SeededEntropy::new(seed)))
}
