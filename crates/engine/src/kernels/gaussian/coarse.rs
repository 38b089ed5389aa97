//! Large Gaussians on a coarser grid, with a cost that does not depend on their size.
//!
//! Consecutive Gaussians are one Gaussian whose variance is their sum. A first narrow one (0.75 of
//! a coarse step) is sampled only at every k-th pixel, the main one works on these samples, and a
//! last narrow one, again 0.75 of a step wide, interpolates the pixels between. k is the largest
//! power of two that is at most two thirds of the standard deviation. Frequencies that the coarse
//! grid cannot represent are damped by exp(-2 pi^2 0.75^2), to less than a hundredth of a level.

use super::{Light, add, kernel, premultiplied};
use crate::kernels::Size;
use crate::kernels::vectors::vectorized;
use crate::{Picture, Sample};
use rayon::prelude::*;

/// Smallest standard deviation, in pixels, for which a step of two pixels is fine enough.
pub(super) const SIGMA_PX_MIN: f64 = 3.0;
/// Standard deviation of the narrow Gaussians, in steps.
const NARROW: f64 = 0.75;
/// Coarse samples beyond each edge: as far as the last Gaussian extends, plus one.
const MARGIN: usize = 4;
/// Fewest coarse rows per unit of work for a thread. Each band recomputes some rows of the previous
/// one, so small bands are wasteful.
const BAND_MIN: usize = 12;
/// Coarse samples that contribute to one pixel, per axis.
const TAPS: usize = 6;

/// Pixels between coarse samples.
fn step_px(sigma_px: f64) -> usize {
    let mut step = 2_u32;
    while sigma_px >= f64::from(step * 2) * 1.5 {
        step *= 2;
    }
    step as usize
}

/// Coarse samples along a side.
fn places(side: usize, step: usize) -> usize {
    side.saturating_sub(1).div_ceil(step) + 1 + 2 * MARGIN
}

/// The coarse image twice, and the buffers of at most 64 threads: the rows that contribute to a
/// coarse row, and one line of the image.
pub(super) fn scratch_bytes(input: Size, sigma_px: f64) -> u64 {
    const THREADS: u64 = 64;
    let step = step_px(sigma_px);
    let across = places(input.0 as usize, step) as u64;
    let down = places(input.1 as usize, step) as u64;
    let ring = kernel::taps(NARROW * step as f64) as u64;
    let line = u64::from(input.0) + (MARGIN * 4 * step) as u64;
    let bands = THREADS.min(down.div_ceil(BAND_MIN as u64));
    16 * (across * 2 * down + bands * across * ring + THREADS * 3 * line)
}

/// Blurs in place. `finish` computes the new pixels from the old and the blurred ones.
pub(super) fn blur<S: Sample>(
    picture: &mut Picture<S>,
    sigma_px: f64,
    finish: impl Fn(&mut [[S; 4]], &[Light]) + Sync,
) {
    let grid = Grid::new(picture, sigma_px);
    let width = picture.width() as usize;
    let rows = picture.pixels_mut().as_chunks_mut::<4>().0.par_chunks_mut(width);
    rows.enumerate().for_each_init(
        || (vec![[0.0; 4]; grid.across], vec![[0.0; 4]; grid.across * grid.step]),
        |(line, lights), (y, row)| {
            grid.row(y, line, lights);
            finish(row, lights);
        },
    );
}

/// The blurred image on the coarse grid.
struct Grid {
    /// Samples per row.
    across: usize,
    /// Pixels between samples.
    step: usize,
    lights: Vec<Light>,
    /// For each pixel between two samples, the weights of the [`TAPS`] samples around it.
    spread: Vec<[f32; TAPS]>,
    /// The same weights for two pixels at a time, repeated for their eight channels.
    paired: Vec<[[f32; 8]; TAPS]>,
}

impl Grid {
    fn new<S: Sample>(picture: &Picture<S>, sigma_px: f64) -> Self {
        let step = step_px(sigma_px);
        let step_wide = f64::from(u32::try_from(step).unwrap_or(u32::MAX));
        let narrow = kernel::centered(NARROW * step_wide);
        // In steps. The two narrow Gaussians account for part of the variance.
        let main = ((sigma_px / step_wide).powi(2) - 2.0 * NARROW * NARROW).sqrt();
        let across = places(picture.width() as usize, step);
        let mut taken = taken(picture, step, &narrow);
        let weights = kernel::centered(main);
        let blurred = blurred_across(&taken, across, &weights);
        down(&blurred, (across, &weights), &mut taken);
        let spread = spread(step);
        let both = |[first, second]: &[[f32; TAPS]; 2]| {
            std::array::from_fn(|tap| kernel::lanes(first[tap], second[tap]))
        };
        let paired = spread.as_chunks::<2>().0.iter().map(both).collect();
        Self { across, step, lights: taken, spread, paired }
    }

    /// Computes a row of blurred pixels; `line` is a buffer for the coarse row.
    fn row(&self, y: usize, line: &mut [Light], row: &mut [Light]) {
        let nearest = y / self.step + MARGIN;
        line.fill([0.0; 4]);
        let weights = self.spread.get(y % self.step).copied().unwrap_or_default();
        for (tap, weight) in weights.into_iter().enumerate() {
            add_row(line, weight, &self.lights, (nearest + tap).saturating_sub(TAPS / 2 - 1));
        }
        spread_out(line, &self.paired, row);
    }
}

vectorized! {
    /// Interpolates the pixels of a row from the coarse samples around them, two at a time.
    fn spread_out<'a>(line: &'a [Light], paired: &'a [[[f32; 8]; TAPS]], row: &'a mut [Light]) {
        let windows = line.array_windows::<TAPS>().skip(MARGIN + 1 - TAPS / 2);
        let pairs = row.as_flattened_mut().as_chunks_mut::<8>().0;
        for (pairs, window) in pairs.chunks_exact_mut(paired.len()).zip(windows) {
            for (pair, weights) in pairs.iter_mut().zip(paired) {
                let mut sums = [0.0_f32; 8];
                for (weights, [red, green, blue, alpha]) in weights.iter().zip(window) {
                    let light = [red, green, blue, alpha, red, green, blue, alpha];
                    for ((sum, weight), value) in sums.iter_mut().zip(weights).zip(light) {
                        *sum += weight * value;
                    }
                }
                *pair = sums;
            }
        }
    }
}

/// The weights of the samples from 2 before a pixel to 3 after it: four standard deviations.
fn spread(step: usize) -> Vec<[f32; TAPS]> {
    let step = u32::try_from(step).unwrap_or(1);
    let weights = |phase: u32| {
        let at = f64::from(phase) / f64::from(step);
        let places = (-2_i32..=3).map(|place| f64::from(place) - at);
        kernel::normalized(NARROW, places).try_into().unwrap_or_default()
    };
    (0..step).map(weights).collect()
}

/// Samples the narrowly blurred image on the coarse grid, in bands, each on one thread.
fn taken<S: Sample>(picture: &Picture<S>, step: usize, narrow: &[f32]) -> Vec<Light> {
    let across = places(picture.width() as usize, step);
    let down = places(picture.height() as usize, step);
    let mut taken = vec![[0.0_f32; 4]; across * down];
    let band = down.div_ceil(rayon::current_num_threads() * 2).max(BAND_MIN);
    let paired = kernel::paired(narrow);
    taken.par_chunks_mut(across * band).enumerate().for_each(|(index, places)| {
        let first = index * band * step;
        let mut rows = Rows { picture, step, narrow: &paired, next: first, line: Vec::new() };
        let mut ring = vec![[0.0_f32; 4]; across * narrow.len()];
        for (start, place) in (first..).step_by(step).zip(places.chunks_exact_mut(across)) {
            rows.take_to(start + narrow.len(), &mut ring);
            for (tap, weight) in narrow.iter().enumerate() {
                add_row(place, *weight, &ring, (start + tap) % narrow.len());
            }
        }
    });
    taken
}

/// Iterates over the rows of an image, narrowly blurred horizontally and sampled on the coarse
/// grid.
struct Rows<'p, S: Sample> {
    picture: &'p Picture<S>,
    step: usize,
    narrow: &'p [[f32; 8]],
    /// The next row, counted from the first row that contributes to a coarse sample, which is above
    /// the image.
    next: usize,
    line: Vec<Light>,
}

impl<S: Sample> Rows<'_, S> {
    /// Loads all rows before `end` into a ring buffer, at their number modulo its length.
    fn take_to(&mut self, end: usize, ring: &mut [Light]) {
        let across = places(self.picture.width() as usize, self.step);
        let count = ring.len() / across;
        let before = MARGIN * self.step + count / 2;
        let row_samples = self.picture.row_samples();
        let last = (self.picture.height() as usize).saturating_sub(1);
        for row in self.next.max(end - count)..end {
            let from = row.saturating_sub(before).min(last) * row_samples;
            let row_of = self.picture.pixels().get(from..from + row_samples).unwrap_or_default();
            self.pad(row_of, before);
            let to = ring.chunks_exact_mut(across).nth(row % count).unwrap_or_default();
            convolved(&self.line, (self.narrow, self.step), to);
        }
        self.next = end;
    }

    /// One row, premultiplied, with its ends repeated.
    fn pad(&mut self, row: &[S], before: usize) {
        let pixels = row.as_chunks::<4>().0;
        let end = |pixel: Option<&[S; 4]>| pixel.map_or([0.0; 4], |pixel| premultiplied(*pixel));
        self.line.clear();
        self.line.resize(before, end(pixels.first()));
        self.line.extend(pixels.iter().map(|pixel| premultiplied(*pixel)));
        self.line.resize(before + pixels.len() + before + self.step, end(pixels.last()));
    }
}

vectorized! {
    /// Weighted sums of pixels, starting at regular intervals. Several sums are computed at the
    /// same time, so that none waits for the previous one.
    fn convolved<'a>(line: &'a [Light], how: (&'a [[f32; 8]], usize), to: &'a mut [Light]) {
        let (weights, step) = how;
        let (fours, rest) = weights.as_chunks::<4>();
        for (to, window) in to.iter_mut().zip(line.windows(weights.len() * 2).step_by(step)) {
            let (mut sums, mut lanes) = ([[0.0_f32; 8]; 4], [0.0_f32; 8]);
            let pairs = window.as_flattened().as_chunks::<8>().0;
            let (four_pairs, last) = pairs.as_chunks::<4>();
            for (weights, pairs) in fours.iter().zip(four_pairs) {
                for ((sum, weights), pair) in sums.iter_mut().zip(weights).zip(pairs) {
                    add_pair(sum, weights, pair);
                }
            }
            for (weights, pair) in rest.iter().zip(last) {
                add_pair(&mut lanes, weights, pair);
            }
            for sum in sums {
                add_pair(&mut lanes, &[1.0; 8], &sum);
            }
            let [a, b, c, d, e, f, g, h] = lanes;
            *to = [a + e, b + f, c + g, d + h];
        }
    }
}

/// Adds two pixels with their weights.
#[inline(always)]
fn add_pair(sum: &mut [f32; 8], weights: &[f32; 8], pair: &[f32; 8]) {
    for ((sum, weight), value) in sum.iter_mut().zip(weights).zip(pair) {
        *sum += weight * value;
    }
}

/// Applies the main Gaussian horizontally to the coarse rows, whose ends repeat.
fn blurred_across(rows: &[Light], across: usize, weights: &[f32]) -> Vec<Light> {
    let mut blurred = vec![[0.0_f32; 4]; rows.len()];
    let paired = kernel::paired(weights);
    blurred.par_chunks_mut(across).zip(rows.par_chunks(across)).for_each(|(to, row)| {
        let reach = weights.len() / 2;
        let mut line = vec![row.first().copied().unwrap_or_default(); reach];
        line.extend_from_slice(row);
        line.resize(across + 2 * reach + 1, row.last().copied().unwrap_or_default());
        convolved(&line, (&paired, 1), to);
    });
    blurred
}

/// Applies the main Gaussian vertically to the coarse rows.
fn down(rows: &[Light], (across, weights): (usize, &[f32]), to: &mut [Light]) {
    let last = (rows.len() / across.max(1)).saturating_sub(1);
    to.par_chunks_mut(across).enumerate().for_each(|(y, to)| {
        to.fill([0.0; 4]);
        for (tap, weight) in weights.iter().enumerate() {
            let from = (y + tap).saturating_sub(weights.len() / 2).min(last);
            add_row(to, *weight, rows, from);
        }
    });
}

vectorized! {
    /// Adds one of the rows to another, with a weight.
    fn add_row<'a>(to: &'a mut [Light], weight: f32, rows: &'a [Light], row: usize) {
        let from = row * to.len();
        let lights = rows.get(from..from + to.len()).unwrap_or_default();
        for (sum, light) in to.iter_mut().zip(lights) {
            add(sum, weight, *light);
        }
    }
}
