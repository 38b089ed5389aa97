//! Resampling to another size: Lanczos3 on premultiplied sRGB values (`fast_image_resize`), rounded
//! to the depth of the image.

use super::Size;
use crate::{Depth, ExecuteError, Picture, Sample};
use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use rayon::prelude::*;

/// What [`lanczos`] takes besides its source: the result, and what it works with.
pub(crate) fn resized_bytes(from: Size, to: Size, pixel_bytes: u64) -> u64 {
    pixels(to) * pixel_bytes + working_bytes(from, to, pixel_bytes)
}

/// The resizer keeps a premultiplied copy of the source and the half-done image of the result's
/// width and the source's height.
pub(crate) fn working_bytes(from: Size, to: Size, pixel_bytes: u64) -> u64 {
    (2 * pixels(from) + pixels((to.0, from.1))) * pixel_bytes
}

fn pixels((width, height): Size) -> u64 {
    u64::from(width) * u64::from(height)
}

/// Resizes to any size.
pub(crate) fn lanczos<S: Sample>(
    picture: &Picture<S>,
    size: Size,
) -> Result<Picture<S>, ExecuteError> {
    let failed = |error: &dyn std::fmt::Display| {
        ExecuteError::Impossible(format!("resizing failed: {error}"))
    };
    let kind = match S::DEPTH {
        Depth::Eight => PixelType::U8x4,
        Depth::Sixteen => PixelType::U16x4,
    };
    let samples = bytemuck::cast_slice(picture.pixels());
    let source = ImageRef::new(picture.width(), picture.height(), samples, kind)
        .map_err(|error| failed(&error))?;
    let mut result = Picture::new(size.0, size.1)?;
    let samples = bytemuck::cast_slice_mut::<S, u8>(result.pixels_mut());
    let mut into =
        Image::from_slice_u8(size.0, size.1, samples, kind).map_err(|error| failed(&error))?;
    let is_opaque = picture.pixels().as_chunks::<4>().0.par_iter().all(|pixel| pixel[3] == S::FULL);
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
        .use_alpha(!is_opaque);
    Resizer::new().resize(&source, &mut into, &options).map_err(|error| failed(&error))?;
    Ok(result)
}
