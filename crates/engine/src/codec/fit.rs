//! Prepares input images for a provider: unchanged if possible, otherwise encoded again.

mod write;

use super::encode::png_bytes;
use super::strip::{Audience, strip};
use super::{DecodeError, Format, Header, Limits, decode, guarded, probe, whole};
use crate::limits::{PIXEL_BYTES, SIDE_PX_MAX};
use std::borrow::Cow;

/// What a provider accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FitRules<'a> {
    /// Formats that it accepts. PNG or JPEG must be one of them, because Retouch writes no others.
    pub formats: &'a [Format],
    /// The most bytes of the file.
    pub bytes_max: usize,
    /// The fewest pixels of either side. Smaller images are enlarged.
    pub side_px_min: u32,
    /// The most pixels of either side. Larger images are scaled down.
    pub side_px_max: u32,
    /// The most pixels, width times height. Larger images are scaled down.
    pub pixels_max: u64,
}

/// An image that was changed to meet the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitted {
    /// The file, without metadata.
    pub bytes: Vec<u8>,
    /// PNG or JPEG if the image was encoded again, otherwise its original format.
    pub format: Format,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Whether its size was changed.
    pub scaled: bool,
    /// Whether its pixels were encoded again. If not, only metadata was removed.
    pub recompressed: bool,
    /// Whether transparent parts became white, because only JPEG is accepted.
    pub flattened: bool,
}

/// Makes an image meet the rules. Returns `None` if it already does: it has an accepted format, is
/// upright, in sRGB, with 8 bits per sample and no metadata, and is complete, which decoding shows.
///
/// If only metadata has to go, the pixels stay untouched. An image that has to be encoded again
/// becomes a JPEG if it was one, otherwise a PNG, or a JPEG if the PNG is too large and nothing is
/// transparent. Quality is lowered from 95 to 80 before the size is.
///
/// # Errors
/// [`DecodeError`] when it can't be decoded, or can't be made to meet the rules.
pub fn fit(
    bytes: &[u8],
    limits: &Limits,
    rules: &FitRules<'_>,
) -> Result<Option<Fitted>, DecodeError> {
    let header = probe(bytes, limits)?;
    match stripped(bytes, &header, rules) {
        Some(Cow::Borrowed(_)) => Ok(None),
        Some(Cow::Owned(bare)) => Ok(Some(Fitted {
            bytes: bare,
            format: header.format,
            width: header.width,
            height: header.height,
            scaled: false,
            recompressed: false,
            flattened: false,
        })),
        None => {
            let picture = decode(bytes, limits)?;
            guarded(header.format, || write::written(&picture, header.format, rules)).map(Some)
        }
    }
}

/// Upper bound of the peak memory of [`fit`], in bytes. It includes the result, but not the encoded
/// bytes that are passed in.
#[must_use]
pub fn fit_bytes(header: &Header, rules: &FitRules<'_>) -> u64 {
    let pixels = |size: (u32, u32)| u64::from(size.0) * u64::from(size.1);
    let size = header.size();
    let target = rules.target(size).unwrap_or(size);
    let (from, to) = (pixels(size) * PIXEL_BYTES, pixels(target) * PIXEL_BYTES);
    // Either the resizer's premultiplied copy and its half-finished image, or the encoder's rows
    // and output.
    let resizing = if target == size { 0 } else { 2 * from + from.max(to) };
    let writing = (2 * to + to / 2).max(png_bytes(target));
    let working = from + to + resizing.max(writing) + ENCODER_BYTES;
    header.decode_bytes.max(working)
}

/// Memory of the resizer and the encoders for tables and rows, in bytes.
const ENCODER_BYTES: u64 = 8 * 1024 * 1024;

impl FitRules<'_> {
    /// The size to send an image of this size in, before the number of bytes is known. Returns
    /// `None` when no size with the same aspect ratio meets the rules.
    fn target(&self, (width, height): (u32, u32)) -> Option<(u32, u32)> {
        let side_px_max = self.side_px_max.min(SIDE_PX_MAX);
        let (short, long) = (width.min(height), width.max(height));
        let pixels = u64::from(width) * u64::from(height);
        let by_side = f64::from(side_px_max) / f64::from(long);
        #[expect(clippy::cast_precision_loss, reason = "pixels are far below 2^53")]
        let by_pixels = (self.pixels_max as f64 / pixels as f64).sqrt();
        let down = by_side.min(by_pixels).min(1.0);
        let up = f64::from(self.side_px_min) / f64::from(short);
        let target = match (down < 1.0, up > 1.0) {
            (true, _) => scaled((width, height), down, f64::floor),
            (false, true) => scaled((width, height), up, f64::ceil),
            (false, false) => (width, height),
        };
        self.holds(target).then_some(target)
    }

    fn holds(&self, (width, height): (u32, u32)) -> bool {
        width.min(height) >= self.side_px_min
            && width.max(height) <= self.side_px_max.min(SIDE_PX_MAX)
            && u64::from(width) * u64::from(height) <= self.pixels_max
    }
}

/// Scales a size by a factor. Each side keeps at least one pixel.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited before")]
fn scaled(size: (u32, u32), factor: f64, round: fn(f64) -> f64) -> (u32, u32) {
    let side = |side: u32| round(f64::from(side) * factor).clamp(1.0, f64::from(u32::MAX)) as u32;
    (side(size.0), side(size.1))
}

/// Returns the file without metadata if nothing else has to change and the file is complete.
fn stripped<'a>(bytes: &'a [u8], header: &Header, rules: &FitRules<'_>) -> Option<Cow<'a, [u8]>> {
    if !rules.formats.contains(&header.format) || !rules.holds((header.width, header.height)) {
        return None;
    }
    // Errors are ignored here, because decoding follows and explains them better.
    guarded(header.format, || {
        let bare = strip(bytes, header.format, Audience::Provider)?;
        let Some(bare) = bare.filter(|bare| bare.len() <= rules.bytes_max) else { return Ok(None) };
        whole::verify(&bare, header.format).map(|()| Some(bare))
    })
    .ok()
    .flatten()
}
