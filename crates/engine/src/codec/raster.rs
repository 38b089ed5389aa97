//! Decoded pixels before they are converted to sRGB.

use super::Orientation;
use crate::Sample;
use crate::kernels::vectors::vectorized;

/// What the four samples of a pixel mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Model {
    /// Red, green, blue, alpha.
    Rgb,
    /// One gray value three times, then alpha.
    Gray,
    /// Cyan, magenta, yellow, black. The largest value means full ink.
    Cmyk,
}

/// What every decoder returns: four samples per pixel as stored, and the profile that is needed to
/// convert them.
#[derive(Debug)]
pub(super) struct Raster<S = u8> {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) pixels: Vec<S>,
    pub(super) model: Model,
    pub(super) profile: Option<Vec<u8>>,
}

/// The result of a decoder, with the orientation in its metadata.
pub(super) type Decoded<S = u8> = (Raster<S>, Orientation);

impl<S: Sample> Raster<S> {
    pub(super) fn new(width: u32, height: u32, model: Model) -> Self {
        let pixels = vec![S::default(); width as usize * height as usize * 4];
        Self { width, height, pixels, model, profile: None }
    }

    pub(super) fn rows_mut(&mut self) -> std::slice::ChunksExactMut<'_, S> {
        self.pixels.chunks_exact_mut(self.width as usize * 4)
    }
}

vectorized! {
    /// Converts pixels of three bytes to opaque pixels of four bytes.
    pub(super) fn widen_rgb<'a>(rgb: &'a [u8], out: &'a mut [u8]) {
        let places = out.as_chunks_mut::<4>().0.iter_mut();
        for (place, [red, green, blue]) in places.zip(rgb.as_chunks::<3>().0) {
            *place = [*red, *green, *blue, 255];
        }
    }
}
