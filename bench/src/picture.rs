//! The images that go in and come out: generated here, identical in every run.

use retouch_core::{Entropy, SeededEntropy};
use retouch_engine::{Picture, codec};

use crate::Fallible;

/// Width and height of the input image, in pixels: small, so that the path is measured and not the
/// decoder.
const INPUT_SIDE: u32 = 64;
/// The bytes of an opaque pixel in a PNG that cannot be compressed.
const NOISE_PIXEL_BYTES: f64 = 3.0;

/// A PNG of a gradient, to be edited.
pub(crate) fn input() -> Fallible<Vec<u8>> {
    let pixel = |at: u32| {
        let (x, y) = (at % INPUT_SIDE, at / INPUT_SIDE);
        [x * 4, y * 4, (x + y) * 2, 255].map(|value| value.to_le_bytes()[0])
    };
    let pixels = (0..INPUT_SIDE * INPUT_SIDE).flat_map(pixel).collect();
    Ok(codec::encode_png(&Picture::from_rgba(INPUT_SIDE, INPUT_SIDE, pixels)?)?)
}

/// Width and height of an image for the built-in editor, in pixels.
const PHOTOGRAPH: [u32; 2] = [240, 160];
/// How much its pixels differ from a gradient, in levels of a channel, so that its PNG is as large
/// as a photo's.
const GRAIN: u32 = 8;

/// A PNG that resembles a photo.
pub(crate) fn photograph() -> Fallible<Vec<u8>> {
    let [width, height] = PHOTOGRAPH;
    let mut grain = vec![0; usize::try_from(width * height)?];
    SeededEntropy::new(u64::from(width)).fill(&mut grain);
    let pixel = |(at, grain): (u32, u8)| {
        let (x, y) = (at % width * 240 / width, at / width * 240 / height);
        let grain = u32::from(grain) % GRAIN;
        [x + grain, y + grain, (x + y) / 2 + grain, 255].map(|value| value.to_le_bytes()[0])
    };
    let pixels = (0..width * height).zip(grain).flat_map(pixel).collect();
    Ok(codec::encode_png(&Picture::from_rgba(width, height, pixels)?)?)
}

/// A PNG of noise of about `bytes`, as the result of edits.
pub(crate) fn result(bytes: u32) -> Fallible<Vec<u8>> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the root of a u32 is small and not negative"
    )]
    let side = (f64::from(bytes) / NOISE_PIXEL_BYTES).sqrt() as u32;
    let mut pixels = vec![0; usize::try_from(side * side * 4)?];
    SeededEntropy::new(u64::from(bytes)).fill(&mut pixels);
    pixels.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
    Ok(codec::encode_png(&Picture::from_rgba(side, side, pixels)?)?)
}
