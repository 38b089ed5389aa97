//! The pieces that decide who calls: keys, passwords, passkeys, ID tokens, throttles, origins,
//! cookies, clients.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

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
#[path = "auth/token.rs"]
mod token;

use std::sync::Arc;

use retouch_core::{Ids, SeededEntropy, TestClock, Timestamp};
use retouch_server::auth;

/// Ids and secrets that are the same at every run.
fn ids(seed: u64) -> Ids {
    let clock = Arc::new(TestClock::new(Timestamp(1_800_000_000_000)));
    Ids::new(clock, Arc::new(SeededEntropy::new(seed)))
}
