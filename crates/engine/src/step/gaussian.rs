//! The Gaussian blur that blurring and sharpening share.
//!
//! Separable, sampled at whole pixels to three standard deviations and normalised; premultiplied;
//! beyond the edges the outermost pixels repeat. The horizontal pass keeps 16 bits a channel.

use super::Size;
use crate::Picture;
use rayon::prelude::*;

/// The value of a full channel at full opacity in the premultiplied values given to `finish`.
pub(super) const FULL: f32 = 255.0 * 255.0;

/// Bytes that the half-done picture takes, and some rows for each of at most 64 threads.
pub(super) fn scratch_bytes(input: Size) -> u64 {
    const ROWS_BYTES: u64 = 64 * 48;
    u64::from(input.0) * (u64::from(input.1) * 8 + ROWS_BYTES)
}

/// Blurs in place; `finish` makes the new pixel from the old one and the blurred premultiplied
/// colour.
pub(super) fn blur(
    picture: &mut Picture,
    sigma_px: f64,
    finish: impl Fn([u8; 4], [f32; 4]) -> [u8; 4] + Sync,
) {
    let kernel = kernel(sigma_px);
    let width = picture.width() as usize;
    let half_done = horizontal(picture, &kernel);
    let rows: Vec<&[[u16; 4]]> = half_done.chunks_exact(width.max(1)).collect();
    let row_bytes = picture.row_bytes();
    picture.pixels_mut().par_chunks_mut(row_bytes).enumerate().for_each(|(y, row)| {
        let mut sums = vec![[0.0_f32; 4]; width];
        for (offset, weight) in kernel.iter().enumerate() {
            let from = (y + offset).saturating_sub(kernel.len() / 2).min(rows.len() - 1);
            let Some(line) = rows.get(from) else { continue };
            for (sum, pixel) in sums.iter_mut().zip(line.iter()) {
                for (sum, value) in sum.iter_mut().zip(pixel) {
                    *sum += weight * f32::from(*value);
                }
            }
        }
        for (pixel, blurred) in row.chunks_exact_mut(4).zip(sums) {
            if let Ok(old) = <[u8; 4]>::try_from(&*pixel) {
                pixel.copy_from_slice(&finish(old, blurred));
            }
        }
    });
}

/// Weights of the pixels from -3 sigma to 3 sigma; their sum is 1.
#[expect(clippy::cast_possible_truncation, reason = "weights are rounded to single precision")]
fn kernel(sigma_px: f64) -> Vec<f32> {
    let radius = i32::try_from(crate::length::whole((sigma_px * 3.0).ceil())).unwrap_or(0).max(1);
    let weight = |at: i32| (-f64::from(at).powi(2) / (2.0 * sigma_px * sigma_px)).exp();
    let total: f64 = (-radius..=radius).map(weight).sum();
    (-radius..=radius).map(|at| (weight(at) / total) as f32).collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a mean of 16-bit values"
)]
fn horizontal(picture: &Picture, kernel: &[f32]) -> Vec<[u16; 4]> {
    let width = picture.width() as usize;
    let mut result = vec![[0_u16; 4]; width * picture.height() as usize];
    let reach = kernel.len() / 2;
    let lines = picture.pixels().par_chunks(picture.row_bytes());
    result.par_chunks_mut(width).zip(lines).for_each(|(to, line)| {
        let padded = padded(line, reach);
        for (to, window) in to.iter_mut().zip(padded.windows(kernel.len())) {
            let mut sum = [0.0_f32; 4];
            for (weight, pixel) in kernel.iter().zip(window) {
                for (sum, value) in sum.iter_mut().zip(pixel) {
                    *sum += weight * value;
                }
            }
            *to = sum.map(|value| (value + 0.5) as u16);
        }
    });
    result
}

/// One row, premultiplied, with its ends repeated.
fn padded(line: &[u8], reach: usize) -> Vec<[f32; 4]> {
    let premultiplied = |pixel: &[u8]| match pixel {
        [red, green, blue, alpha] => {
            let alpha = f32::from(*alpha);
            [
                f32::from(*red) * alpha,
                f32::from(*green) * alpha,
                f32::from(*blue) * alpha,
                255.0 * alpha,
            ]
        }
        _ => [0.0; 4],
    };
    let pixels: Vec<[f32; 4]> = line.chunks_exact(4).map(premultiplied).collect();
    let first = pixels.first().copied().unwrap_or_default();
    let last = pixels.last().copied().unwrap_or_default();
    let ends = |end| std::iter::repeat_n(end, reach);
    ends(first).chain(pixels.iter().copied()).chain(ends(last)).collect()
}
