//! Fixtures, the pattern that they show, and comparisons.

use retouch_engine::Picture;
use retouch_engine::codec::{DecodeError, Limits, decode};
use std::path::PathBuf;

pub(crate) const WIDTH: u32 = 24;
pub(crate) const HEIGHT: u32 = 16;

/// The bytes of a fixture in `tests/pictures`.
pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "pictures"].iter().collect();
    std::fs::read(folder.join(name)).expect(name)
}

pub(crate) fn open(bytes: &[u8]) -> Result<Picture, DecodeError> {
    decode(bytes, &Limits::default())
}

pub(crate) fn shown(name: &str) -> Picture {
    open(&fixture(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Makes a picture by a rule for each place.
pub(crate) fn painted(rule: impl Fn(u32, u32) -> [u8; 4]) -> Picture {
    let places = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    let pixels = places.flat_map(|(x, y)| rule(x, y)).collect();
    Picture::from_rgba(WIDTH, HEIGHT, pixels).expect("the size is lawful")
}

/// What every fixture shows: ramps, with three corners in plain colors so that turning shows.
pub(crate) fn pattern(x: u32, y: u32) -> [u8; 4] {
    let level = |value: u32, most: u32| (value * 255 / most) as u8;
    match (x, y) {
        (0..4, 0..4) => [255, 0, 0, 255],
        (20.., 0..4) => [0, 255, 0, 255],
        (0..4, 12..) => [0, 0, 255, 255],
        _ => [level(x, WIDTH - 1), level(y, HEIGHT - 1), level(x + y, WIDTH + HEIGHT - 2), 255],
    }
}

/// The ramp of opacity that the fixtures with transparency have.
pub(crate) fn with_ramp(x: u32, [red, green, blue, _]: [u8; 4]) -> [u8; 4] {
    [red, green, blue, (f64::from(x) * 255.0 / f64::from(WIDTH - 1)) as u8]
}

/// Pillow's gray, BT.601 in 16-bit fixed point (Convert.c).
pub(crate) fn gray([red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
    let weighted =
        u32::from(red) * 19_595 + u32::from(green) * 38_470 + u32::from(blue) * 7_471 + 0x8000;
    let level = (weighted >> 16) as u8;
    [level, level, level, alpha]
}

/// The largest difference of any channel.
pub(crate) fn difference(left: &Picture, right: &Picture) -> u8 {
    assert_eq!(left.size(), right.size());
    let pairs = left.pixels().iter().zip(right.pixels());
    pairs.map(|(left, right)| left.abs_diff(*right)).max().unwrap_or_default()
}

/// A chunk of a PNG with its length and its check sum.
pub(crate) fn png_chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let checked = [kind, content].concat();
    let (length, sum) = (content.len() as u32, crc32fast::hash(&checked));
    [length.to_be_bytes().as_slice(), &checked, &sum.to_be_bytes()].concat()
}
