//! Writing PNG.

use crate::support::{open, painted, pattern, with_ramp};
use proptest::prelude::*;
use retouch_engine::Picture;
use retouch_engine::codec::encode_png;

const COLOUR_TYPE_AT: usize = 25;

#[test]
fn the_fewest_channels_that_hold_the_picture_are_written() {
    let gray = painted(|x, _| [x as u8, x as u8, x as u8, 255]);
    let clear = painted(|x, y| with_ramp(x, pattern(x, y)));
    for (picture, colour_type) in [(gray, 0), (painted(pattern), 2), (clear, 6)] {
        let written = encode_png(&picture).expect("it can be written");
        assert_eq!(written.get(COLOUR_TYPE_AT), Some(&colour_type));
        assert_eq!(open(&written).expect("what is written can be read"), picture);
    }
}

#[test]
fn large_pictures_survive_too() {
    let pixels =
        (0..640 * 480_u32).flat_map(|at| [at as u8, (at >> 8) as u8, (at >> 3) as u8, 255]);
    let picture = Picture::from_rgba(640, 480, pixels.collect()).expect("the size is lawful");
    let written = encode_png(&picture).expect("it can be written");
    assert_eq!(open(&written).expect("what is written can be read"), picture);
    assert_eq!(written, encode_png(&picture).expect("it can be written again"));
}

proptest! {
    #[test]
    fn any_picture_survives(width in 1_u32..40, seed in any::<[u8; 64]>()) {
        let height = 40 / width + 1;
        let bytes = seed.iter().cycle().take((width * height * 4) as usize).copied();
        let picture = Picture::from_rgba(width, height, bytes.collect()).expect("it is lawful");
        let written = encode_png(&picture).expect("it can be written");
        prop_assert_eq!(open(&written).expect("what is written can be read"), picture);
    }
}
