//! Turns pixels.

use crate::step::{Size, canvas};
use crate::vectors::vectorised;
use crate::{Colour, ExecuteError, Picture, Sample};
use rayon::prelude::*;

/// Side of the blocks in which quarter turns move pixels: two blocks of 4 KiB stay in the first
/// cache, however far apart the rows of the source lie.
const BLOCK_PX: usize = 32;
/// Parts of a pixel in which positions in the source are counted: 2^32.
const PARTS: f64 = 4_294_967_296.0;

/// Turns by half a circle, in place.
pub(super) fn half<S: Sample>(mut picture: Picture<S>) -> Picture<S> {
    let row_samples = picture.row_samples();
    let middle = picture.height() as usize / 2;
    let odd = picture.height() % 2 == 1;
    let reverse = |row: &mut [S]| row.as_chunks_mut::<4>().0.reverse();
    let (upper, lower) = picture.pixels_mut().split_at_mut(middle * row_samples);
    let (own, lower) = lower.split_at_mut(if odd { row_samples } else { 0 });
    reverse(own);
    upper
        .par_chunks_exact_mut(row_samples)
        .zip(lower.par_chunks_exact_mut(row_samples).rev())
        .for_each(|(above, below)| {
            above.swap_with_slice(below);
            reverse(above);
            reverse(below);
        });
    picture
}

/// Turns by a quarter to the right or to the left: row y of the result is a column of the source.
pub(in crate::step) fn quarter<S: Sample>(
    picture: &Picture<S>,
    right: bool,
) -> Result<Picture<S>, ExecuteError> {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let mut result = Picture::new(picture.height(), picture.width())?;
    let source = picture.pixels().as_chunks::<4>().0;
    let row_samples = result.row_samples();
    let bands = result.pixels_mut().par_chunks_mut(row_samples * BLOCK_PX).enumerate();
    bands.for_each(|(band, rows)| {
        for left in (0..height).step_by(BLOCK_PX) {
            for (row, line) in rows.chunks_exact_mut(row_samples).enumerate() {
                let y = band * BLOCK_PX + row;
                let column = if right { y } else { width - 1 - y };
                let line = line.as_chunks_mut::<4>().0.iter_mut();
                for (x, to) in line.enumerate().skip(left).take(BLOCK_PX) {
                    let line = if right { height - 1 - x } else { x };
                    if let Some(pixel) = source.get(line * width + column) {
                        *to = *pixel;
                    }
                }
            }
        }
    });
    Ok(result)
}

/// Turns by any angle in degrees, around the middle, on a canvas of a size. Positions in the
/// source are counted in 2^-32 pixels, so that rows add up the same way everywhere.
pub(super) fn freely<S: Sample>(
    picture: &Picture<S>,
    (degrees, size): (f64, Size),
    background: Colour,
) -> Result<Picture<S>, ExecuteError> {
    let mut result = Picture::new(size.0, size.1)?;
    let row_samples = result.row_samples();
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let middle = (f64::from(picture.width()) / 2.0, f64::from(picture.height()) / 2.0);
    let half = (f64::from(size.0) / 2.0, f64::from(size.1) / 2.0);
    let step = (parts(cosine), parts(-sine));
    let background = background.rgba.map(S::of);
    let source = Source { picture, pixels: picture.pixels().as_chunks::<4>().0 };
    result.pixels_mut().par_chunks_mut(row_samples).enumerate().for_each(|(y, row)| {
        let down = f64::from(u32::try_from(y).unwrap_or(0)) + 0.5 - half.1;
        let across = 0.5 - half.0;
        let x = parts(across * cosine + down * sine + middle.0 - 0.5);
        let y = parts(down * cosine - across * sine + middle.1 - 0.5);
        turned(row, (&source, background), ((x, y), step));
    });
    Ok(result)
}

vectorised! {
    /// A row of the result: what lies at positions in the source that are a step apart.
    fn turned<'a, S: Sample>(
        row: &'a mut [S],
        from: (&'a Source<'a, S>, [S; 4]),
        at: ((i64, i64), (i64, i64)),
    ) {
        let ((source, background), ((mut x, mut y), step)) = (from, at);
        for pixel in row.as_chunks_mut::<4>().0 {
            *pixel = source.between((x, y), background);
            x += step.0;
            y += step.1;
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "at most some 2^15 pixels of 2^32 parts")]
fn parts(pixels: f64) -> i64 {
    (pixels * PARTS).round() as i64
}

/// What is turned.
struct Source<'p, S: Sample> {
    picture: &'p Picture<S>,
    pixels: &'p [[S; 4]],
}

impl<S: Sample> Source<'_, S> {
    /// The premultiplied mix of the four pixels around a position, over the background; outside is
    /// nothing but that.
    #[inline(always)]
    fn between(&self, (x, y): (i64, i64), background: [S; 4]) -> [S; 4] {
        let (left, top) = (x >> 32, y >> 32);
        let corners = match self.inside(left, top) {
            Some(corners) => corners,
            None => self.at_the_edge(left, top),
        };
        let opaque = corners.iter().all(|[.., alpha]| *alpha == S::FULL);
        let (across, down) = (share(x), share(y));
        let weights = [
            (1.0 - across) * (1.0 - down),
            across * (1.0 - down),
            (1.0 - across) * down,
            across * down,
        ];
        match opaque {
            true => mixed_opaque(&corners, &weights),
            false => mixed((&corners, &weights), background),
        }
    }

    /// The four pixels from this one to the right and down, when all lie inside.
    #[inline(always)]
    fn inside(&self, left: i64, top: i64) -> Option<[[S; 4]; 4]> {
        let (left, top) = (usize::try_from(left).ok()?, usize::try_from(top).ok()?);
        let width = self.picture.width() as usize;
        if left + 1 >= width {
            return None;
        }
        let at = top * width + left;
        let (upper, lower) = (self.pixels.get(at..at + 2)?, self.pixels.get(at + width..)?);
        match (upper, lower) {
            ([a, b], [c, d, ..]) => Some([*a, *b, *c, *d]),
            _ => None,
        }
    }

    fn at_the_edge(&self, left: i64, top: i64) -> [[S; 4]; 4] {
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(across, down)| {
            let at = (u32::try_from(left + across), u32::try_from(top + down));
            let (Ok(x), Ok(y)) = at else { return [S::default(); 4] };
            self.picture.pixel(x, y).unwrap_or_default()
        })
    }
}

/// The part of a pixel in a position, from 0 to 1.
#[inline(always)]
fn share(position: i64) -> f32 {
    // 24 bits are all that a single holds exactly.
    let bits = u32::try_from((position >> 8) & 0xff_ffff).unwrap_or(0);
    #[expect(clippy::cast_precision_loss, reason = "24 bits fit")]
    let bits = bits as f32;
    bits / 16_777_216.0
}

#[inline(always)]
fn mixed_opaque<S: Sample>(corners: &[[S; 4]; 4], weights: &[f32; 4]) -> [S; 4] {
    let mut sum = [0.0_f32; 4];
    for (corner, weight) in corners.iter().zip(weights) {
        for (sum, value) in sum.iter_mut().zip(corner) {
            *sum += weight * value.level();
        }
    }
    let [red, green, blue, _] = sum.map(S::rounded);
    [red, green, blue, S::FULL]
}

/// Rounded once, after the background has been mixed in.
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
