//! Resampling to another size: Lanczos3 on premultiplied sRGB values (`fast_image_resize`), rounded
//! to the depth of the image.

use super::size::largest;
use super::{Size, canvas};
use crate::{Depth, ExecuteError, Picture, Place, Sample};
use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8x4, U16x4};
use fast_image_resize::{FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};
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
    let mut result = Picture::new(size.0, size.1)?;
    let is_opaque = picture.pixels().as_chunks::<4>().0.par_iter().all(|pixel| pixel[3] == S::FULL);
    let resizing = Resizing { depth: S::DEPTH, from: picture.size(), to: size, is_opaque };
    let into = bytemuck::cast_slice_mut(result.pixels_mut());
    resizing
        .run(bytemuck::cast_slice(picture.pixels()), into)
        .map_err(|error| ExecuteError::Impossible(format!("resizing failed: {error}")))?;
    Ok(result)
}

/// Crops an image around its center to the aspect ratio of a size and resizes it to that size.
/// Cropping first gives the same image with less work and memory.
pub(crate) fn covering<S: Sample>(
    picture: Picture<S>,
    size: Size,
) -> Result<Picture<S>, ExecuteError> {
    if picture.size() == size {
        return Ok(picture);
    }
    let part = covering_part(picture.size(), size);
    if part == picture.size() {
        return lanczos(&picture, size);
    }
    let from = Place::Center.offset(picture.size(), part);
    let part = canvas::part(&picture, from, part)?;
    drop(picture);
    lanczos(&part, size)
}

/// The size of what [`covering`] keeps of an image.
pub(crate) fn covering_part(from: Size, size: Size) -> Size {
    largest(from, f64::from(size.0) / f64::from(size.1))
}

/// A call of the resizer. It is not generic, so that the resizer is compiled once, in this crate and
/// for the two depths only. It is most of what there would be to compile in each crate that resizes.
struct Resizing {
    depth: Depth,
    from: Size,
    to: Size,
    is_opaque: bool,
}

impl Resizing {
    fn run(&self, source: &[u8], into: &mut [u8]) -> Result<(), Box<dyn std::error::Error>> {
        match self.depth {
            Depth::Eight => self.run_typed::<U8x4>(source, into),
            Depth::Sixteen => self.run_typed::<U16x4>(source, into),
        }
    }

    fn run_typed<P: PixelTrait>(
        &self,
        source: &[u8],
        into: &mut [u8],
    ) -> Result<(), Box<dyn std::error::Error>> {
        let source = TypedImageRef::<P>::from_buffer(self.from.0, self.from.1, source)?;
        let mut into = TypedImage::<P>::from_buffer(self.to.0, self.to.1, into)?;
        let options = ResizeOptions::new()
            .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
            .use_alpha(!self.is_opaque);
        Ok(Resizer::new().resize_typed(&source, &mut into, &options)?)
    }
}
