//! Fetching from real servers on loopback, most of which misbehave.

#![expect(clippy::expect_used, clippy::panic, reason = "a failed precondition fails the test")]

mod answers;
mod encryption;
mod names;
mod redirects;
mod support;
mod texts;
