//! Pictures on their way to providers and back, through the codec's public surface.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on says why")]

mod fit;
mod results;
mod support;
