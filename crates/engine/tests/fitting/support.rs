//! Fixtures, made-up pictures, and files with things added to them.

use retouch_engine::Picture;
use retouch_engine::codec::{Limits, decode};
use std::path::PathBuf;

pub(crate) const LIMITS: Limits = Limits {
    bytes_max: 20 << 20,
    pixels_max: 50_000_000,
    side_px_max: 16_384,
    decode_bytes_max: 1 << 30,
};

/// The bytes of a fixture in `tests/pictures`.
pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "pictures"].iter().collect();
    std::fs::read(folder.join(name)).expect(name)
}

pub(crate) fn shown(bytes: &[u8]) -> Picture {
    decode(bytes, &LIMITS).unwrap_or_else(|error| panic!("{error}"))
}

/// Noise, which no format makes small, with the opacity given.
pub(crate) fn noise(width: u32, height: u32, alpha: u8) -> Picture {
    let mut state = 0x2545_F491_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 24) as u8
    };
    let pixels = (0..width * height).flat_map(|_| [next(), next(), next(), alpha]);
    Picture::from_rgba(width, height, pixels.collect()).expect("the size is lawful")
}

/// A PNG chunk with its check sum.
pub(crate) fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let checked = [kind.as_slice(), content].concat();
    let length = u32::try_from(content.len()).expect("it is short").to_be_bytes();
    [length.as_slice(), &checked, &crc32fast::hash(&checked).to_be_bytes()].concat()
}

/// A PNG with a chunk put before its end.
pub(crate) fn with_chunk(png: &[u8], kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let (before, end) = png.split_at(png.len() - 12);
    [before, &chunk(kind, content), end].concat()
}

/// A PNG with a chunk put behind its header.
pub(crate) fn with_early_chunk(png: &[u8], kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let (header, rest) = png.split_at(33);
    [header, &chunk(kind, content), rest].concat()
}

/// A JPEG with a segment put behind its start.
pub(crate) fn with_segment(jpeg: &[u8], code: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).expect("it is short").to_be_bytes();
    [&[0xFF, 0xD8, 0xFF, code], length.as_slice(), content, &jpeg[2..]].concat()
}

/// A simple WebP as an extended one, with a chunk behind the picture.
pub(crate) fn with_webp_chunk(webp: &[u8], kind: &[u8; 4], content: &[u8], flag: u8) -> Vec<u8> {
    let (width, height) = shown(webp).size();
    let side = |side: u32| (side - 1).to_le_bytes();
    let mut wide = [flag, 0, 0, 0].to_vec();
    wide.extend_from_slice(&side(width)[..3]);
    wide.extend_from_slice(&side(height)[..3]);
    let boxed = |kind: &[u8; 4], content: &[u8]| {
        let length = u32::try_from(content.len()).expect("it is short").to_le_bytes();
        let padding = vec![0; content.len() % 2];
        [kind.as_slice(), &length, content, &padding].concat()
    };
    let body = [b"WEBP".to_vec(), boxed(b"VP8X", &wide), webp[12..].to_vec(), boxed(kind, content)]
        .concat();
    [b"RIFF".as_slice(), &u32::try_from(body.len()).expect("it is short").to_le_bytes(), &body]
        .concat()
}

/// Whether some bytes occur in others.
pub(crate) fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
