//! Measures the haze of an image, and takes it away.

use super::grid::Grid;
use crate::kernels::Size;
use crate::kernels::point::luma;
use crate::{Picture, Sample};
use rayon::prelude::*;

/// The most squares along the longer side.
const SQUARES_MAX: u32 = 1024;
/// How many squares are left for each one whose color is taken for that of the air.
const AIR_AMONG: usize = 1000;
/// How much of the guide's variance is ignored.
const EPSILON: f32 = 1e-3;
/// The least share of light that gets through, so that noise is not amplified without limit.
const THROUGH_MIN: f32 = 0.1;

/// The haze of an image.
pub(super) struct Haze {
    /// The side of the squares in pixels.
    side: usize,
    air: [f32; 3],
    /// The share of light that gets through is `gain * Y + base`, where Y is the luma of a pixel.
    gain: Grid,
    base: Grid,
}

/// Bytes for the mean colors and the grids that exist at the same time, and for rows in progress.
pub(super) fn scratch_bytes((width, height): Size) -> u64 {
    const SQUARE_BYTES: u64 = 40;
    const ROWS_BYTES: u64 = 64 * 32 * SQUARES_MAX as u64;
    let side = side_px((width, height));
    u64::from(width.div_ceil(side)) * u64::from(height.div_ceil(side)) * SQUARE_BYTES + ROWS_BYTES
}

fn side_px((width, height): Size) -> u32 {
    width.max(height).div_ceil(SQUARES_MAX)
}

impl Haze {
    /// Measures the haze. `share` is how much of it is to be removed. `None` if nothing is visible.
    pub(super) fn of<S: Sample>(picture: &Picture<S>, share: f32) -> Option<Self> {
        let side = side_px(picture.size()) as usize;
        let width = (picture.width() as usize).div_ceil(side);
        let colors = means(picture, side);
        let longer = width.max(colors.len() / width);
        let radius = (longer + 40) / 80;
        let radius = radius.max(1);
        let grid = |each: &dyn Fn(&[f32; 4]) -> f32| Grid {
            width,
            values: colors.iter().map(each).collect(),
        };
        let least = |[red, green, blue]: [f32; 3]| red.min(green).min(blue);
        let dark = grid(&|[red, green, blue, _]| least([*red, *green, *blue])).smallest(radius);
        let air = air(&colors, &dark)?;
        drop(dark);
        let hazy = |[red, green, blue, _]: &[f32; 4]| {
            least([red / air[0], green / air[1], blue / air[2]]).min(1.0)
        };
        let mut through = grid(&hazy).smallest(radius);
        through.values.iter_mut().for_each(|value| *value = 1.0 - share * *value);
        let guide = grid(&|[red, green, blue, _]| luma([*red, *green, *blue]));
        drop(colors);
        let (gain, base) = guided(guide, through, 4 * radius);
        Some(Self { side, air, gain, base })
    }

    /// Takes the haze away.
    pub(super) fn remove_from<S: Sample>(&self, picture: &mut Picture<S>) {
        let columns: Vec<_> =
            (0..picture.width() as usize).map(|x| between(x, self.side, self.gain.width)).collect();
        let height = self.gain.values.len() / self.gain.width;
        picture.each_row(|y, row| {
            let down = between(y, self.side, height);
            let [gain, base] = [&self.gain, &self.base].map(|grid| line(grid, down));
            for (pixel, across) in row.as_chunks_mut::<4>().0.iter_mut().zip(&columns) {
                let [red, green, blue, alpha] = *pixel;
                if alpha == S::default() {
                    continue;
                }
                let color = [red, green, blue].map(|sample| sample.level() / 255.0);
                let through = mixed(&gain, *across) * luma(color) + mixed(&base, *across);
                let through = through.clamp(THROUGH_MIN, 1.0);
                for ((sample, value), air) in pixel.iter_mut().zip(color).zip(self.air) {
                    *sample = S::rounded(((value - air) / through + air) * 255.0);
                }
            }
        });
    }
}

/// The mean color of each square, weighted by alpha, and the alpha. Where nothing is visible, it is
/// white, which no minimum notices.
fn means<S: Sample>(picture: &Picture<S>, side: usize) -> Vec<[f32; 4]> {
    let width = (picture.width() as usize).div_ceil(side);
    let height = (picture.height() as usize).div_ceil(side);
    let mut means = vec![[0.0; 4]; width * height];
    let bands = picture.pixels().par_chunks(picture.row_samples() * side);
    means.par_chunks_mut(width).zip(bands).for_each(|(means, band)| {
        for row in band.chunks_exact(picture.row_samples()) {
            let squares = row.as_chunks::<4>().0.chunks(side);
            for (sum, pixels) in means.iter_mut().zip(squares) {
                pixels.iter().for_each(|pixel| add(sum, pixel.map(S::level)));
            }
        }
        for sum in means {
            let [red, green, blue, alpha] = *sum;
            let color = [red, green, blue].map(|sum| sum / alpha / 255.0);
            let [red, green, blue] = if alpha > 0.0 { color } else { [1.0; 3] };
            *sum = [red, green, blue, alpha];
        }
    });
    means
}

fn add(sum: &mut [f32; 4], [red, green, blue, alpha]: [f32; 4]) {
    let light = [red * alpha, green * alpha, blue * alpha, alpha];
    sum.iter_mut().zip(light).for_each(|(sum, value)| *sum += value);
}

/// The color of the air: the mean of the visible squares with the brightest dark channels.
#[expect(clippy::cast_possible_truncation, reason = "a mean of colors")]
fn air(colors: &[[f32; 4]], dark: &Grid) -> Option<[f32; 3]> {
    let visible = || colors.iter().zip(&dark.values).filter(|(color, _)| color[3] > 0.0);
    let mut levels: Vec<f32> = visible().map(|(_, dark)| *dark).collect();
    let brightest = (levels.len() / AIR_AMONG).max(1);
    let at = levels.len().checked_sub(brightest)?;
    let (_, from, _) = levels.select_nth_unstable_by(at, f32::total_cmp);
    let (mut sum, mut count) = ([0.0_f64; 3], 0.0);
    for (color, _) in visible().filter(|(_, dark)| **dark >= *from) {
        sum.iter_mut().zip(color).for_each(|(sum, value)| *sum += f64::from(*value));
        count += 1.0;
    }
    // Black air would be divided by.
    Some(sum.map(|sum| (sum / count).max(1.0 / 255.0) as f32))
}

/// The guided filter: the coefficients of the linear function of the guide that is nearest to the
/// values around each square.
fn guided(guide: Grid, values: Grid, radius: usize) -> (Grid, Grid) {
    let products = guide.with(&values, |guide, value| guide * value).mean(radius);
    let squares = guide.with(&guide, |guide, same| guide * same).mean(radius);
    let (guide, values) = (guide.mean(radius), values.mean(radius));
    let both = guide.with(&values, |guide, value| guide * value);
    let covariance = products.with(&both, |product, both| product - both);
    drop((products, both));
    let variance = squares.with(&guide, |square, guide| square - guide * guide);
    drop(squares);
    let gain = covariance.with(&variance, |covariance, variance| covariance / (variance + EPSILON));
    drop((covariance, variance));
    let slope = gain.with(&guide, |gain, guide| gain * guide);
    drop(guide);
    let base = values.with(&slope, |value, slope| value - slope);
    drop((values, slope));
    (gain.mean(radius), base.mean(radius))
}

/// The two squares around the center of a pixel, and the share of the second.
type Between = (usize, usize, f32);

#[expect(clippy::cast_precision_loss, reason = "positions of at most some 2^14 pixels")]
fn between(pixel: usize, side: usize, squares: usize) -> Between {
    // In half pixels from the center of the first square.
    let from_first = (2 * pixel + 1).saturating_sub(side);
    let last = squares - 1;
    let first = (from_first / (2 * side)).min(last);
    let share = (from_first - first * 2 * side) as f32 / (2 * side) as f32;
    (first, (first + 1).min(last), share.min(1.0))
}

/// A row of a grid between two of its rows.
fn line(grid: &Grid, (first, second, share): Between) -> Vec<f32> {
    let row = |y: usize| grid.values.get(y * grid.width..(y + 1) * grid.width).unwrap_or_default();
    let pairs = row(first).iter().zip(row(second));
    pairs.map(|(one, other)| one + share * (other - one)).collect()
}

#[inline(always)]
fn mixed(line: &[f32], (first, second, share): Between) -> f32 {
    let [one, other] = [first, second].map(|at| line.get(at).copied().unwrap_or_default());
    one + share * (other - one)
}
