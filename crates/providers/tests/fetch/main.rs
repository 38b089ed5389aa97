//! Fetching from real servers on loopback, most of which misbehave.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on says why")]

mod answers;
mod encryption;
mod names;
mod redirects;
mod support;
mod texts;
