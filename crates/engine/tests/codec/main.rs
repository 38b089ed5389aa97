//! The codecs through their public surface: good pictures of every kind, and hostile bytes.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on says why")]

mod bands;
mod bitmaps;
mod bombs;
mod colors;
mod crowds;
mod encoding;
mod faxes;
mod formats;
mod hostile;
#[path = "../every/riff.rs"]
mod riff;
mod support;
#[path = "../every/tiff.rs"]
mod tiff;
mod turning;
