//! Decoded pixels on their way to sRGB.

use super::Orientation;
use crate::Sample;
use crate::vectors::vectorized;

/// What the four samples of a raster's pixel mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Model {
    /// Red, green, blue, alpha.
    Rgb,
    /// One gray value three times, then alpha.
    Gray,
    /// Cyan, magenta, yellow, black; the full value is full ink.
    Cmyk,
}

/// What every decoder gives: four samples a pixel, as stored, with what is needed to finish it.
#[derive(Debug)]
pub(super) struct Raster<S = u8> {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) pixels: Vec<S>,
    pub(super) model: Model,
    pub(super) profile: Option<Vec<u8>>,
}

/// A decoder's result together with the turn that its metadata asks for.
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
    /// Writes pixels of three bytes as opaque ones of four.
    pub(super) fn widen_rgb<'a>(rgb: &'a [u8], out: &'a mut [u8]) {
        let places = out.as_chunks_mut::<4>().0.iter_mut();
        for (place, [red, green, blue]) in places.zip(rgb.as_chunks::<3>().0) {
            *place = [*red, *green, *blue, 255];
        }
    }
}
