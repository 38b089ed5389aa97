//! Large Gaussians on a coarser grid, at the same cost whatever their size.
//!
//! Gaussians after each other are one Gaussian whose variance is the sum. So a first narrow one
//! (0.75 of a coarse step) is taken only at every k-th pixel; the main one works on those; a last
//! narrow one, again 0.75 of a step wide, spreads them over the pixels between. k is the largest
//! power of two of at most two thirds of the standard deviation. What the coarse grid cannot hold
//! is damped by exp(-2 pi^2 0.75^2), to less than a hundredth of a level.

use super::{Light, add, kernel, padded};
use crate::step::Size;
use crate::vectors::vectorised;
use crate::{Picture, Sample};
use rayon::prelude::*;

/// Smallest standard deviation, in pixels, for which a step of two pixels is fine enough.
pub(super) const SIGMA_PX_MIN: f64 = 3.0;
/// Standard deviation of the narrow Gaussians, in steps.
const NARROW: f64 = 0.75;
/// Coarse places beyond each edge: as far as the last Gaussian reaches, and one.
const MARGIN: usize = 4;
/// Coarse places that one pixel is made of, along each side.
const TAPS: usize = 8;

/// Pixels from one coarse place to the next.
fn step_px(sigma_px: f64) -> usize {
    let mut step = 2_u32;
    while sigma_px >= f64::from(step * 2) * 1.5 {
        step *= 2;
    }
    step as usize
}

/// Coarse places along a side.
fn places(side: usize, step: usize) -> usize {
    side.saturating_sub(1).div_ceil(step) + 1 + 2 * MARGIN
}

/// The picture taken at coarse places across, twice the same on all coarse places, and some rows.
pub(super) fn scratch_bytes(input: Size, sigma_px: f64) -> u64 {
    const ROWS: u64 = 64 * 3;
    let step = step_px(sigma_px);
    let across = places(input.0 as usize, step) as u64;
    let down = places(input.1 as usize, step) as u64;
    let padded = u64::from(input.0) + (MARGIN * 4 * step) as u64;
    16 * (across * (u64::from(input.1) + 2 * down) + padded * ROWS)
}

/// Blurs in place; `finish` makes the new pixels from the old ones and the blurred ones.
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

/// The blurred picture at coarse places.
struct Grid {
    /// Places in a row.
    across: usize,
    /// Pixels from one place to the next.
    step: usize,
    lights: Vec<Light>,
    /// For each pixel between two places, the weights of the [`TAPS`] places around it.
    spread: Vec<[f32; TAPS]>,
}

impl Grid {
    fn new<S: Sample>(picture: &Picture<S>, sigma_px: f64) -> Self {
        let step = step_px(sigma_px);
        let step_wide = f64::from(u32::try_from(step).unwrap_or(u32::MAX));
        let narrow = kernel::centred(NARROW * step_wide);
        // In steps; the two narrow ones have had their share of the variance.
        let main = ((sigma_px / step_wide).powi(2) - 2.0 * NARROW * NARROW).sqrt();
        let across = places(picture.width() as usize, step);
        let taken = taken_across(picture, step, &narrow);
        let taken = taken_down(&taken, (across, picture.height() as usize), (step, &narrow));
        let weights = kernel::centred(main);
        let lights = down(&blurred_across(&taken, across, &weights), across, &weights);
        Self { across, step, lights, spread: spread(step) }
    }

    /// A row of blurred pixels; `line` holds the row at coarse places.
    fn row(&self, y: usize, line: &mut [Light], row: &mut [Light]) {
        let nearest = y / self.step + MARGIN;
        line.fill([0.0; 4]);
        let weights = self.spread.get(y % self.step).copied().unwrap_or_default();
        for (tap, weight) in weights.into_iter().enumerate() {
            add_row(line, weight, &self.lights, (nearest + tap).saturating_sub(TAPS / 2 - 1));
        }
        spread_out(line, &self.spread, row);
    }
}

vectorised! {
    /// The pixels of a row, each out of the coarse places around it.
    fn spread_out<'a>(line: &'a [Light], spread: &'a [[f32; TAPS]], row: &'a mut [Light]) {
        let windows = line.array_windows::<TAPS>().skip(MARGIN + 1 - TAPS / 2);
        for (pixels, window) in row.chunks_exact_mut(spread.len()).zip(windows) {
            for (pixel, weights) in pixels.iter_mut().zip(spread) {
                let mut sum = [0.0_f32; 4];
                for (weight, light) in weights.iter().zip(window) {
                    add(&mut sum, *weight, *light);
                }
                *pixel = sum;
            }
        }
    }
}

/// The weights of the places from 3 before a pixel to 4 after it.
fn spread(step: usize) -> Vec<[f32; TAPS]> {
    let step = u32::try_from(step).unwrap_or(1);
    let weights = |phase: u32| {
        let at = f64::from(phase) / f64::from(step);
        let places = (-3_i32..=4).map(|place| f64::from(place) - at);
        kernel::normalised(NARROW, places).try_into().unwrap_or_default()
    };
    (0..step).map(weights).collect()
}

/// Every row, narrowly blurred, at every step-th pixel.
fn taken_across<S: Sample>(picture: &Picture<S>, step: usize, narrow: &[f32]) -> Vec<Light> {
    let across = places(picture.width() as usize, step);
    let mut taken = vec![[0.0_f32; 4]; across * picture.height() as usize];
    let lines = picture.pixels().par_chunks(picture.row_samples());
    taken.par_chunks_mut(across).zip(lines).for_each(|(to, line)| {
        let before = MARGIN * step + narrow.len() / 2;
        convolved(&padded(line, before, before + step), (narrow, step), to);
    });
    taken
}

vectorised! {
    /// The sums of pixels with their weights, from every so many pixels on; each as four sums side by
    /// side, which is faster than one.
    fn convolved<'a>(line: &'a [Light], how: (&'a [f32], usize), to: &'a mut [Light]) {
        let (weights, step) = how;
        for (to, window) in to.iter_mut().zip(line.windows(weights.len()).step_by(step)) {
            let mut sums = [[0.0_f32; 4]; 4];
            let (lights, rest) = window.as_chunks::<4>();
            let (fours, last) = weights.as_chunks::<4>();
            for (lights, weights) in lights.iter().zip(fours) {
                for ((sum, light), weight) in sums.iter_mut().zip(lights).zip(weights) {
                    add(sum, *weight, *light);
                }
            }
            for ((sum, light), weight) in sums.iter_mut().zip(rest).zip(last) {
                add(sum, *weight, *light);
            }
            let [mut first, second, third, fourth] = sums;
            add(&mut first, 1.0, second);
            add(&mut first, 1.0, third);
            add(&mut first, 1.0, fourth);
            *to = first;
        }
    }
}

/// The coarse rows out of the rows.
fn taken_down(
    rows: &[Light],
    (across, height): (usize, usize),
    kernel: (usize, &[f32]),
) -> Vec<Light> {
    let (step, narrow) = kernel;
    let mut taken = vec![[0.0_f32; 4]; across * places(height, step)];
    taken.par_chunks_mut(across).enumerate().for_each(|(place, to)| {
        let behind = MARGIN * step + narrow.len() / 2;
        for (tap, weight) in narrow.iter().enumerate() {
            let y = (place * step + tap).saturating_sub(behind).min(height - 1);
            add_row(to, *weight, rows, y);
        }
    });
    taken
}

/// The main Gaussian across the coarse rows; beyond their ends all is as at the ends.
fn blurred_across(rows: &[Light], across: usize, weights: &[f32]) -> Vec<Light> {
    let mut blurred = vec![[0.0_f32; 4]; rows.len()];
    blurred.par_chunks_mut(across).zip(rows.par_chunks(across)).for_each(|(to, row)| {
        let reach = weights.len() / 2;
        let mut line = vec![row.first().copied().unwrap_or_default(); reach];
        line.extend_from_slice(row);
        line.resize(across + 2 * reach, row.last().copied().unwrap_or_default());
        convolved(&line, (weights, 1), to);
    });
    blurred
}

/// The main Gaussian down the coarse rows.
fn down(rows: &[Light], across: usize, weights: &[f32]) -> Vec<Light> {
    let mut blurred = vec![[0.0_f32; 4]; rows.len()];
    let last = (rows.len() / across.max(1)).saturating_sub(1);
    blurred.par_chunks_mut(across).enumerate().for_each(|(y, to)| {
        for (tap, weight) in weights.iter().enumerate() {
            let from = (y + tap).saturating_sub(weights.len() / 2).min(last);
            add_row(to, *weight, rows, from);
        }
    });
    blurred
}

vectorised! {
    /// Adds one row of many to another, with a weight.
    fn add_row<'a>(to: &'a mut [Light], weight: f32, rows: &'a [Light], row: usize) {
        let from = row * to.len();
        let lights = rows.get(from..from + to.len()).unwrap_or_default();
        for (sum, light) in to.iter_mut().zip(lights) {
            add(sum, weight, *light);
        }
    }
}
