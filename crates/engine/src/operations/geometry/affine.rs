//! Rotates and skews pixels: each one is interpolated between four source pixels (bilinear,
//! premultiplied), with the background outside the image.

use crate::kernels::vectors::vectorized;
use crate::kernels::{Size, canvas};
use crate::{Color, ExecuteError, Picture, Sample};
use rayon::prelude::*;
use std::ops::Range;

/// The fraction of a pixel in which source positions are counted: 2^-32.
const PARTS: f64 = 4_294_967_296.0;

/// Where pixels come from: the source position of one, relative to the center of the image, is this
/// matrix times its position relative to the center of the result.
pub(super) type Inverse = [[f64; 2]; 2];

/// Moves pixels to a canvas of the given size. Source positions are counted in 2^-32 pixels, so that
/// adding steps gives the same result on every machine.
pub(super) fn moved<S: Sample>(
    picture: &Picture<S>,
    ([across_by, down_by], size): (Inverse, Size),
    background: Color,
) -> Result<Picture<S>, ExecuteError> {
    let mut result = Picture::new(size.0, size.1)?;
    let middle = (f64::from(picture.width()) / 2.0, f64::from(picture.height()) / 2.0);
    let half = (f64::from(size.0) / 2.0, f64::from(size.1) / 2.0);
    let step = (parts(across_by[0]), parts(down_by[0]));
    let source = Source::of(picture, background);
    let line = |y: usize| {
        let down = f64::from(u32::try_from(y).unwrap_or(0)) + 0.5 - half.1;
        let across = 0.5 - half.0;
        let x = parts(across * across_by[0] + down * across_by[1] + middle.0 - 0.5);
        let y = parts(down * down_by[1] + across * down_by[0] + middle.1 - 0.5);
        Line { start: (x, y), step }
    };
    let width = size.0 as usize;
    result.each_band(TILE_PX, |band, rows| {
        let rows = rows.as_chunks_mut::<4>().0;
        for left in (0..width).step_by(TILE_PX) {
            for (y, row) in (band * TILE_PX..).zip(rows.chunks_exact_mut(width)) {
                let right = (left + TILE_PX).min(width);
                source.row(line(y).after(left), row.get_mut(left..right).unwrap_or_default());
            }
        }
    });
    Ok(result)
}

#[expect(clippy::cast_possible_truncation, reason = "at most some 2^15 pixels of 2^32 parts")]
fn parts(pixels: f64) -> i64 {
    (pixels * PARTS).round() as i64
}

/// The side of the tiles in which the result is computed. The source pixels of a tile stay in the
/// first-level cache, however far apart its rows are.
const TILE_PX: usize = 64;
/// How many pixels are rounded together.
const LANES: usize = 16;

/// Evenly spaced positions in the source.
#[derive(Clone, Copy)]
struct Line {
    start: (i64, i64),
    step: (i64, i64),
}

impl Line {
    /// The position after this many steps.
    #[inline(always)]
    fn at(self, steps: usize) -> (i64, i64) {
        let steps = steps as i64;
        (self.start.0 + steps * self.step.0, self.start.1 + steps * self.step.1)
    }

    /// The rest of the line after this many steps.
    fn after(self, steps: usize) -> Self {
        Self { start: self.at(steps), ..self }
    }

    /// Which of the first `count` positions have integer parts from `first` to `last` on both axes.
    fn within(self, (first, last): (i64, (i64, i64)), count: usize) -> Range<usize> {
        let across = steps_within((self.start.0, self.step.0), (first, last.0));
        let down = steps_within((self.start.1, self.step.1), (first, last.1));
        let limited = |steps: i64| usize::try_from(steps).unwrap_or(0).min(count);
        let start = limited(across.start.max(down.start));
        start..limited(across.end.min(down.end)).max(start)
    }
}

/// After how many steps the integer part of a coordinate is from `first` to `last`.
fn steps_within((start, step): (i64, i64), (first, last): (i64, i64)) -> Range<i64> {
    let (lowest, beyond) = ((first << 32) - start, ((last + 1) << 32) - start);
    // Divides and rounds up. The divisor is positive.
    let up = |parts: i64, step: i64| -(-parts).div_euclid(step);
    match step {
        0 if lowest <= 0 && 0 < beyond => 0..i64::MAX,
        0 => 0..0,
        1.. => up(lowest, step)..up(beyond, step),
        // With a negative step, a position is within the range when its mirror image is.
        _ => up(1 - beyond, -step)..up(1 - lowest, -step),
    }
}

/// The image to move.
struct Source<'p, S> {
    pixels: &'p [[S; 4]],
    width: usize,
    height: usize,
    is_opaque: bool,
    background: [S; 4],
}

impl<'p, S: Sample> Source<'p, S> {
    fn of(picture: &'p Picture<S>, background: Color) -> Self {
        let pixels = picture.pixels().as_chunks::<4>().0;
        Self {
            pixels,
            width: picture.width() as usize,
            height: picture.height() as usize,
            is_opaque: pixels.par_iter().all(|[.., alpha]| *alpha == S::FULL),
            background: background.rgba.map(S::of),
        }
    }

    /// Computes a row of the result. In order, it has background, edge pixels, pixels that are
    /// entirely inside the image, edge pixels, and background.
    fn row(&self, line: Line, row: &mut [[S; 4]]) {
        let last = (self.width as i64 - 1, self.height as i64 - 1);
        let touched = line.within((-1, last), row.len());
        let inside = line.within((0, (last.0 - 1, last.1 - 1)), row.len());
        let inside = if self.is_opaque { inside } else { touched.start..touched.start };
        for (steps, pixel) in row.iter_mut().enumerate() {
            if !touched.contains(&steps) {
                *pixel = self.background;
            } else if !inside.contains(&steps) {
                *pixel = self.at_the_edge(line.at(steps));
            }
        }
        let pixels = row.get_mut(inside.clone()).unwrap_or_default();
        mixed_inside(pixels, self, line.after(inside.start));
    }

    /// The weighted sum of the four pixels around a position, all of which are inside the image.
    #[inline(always)]
    fn sum_inside(&self, (x, y): (i64, i64)) -> [f32; 4] {
        let at = (y >> 32) as usize * self.width + (x >> 32) as usize;
        let two = |at: usize| self.pixels.get(at..).and_then(<[_]>::first_chunk);
        let (Some([a, b]), Some([c, d])) = (two(at), two(at + self.width)) else {
            return [0.0; 4];
        };
        sum_opaque(&[*a, *b, *c, *d], &weights((x, y)))
    }

    /// The weighted sum of the four pixels around a position, premultiplied and over the
    /// background. Pixels outside the image are background.
    fn at_the_edge(&self, (x, y): (i64, i64)) -> [S; 4] {
        let mut corners = [[S::default(); 4]; 4];
        for (corner, (across, down)) in corners.iter_mut().zip([(0, 0), (1, 0), (0, 1), (1, 1)]) {
            let at = (usize::try_from((x >> 32) + across), usize::try_from((y >> 32) + down));
            let (Ok(x), Ok(y)) = at else { continue };
            if x < self.width && y < self.height {
                *corner = self.pixels.get(y * self.width + x).copied().unwrap_or_default();
            }
        }
        match corners.iter().all(|[.., alpha]| *alpha == S::FULL) {
            true => sum_opaque(&corners, &weights((x, y))).map(S::rounded),
            false => mixed((&corners, &weights((x, y))), self.background),
        }
    }
}

vectorized! {
    /// Computes the pixels of a line that are inside an opaque source.
    fn mixed_inside<'a, S: Sample>(row: &'a mut [[S; 4]], source: &'a Source<'a, S>, line: Line) {
        let mut at = line.start;
        for block in row.chunks_mut(LANES) {
            let mut sums = [[0.0_f32; 4]; LANES];
            for sum in sums.iter_mut().take(block.len()) {
                *sum = source.sum_inside(at);
                at = (at.0 + line.step.0, at.1 + line.step.1);
            }
            // Rounding several pixels together is twice as fast as one by one.
            let rounded = block.as_flattened_mut().iter_mut().zip(sums.as_flattened());
            rounded.for_each(|(sample, sum)| *sample = S::rounded(*sum));
        }
    }
}

/// The weights of the four pixels around a position.
#[inline(always)]
fn weights((x, y): (i64, i64)) -> [f32; 4] {
    let (across, down) = (share(x), share(y));
    [(1.0 - across) * (1.0 - down), across * (1.0 - down), (1.0 - across) * down, across * down]
}

/// The fractional part of a position, from 0 to 1.
#[inline(always)]
fn share(position: i64) -> f32 {
    // Single precision holds 24 bits exactly.
    let bits = u32::try_from((position >> 8) & 0xff_ffff).unwrap_or(0);
    #[expect(clippy::cast_precision_loss, reason = "24 bits fit")]
    let bits = bits as f32;
    bits / 16_777_216.0
}

#[inline(always)]
fn sum_opaque<S: Sample>(corners: &[[S; 4]; 4], weights: &[f32; 4]) -> [f32; 4] {
    let mut sum = [0.0_f32; 4];
    for (corner, weight) in corners.iter().zip(weights) {
        for (sum, value) in sum.iter_mut().zip(corner) {
            *sum += weight * value.level();
        }
    }
    sum
}

/// Mixes four pixels and the background, and rounds only at the end.
fn mixed<S: Sample>((corners, weights): (&[[S; 4]; 4], &[f32; 4]), background: [S; 4]) -> [S; 4] {
    const FULL: f32 = 255.0 * 255.0;
    let mut sum = [0.0_f32; 4];
    let mut add = |[red, green, blue, alpha]: [S; 4], weight: f32| {
        let cover = weight * alpha.level();
        let parts = [red.level(), green.level(), blue.level(), 255.0];
        sum.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part * cover);
        sum[3]
    };
    let mut alpha = 0.0;
    for (corner, weight) in corners.iter().zip(weights) {
        alpha = add(*corner, *weight);
    }
    add(background, 1.0 - alpha / FULL);
    canvas::straight(sum, FULL)
}
