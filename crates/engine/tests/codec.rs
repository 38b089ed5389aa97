//! The codecs through their public surface: good pictures of every kind, and hostile bytes.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on says why")]

mod bands;
mod bitmaps;
mod bombs;
#[path = "../src/codec/deflate/codes.rs"]
#[expect(dead_code, reason = "only the lengths of codes are tested alone")]
mod codes;
mod colors;
mod crowds;
mod encoding;
mod faxes;
mod formats;
mod hostile;
mod prefix_codes;
#[path = "every/riff.rs"]
mod riff;
mod scans;
mod support;
#[path = "every/tiff.rs"]
mod tiff;
mod turning;
