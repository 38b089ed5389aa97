//! Determines the size of a created image.

use crate::Refusal;
use crate::instruction::{Clause, whole_pixels};

/// What the request says about the size of the image.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted {
    /// Width and height in pixels.
    pub(crate) size: Option<(u32, u32)>,
    /// The ratio of width to height.
    pub(crate) ratio: Option<(f64, f64)>,
}

/// The size in the instruction, or in the request, or by default 1024 x 1024 pixels.
pub(super) fn size(clause: &mut Clause<'_>, wanted: Wanted) -> Result<(u32, u32), Refusal> {
    let pixels = "the size must be in whole pixels, for example 512x512";
    if let Some((width, height)) = clause.dimensions() {
        let size = whole_pixels(width).zip(whole_pixels(height));
        let size = size.ok_or_else(|| Refusal::out_of_range(pixels))?;
        return match wanted.size {
            Some(other) if other != size => Err(Refusal::contradiction(format!(
                "the instruction asks for {}x{} pixels, but the request's size is {}x{}; give \
                 only one",
                size.0, size.1, other.0, other.1
            ))),
            _ if wanted.ratio.is_some_and(|ratio| !is_of(size, ratio)) => {
                Err(Refusal::contradiction(format!(
                    "{}x{} pixels in the instruction does not match the request's aspectRatio; \
                     give only one",
                    size.0, size.1
                )))
            }
            _ => Ok(size),
        };
    }
    if let Some(size) = wanted.size {
        return Ok(size);
    }
    let said = clause.ratio();
    let ratio = match (said, wanted.ratio) {
        (Some(said), Some(other)) if (said.0 * other.1 - said.1 * other.0).abs() > 1e-6 => {
            return Err(Refusal::contradiction(
                "the instruction and the request's aspectRatio differ; give only one",
            ));
        }
        (said, other) => said.or(other).unwrap_or((1.0, 1.0)),
    };
    let size = of_ratio(ratio).ok_or_else(|| Refusal::out_of_range(pixels))?;
    clause.assumed.push(format!("the image size is {}x{} pixels", size.0, size.1));
    Ok(size)
}

/// Whether a size has an aspect ratio, apart from rounding to whole pixels.
fn is_of((width, height): (u32, u32), ratio: (f64, f64)) -> bool {
    let wanted = f64::from(height) * ratio.0 / ratio.1;
    (f64::from(width) - wanted).abs() <= 1.0
}

/// A size with exactly this aspect ratio and about as many pixels as 1024 x 1024.
fn of_ratio((width, height): (f64, f64)) -> Option<(u32, u32)> {
    let whole = width.fract() == 0.0 && height.fract() == 0.0;
    let scale = 1024.0 / (width * height).sqrt();
    let scale = if whole { scale.round().max(1.0) } else { scale };
    whole_pixels((width * scale).round()).zip(whole_pixels((height * scale).round()))
}
