//! The Gaussian blur that blurring, sharpening and the soft filters share.
//!
//! It matches a true Gaussian to within one level: sampled at whole pixels, cut off at four
//! standard deviations and normalized. Values are premultiplied, and the outermost pixels repeat
//! beyond the edges. From a standard deviation of 3 pixels, the Gaussian is split into three whose
//! variances add up, the middle one on a coarser grid (see [`coarse`]).

mod coarse;
mod direct;
mod kernel;

use crate::kernels::Size;
use crate::kernels::vectors::vectorized;
use crate::{Picture, Sample};

/// The value of a full channel at full opacity in the premultiplied values given to `finish`.
pub(crate) const FULL: f32 = 255.0 * 255.0;

/// A premultiplied pixel: red, green, blue and alpha, each up to [`FULL`].
type Light = [f32; 4];

/// Pixels that are finished at the same time.
const LANES: usize = 16;

/// Bytes for the intermediate image and for some rows for each of at most 64 threads.
pub(crate) fn scratch_bytes(input: Size, sigma_px: f64) -> u64 {
    if sigma_px < coarse::SIGMA_PX_MIN {
        direct::scratch_bytes(input, sigma_px)
    } else {
        coarse::scratch_bytes(input, sigma_px)
    }
}

/// Blurs in place. `finish` computes the levels of the new pixel, from 0 to 255 and not rounded
/// yet, from the old pixel and the blurred premultiplied color.
pub(crate) fn blur<S: Sample>(
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

/// Computes each color channel from its old straight level and its blurred one, all from 0 to 255.
/// Alpha and fully transparent pixels do not change.
#[inline(always)]
pub(crate) fn each_color<S: Sample>(
    old: [S; 4],
    blurred: [f32; 4],
    change: impl Fn(f32, f32) -> f32,
) -> [f32; 4] {
    let old = old.map(S::level);
    if old[3] == 0.0 {
        return old;
    }
    let scale = 255.0 / blurred[3];
    let color = |channel: usize| change(old[channel], blurred[channel] * scale);
    [color(0), color(1), color(2), old[3]]
}

/// A share of the shorter side in pixels, for filters whose radius scales with the image.
pub(crate) fn reach_px(size: Size, percent: f64) -> f64 {
    let shorter = f64::from(size.0.min(size.1));
    (shorter * percent / 100.0).clamp(1.0, 200.0)
}

/// The weights of a Gaussian at whole pixels, for masks with one channel; symmetric around the
/// center.
pub(crate) fn weights(sigma_px: f64) -> Vec<f32> {
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
