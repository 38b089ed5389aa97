//! Small Gaussians: every weight at every pixel, first across, then down.

use super::{Light, add, kernel, padded};
use crate::Picture;
use crate::step::Size;
use rayon::prelude::*;

/// Sums that are kept in registers side by side.
const ACROSS: usize = 8;
/// Sums that are kept in the nearest cache.
const DOWN: usize = 128;

/// The half-done picture, 16 bits a channel, and a row for each of at most 64 threads.
pub(super) fn scratch_bytes(input: Size) -> u64 {
    const ROWS_BYTES: u64 = 64 * 16;
    (u64::from(input.0) + 64) * (u64::from(input.1) * 8 + ROWS_BYTES)
}

/// The picture, blurred across.
pub(super) struct Half {
    weights: Vec<f32>,
    width: usize,
    pixels: Vec<[u16; 4]>,
}

impl Half {
    pub(super) fn new(picture: &Picture, sigma_px: f64) -> Self {
        let weights = kernel::centred(sigma_px);
        let width = picture.width() as usize;
        let mut pixels = vec![[0_u16; 4]; width * picture.height() as usize];
        let lines = picture.pixels().par_chunks(picture.row_bytes());
        pixels.par_chunks_mut(width).zip(lines).for_each(|(to, line)| {
            let reach = weights.len() / 2;
            across(&padded(line, reach, reach + ACROSS), &weights, to);
        });
        Self { weights, width, pixels }
    }

    /// Gives the finished row in parts, each with its first pixel.
    pub(super) fn row(&self, y: usize, mut part: impl FnMut(usize, &[Light])) {
        let reach = self.weights.len() / 2;
        let last = (self.pixels.len() / self.width.max(1)).saturating_sub(1);
        for start in (0..self.width).step_by(DOWN) {
            let count = DOWN.min(self.width - start);
            let mut sums = [[0.0_f32; 4]; DOWN];
            for (tap, weight) in self.weights.iter().enumerate() {
                let from = (y + tap).saturating_sub(reach).min(last) * self.width + start;
                let line = self.pixels.get(from..from + count).unwrap_or_default();
                for (sum, pixel) in sums.iter_mut().zip(line) {
                    add(sum, *weight, pixel.map(f32::from));
                }
            }
            part(start, sums.get(..count).unwrap_or_default());
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a mean of 16-bit values"
)]
fn across(line: &[Light], weights: &[f32], to: &mut [[u16; 4]]) {
    for (block, to) in to.chunks_mut(ACROSS).enumerate() {
        let start = block * ACROSS;
        let mut sums = [[0.0_f32; 4]; ACROSS];
        for (tap, weight) in weights.iter().enumerate() {
            let part = line.get(start + tap..start + tap + ACROSS).unwrap_or_default();
            for (sum, light) in sums.iter_mut().zip(part) {
                add(sum, *weight, *light);
            }
        }
        for (to, sum) in to.iter_mut().zip(sums) {
            *to = sum.map(|value| (value + 0.5) as u16);
        }
    }
}
