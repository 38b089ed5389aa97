//! The Gaussian blur that blurring, sharpening and the soft filters share.
//!
//! It matches a true Gaussian to within one level: sampled at whole pixels, cut off at four
//! standard deviations and normalized. Values are premultiplied, and the outermost pixels repeat
//! beyond the edges. From a standard deviation of 3 pixels, the Gaussian is split into three whose
//! variances add up, the middle one on a coarser grid (see [`coarse`]).

mod coarse;
mod direct;
mod kernel;

use super::Size;
use crate::vectors::vectorized;
use crate::{Picture, Sample};

/// The value of a full channel at full opacity in the premultiplied values given to `finish`.
pub(super) const FULL: f32 = 255.0 * 255.0;

/// A premultiplied pixel: red, green, blue and alpha, each up to [`FULL`].
type Light = [f32; 4];

/// Pixels that are finished at the same time.
const LANES: usize = 16;

/// Bytes for the intermediate image and for some rows for each of at most 64 threads.
pub(super) fn scratch_bytes(input: Size, sigma_px: f64) -> u64 {
    if sigma_px < coarse::SIGMA_PX_MIN {
        direct::scratch_bytes(input, sigma_px)
    } else {
        coarse::scratch_bytes(input, sigma_px)
    }
}

/// Blurs in place. `finish` computes the levels of the new pixel, from 0 to 255 and not rounded
/// yet, from the old pixel and the blurred premultiplied color.
pub(super) fn blur<S: Sample>(
    picture: &mut Picture<S>,
    sigma_px: f64,
    finish: impl Fn([S; 4], Light) -> Light + Sync,
) {
    let finished = |row: &mut [[S; 4]], blurred: &[Light]| finished(row, blurred, &finish);
    if sigma_px < coarse::SIGMA_PX_MIN {
        direct::blur(picture, sigma_px, finished);
    } else {
        coarse::blur(picture, sigma_px, finished);
    }
}

vectorized! {
    fn finished<'a, S: Sample, Finish: Fn([S; 4], Light) -> Light>(
        row: &'a mut [[S; 4]],
        blurred: &'a [Light],
        finish: &'a Finish,
    ) {
        for (pixels, lights) in row.chunks_mut(LANES).zip(blurred.chunks(LANES)) {
            let mut levels = [[0.0_f32; 4]; LANES];
            for ((level, pixel), light) in levels.iter_mut().zip(&*pixels).zip(lights) {
                *level = finish(*pixel, *light);
            }
            // Rounding several at a time is twice as fast as one by one.
            let samples = pixels.as_flattened_mut().iter_mut().zip(levels.as_flattened());
            samples.for_each(|(sample, level)| *sample = S::rounded(*level));
        }
    }
}

/// The weights of a Gaussian at whole pixels, for masks with one channel; symmetric around the
/// center.
pub(super) fn weights(sigma_px: f64) -> Vec<f32> {
    kernel::centered(sigma_px)
}

#[inline(always)]
fn premultiplied<S: Sample>([red, green, blue, alpha]: [S; 4]) -> Light {
    let alpha = alpha.level();
    [red.level() * alpha, green.level() * alpha, blue.level() * alpha, 255.0 * alpha]
}

/// Adds a pixel with a weight.
#[inline(always)]
fn add(sum: &mut Light, weight: f32, light: Light) {
    for (sum, value) in sum.iter_mut().zip(light) {
        *sum += weight * value;
    }
}
