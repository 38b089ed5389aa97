//! Encodes images into files of a limited size or with a resolution.

use super::encode::{Dpi, EncodeError, Encoded, Encoding, encode_at, encode_bytes};
use crate::Picture;
use crate::limits::PIXEL_BYTES;

/// The lowest JPEG quality before the image is reduced instead: below, blocks are visible.
const QUALITY_MIN: u8 = 40;
/// How much of the limit a reduced image should use, since files don't shrink exactly with their area.
const FILLED: f64 = 0.95;
/// Each reduction makes the sides at least this much shorter, so that it ends.
const FACTOR_MAX: f64 = 0.9;

/// What a file has to be besides its format and quality.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileRules {
    /// The most bytes of the file.
    pub bytes_max: Option<u64>,
    /// The pixels of an inch of the printed image, which the file then says. The pixels are the same.
    pub dpi: Option<u16>,
}

/// Encodes an image in a file that keeps the rules. Under a limit, it is a JPEG with the best quality
/// that fits, up to the one that is asked for. If none fits that is good enough, or if the format has
/// no quality, the image is reduced as little as possible. An image of one pixel is never refused.
///
/// # Errors
/// [`EncodeError`] when the encoder fails.
pub fn encode_within(
    picture: &Picture,
    encoding: Encoding,
    FileRules { bytes_max, dpi }: FileRules,
) -> Result<Encoded, EncodeError> {
    let Some(bytes_max) = bytes_max else { return encode_at(picture, encoding, dpi) };
    let fits = |encoded: &Encoded| encoded.bytes.len() as u64 <= bytes_max;
    let mut encoded = best(picture, (encoding, dpi), &fits)?;
    let mut size = picture.size();
    while !fits(&encoded) && size != (1, 1) {
        size = shorter(size, bytes_max, encoded.bytes.len());
        let reduced = picture.resized(size).map_err(|_| EncodeError::Reduced)?;
        encoded = Encoded { reduced_to: Some(size), ..best(&reduced, (encoding, dpi), &fits)? };
    }
    Ok(encoded)
}

/// Upper bound of the peak memory of [`encode_within`], in bytes. It includes the image and the file.
#[must_use]
pub fn encode_within_bytes(size: (u32, u32), encoding: Encoding, rules: FileRules) -> u64 {
    let once = encode_bytes(size, encoding);
    let Some(bytes_max) = rules.bytes_max else { return once };
    let pixels = u64::from(size.0) * u64::from(size.1);
    let kept = bytes_max.min(pixels * PIXEL_BYTES);
    once + Picture::<u8>::resizing_bytes(size, size) + kept
}

/// The largest file that fits, or the smallest one of a good quality.
fn best(
    picture: &Picture,
    (encoding, dpi): (Encoding, Dpi),
    fits: &impl Fn(&Encoded) -> bool,
) -> Result<Encoded, EncodeError> {
    let encoded = encode_at(picture, encoding, dpi)?;
    let Encoding::Jpeg { quality } = encoding else { return Ok(encoded) };
    let mut lowest = QUALITY_MIN.min(quality);
    if fits(&encoded) || lowest == quality {
        return Ok(encoded);
    }
    drop(encoded);
    let mut best = encode_at(picture, Encoding::Jpeg { quality: lowest }, dpi)?;
    let mut highest = quality;
    while fits(&best) && highest - lowest > 1 {
        let middle = lowest.midpoint(highest);
        let encoded = encode_at(picture, Encoding::Jpeg { quality: middle }, dpi)?;
        if fits(&encoded) {
            (best, lowest) = (encoded, middle);
        } else {
            highest = middle;
        }
    }
    Ok(best)
}

/// The size whose file probably fits.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a side times a factor below 1, and file sizes far below 2^52"
)]
fn shorter((width, height): (u32, u32), bytes_max: u64, bytes: usize) -> (u32, u32) {
    let factor = (bytes_max as f64 / bytes as f64 * FILLED).sqrt().min(FACTOR_MAX);
    let side = |side: u32| ((f64::from(side) * factor) as u32).max(1);
    (side(width), side(height))
}
