//! Encodes an image until it fits: in another format, with lower quality, at a smaller size.

use super::super::encode::{self, encode_jpeg, encode_plain_png, on_white};
use super::super::{DecodeError, Format};
use super::{FitRules, Fitted, scaled};
use crate::Picture;
use crate::kernels::resample::lanczos;
use std::borrow::Cow;

/// Encodes the image in a form that meets the rules.
pub(super) fn written(
    picture: &Picture,
    was: Format,
    rules: &FitRules<'_>,
) -> Result<Fitted, DecodeError> {
    let unfit = |reason: String| {
        let (width, height) = picture.size();
        DecodeError::Unfit { width, height, reason }
    };
    let mut size = rules.target(picture.size()).ok_or_else(|| unfit(sides(rules)))?;
    for _ in 0..ROUNDS_MAX {
        let resized = in_size(picture, size)?;
        let written = Written::new(&resized, was, rules)?;
        let length = written.bytes.len();
        if length <= rules.bytes_max {
            return Ok(Fitted {
                bytes: written.bytes,
                format: written.format,
                width: size.0,
                height: size.1,
                scaled: size != picture.size(),
                recompressed: true,
                flattened: written.flattened,
            });
        }
        size = scaled(size, shrinking(rules.bytes_max, length), f64::floor);
        if !rules.holds(size) {
            break;
        }
    }
    Err(unfit(format!("it can't be compressed to {} bytes", rules.bytes_max)))
}

/// Each round makes both sides at least a tenth shorter, so the last is about a fifth of the first.
const ROUNDS_MAX: usize = 16;

/// The size in bytes is about proportional to the number of pixels. This removes slightly more, so
/// that the next round is likely to be the last.
#[expect(clippy::cast_precision_loss, reason = "files are far below 2^53 bytes")]
fn shrinking(bytes_max: usize, bytes: usize) -> f64 {
    ((bytes_max as f64 / bytes as f64).sqrt() * 0.95).clamp(0.05, 0.9)
}

fn sides(rules: &FitRules<'_>) -> String {
    let FitRules { side_px_min, side_px_max, pixels_max, .. } = rules;
    format!("each side must have {side_px_min} to {side_px_max} pixels, and {pixels_max} in total")
}

fn in_size(picture: &Picture, size: (u32, u32)) -> Result<Cow<'_, Picture>, DecodeError> {
    if size == picture.size() {
        return Ok(Cow::Borrowed(picture));
    }
    lanczos(picture, size).map(Cow::Owned).map_err(DecodeError::unwritten)
}

/// One attempt: the first form that fits, or else the last one tried, which is the smallest.
struct Written {
    bytes: Vec<u8>,
    format: Format,
    flattened: bool,
}

impl Written {
    fn new(picture: &Picture, was: Format, rules: &FitRules<'_>) -> Result<Self, DecodeError> {
        let takes = |format| rules.formats.contains(&format);
        let is_opaque = encode::is_opaque(picture);
        let is_photograph = was == Format::Jpeg && takes(Format::Jpeg);
        let mut smallest = None;
        if takes(Format::Png) && !is_photograph {
            let bytes = encode_plain_png(picture).map_err(DecodeError::unwritten)?;
            let png = Self { bytes, format: Format::Png, flattened: false };
            if png.bytes.len() <= rules.bytes_max || !is_opaque {
                return Ok(png);
            }
            smallest = Some(png);
        }
        if takes(Format::Jpeg) {
            smallest = Some(Self::jpeg(picture, is_opaque, rules.bytes_max)?);
        }
        smallest.ok_or_else(|| DecodeError::unwritten("neither PNG nor JPEG is accepted"))
    }

    fn jpeg(picture: &Picture, is_opaque: bool, bytes_max: usize) -> Result<Self, DecodeError> {
        let flat = if is_opaque { Cow::Borrowed(picture) } else { Cow::Owned(on_white(picture)) };
        let mut bytes = Vec::new();
        for quality in QUALITIES {
            bytes = encode_jpeg(&flat, quality, None).map_err(DecodeError::unwritten)?;
            if bytes.len() <= bytes_max {
                break;
            }
        }
        Ok(Self { bytes, format: Format::Jpeg, flattened: !is_opaque })
    }
}

/// JPEG qualities, from no visible loss to where loss becomes visible. Below that, fewer pixels
/// look better.
const QUALITIES: [u8; 4] = [95, 90, 85, 80];
