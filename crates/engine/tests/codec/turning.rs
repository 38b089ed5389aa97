//! The eight orientations of every format that carries one.

use crate::codec::support::{difference, fixture, painted, pattern, shown};
use retouch_engine::codec::{Limits, encode_png, probe};

#[test]
fn every_orientation_gives_the_same_upright_picture() {
    let upright = painted(pattern);
    for (extension, most) in [("png", 0), ("webp", 0), ("tif", 0), ("jpg", 6)] {
        for turn in 1..=8 {
            let name = format!("turned{turn}.{extension}");
            let found = difference(&shown(&name), &upright);
            assert!(found <= most, "{name} differs by {found}, {most} is allowed");
        }
    }
}

#[test]
fn the_header_tells_both_sizes() {
    let header = probe(&fixture("turned6.jpg"), &Limits::default()).expect("it is lawful");
    assert_eq!((header.width, header.height), (16, 24));
    assert_eq!(header.size(), (24, 16));
}

#[test]
fn metadata_does_not_survive() {
    let written = encode_png(&shown("turned6.png")).expect("it can be written");
    let chunks: Vec<_> =
        written.windows(4).filter(|four| matches!(*four, b"eXIf" | b"iCCP" | b"tEXt")).collect();
    assert!(chunks.is_empty(), "{chunks:?}");
}
