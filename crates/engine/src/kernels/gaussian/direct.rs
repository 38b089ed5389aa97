//! Small Gaussians: every weight at every pixel, first horizontally, then vertically.
//!
//! Strips of rows are blurred in place, each on one thread, from left to right in tiles that fit in
//! the cache. Pixels outside a tile that are overwritten before the tile needs them are saved: the
//! rows beyond the strip, and the last pixels of the previous tile.

use super::{Light, add, kernel, premultiplied};
use crate::kernels::Size;
use crate::kernels::vectors::vectorized;
use crate::{Picture, Sample};
use rayon::prelude::*;

/// Rows per strip.
const STRIP_ROWS: usize = 128;
/// Width of a tile in pixels. Its rows fit in the L1 cache and are not a power of two apart, which
/// would make them evict each other.
const TILE: usize = 88;
/// Sums that are kept in registers at the same time.
const LANES: usize = 8;

/// The rows around all strip boundaries, at up to 16 bits per channel, and the tiles of at most 64
/// threads.
pub(super) fn scratch_bytes(input: Size, sigma_px: f64) -> u64 {
    let reach = kernel::reach(sigma_px) as u64;
    let cuts = u64::from(input.1).div_ceil(STRIP_ROWS as u64);
    let tile = TILE as u64 * 16 * (2 * reach + 3) + reach * (32 + 8 * STRIP_ROWS as u64);
    cuts * 2 * reach * u64::from(input.0) * 8 + 64 * tile
}

/// Blurs in place. `finish` computes the new pixels from the old and the blurred ones.
pub(super) fn blur<S: Sample>(
    picture: &mut Picture<S>,
    sigma_px: f64,
    finish: impl Fn(&mut [[S; 4]], &[Light]) + Sync,
) {
    let weights = kernel::centered(sigma_px);
    let reach = weights.len() / 2;
    let width = picture.width() as usize;
    let beside = Beside::new(picture, reach);
    let pixels = picture.pixels_mut().as_chunks_mut::<4>().0;
    pixels.par_chunks_mut(STRIP_ROWS * width).enumerate().for_each(|(index, own)| {
        let mut strip = Strip { own, width, reach, beside: beside.of(index) };
        let mut tile = Tile::new(&weights);
        let mut left = Vec::new();
        for start in (0..width).step_by(TILE) {
            let next = strip.before(start + TILE);
            tile.blur(&mut strip, (start, &left), &finish);
            left = next;
        }
    });
}

/// The original rows beyond every strip.
struct Beside<S> {
    /// For each strip, the rows above it and those below it.
    rows: Vec<[Vec<[S; 4]>; 2]>,
}

impl<S: Sample> Beside<S> {
    fn new(picture: &Picture<S>, reach: usize) -> Self {
        let width = picture.width() as usize;
        let height = picture.height() as usize;
        let pixels = picture.pixels().as_chunks::<4>().0;
        let rows = |rows: std::ops::Range<usize>| {
            pixels.get(rows.start * width..rows.end * width).unwrap_or_default().to_vec()
        };
        let strips = (0..height).step_by(STRIP_ROWS).map(|top| {
            let bottom = (top + STRIP_ROWS).min(height);
            [rows(top.saturating_sub(reach)..top), rows(bottom..(bottom + reach).min(height))]
        });
        Self { rows: strips.collect() }
    }

    fn of(&self, strip: usize) -> [&[[S; 4]]; 2] {
        let none: [&[[S; 4]]; 2] = [&[], &[]];
        self.rows.get(strip).map_or(none, |[above, below]| [above, below])
    }
}

/// Rows that are being blurred.
struct Strip<'p, S> {
    own: &'p mut [[S; 4]],
    width: usize,
    reach: usize,
    /// The rows above and below, as far as they exist.
    beside: [&'p [[S; 4]]; 2],
}

impl<S: Sample> Strip<'_, S> {
    fn rows(&self) -> usize {
        self.own.len() / self.width.max(1)
    }

    /// The pixels before a column in each row of the strip, as many as a tile needs.
    fn before(&self, column: usize) -> Vec<[S; 4]> {
        let columns = column.saturating_sub(self.reach)..column.min(self.width);
        self.own
            .chunks_exact(self.width)
            .flat_map(|row| row.get(columns.clone()).unwrap_or_default())
            .copied()
            .collect()
    }

    /// Loads a row, counted from the first that a strip needs, into a line of premultiplied pixels
    /// that extends beyond the tile on both sides. Beyond the edges, the outermost pixels repeat.
    fn line(&self, row: usize, (start, left): (usize, &[[S; 4]]), line: &mut [Light]) {
        let [above, below] = self.beside;
        let (first, rows) = (self.reach - above.len() / self.width, self.rows());
        let last = self.reach + rows + below.len() / self.width - 1;
        let at = row.clamp(first, last);
        let (source, own) = match at.checked_sub(self.reach) {
            None => (part(above, at - first, self.width), None),
            Some(at) if at < rows => (part(self.own, at, self.width), Some(at)),
            Some(at) => (part(below, at - rows, self.width), None),
        };
        let kept = own.filter(|_| start > 0).map(|at| part(left, at, self.reach));
        let (before, rest) = line.split_at_mut(self.reach);
        match kept {
            Some(kept) => fill(before, kept),
            None => {
                let lead = self.reach.saturating_sub(start);
                let (edge, inside) = before.split_at_mut(lead);
                edge.fill(source.first().map_or([0.0; 4], |pixel| premultiplied(*pixel)));
                fill(inside, source.get(start.saturating_sub(self.reach)..).unwrap_or_default());
            }
        }
        fill(rest, source.get(start..).unwrap_or_default());
    }
}

/// One row of several.
fn part<S>(pixels: &[[S; 4]], row: usize, width: usize) -> &[[S; 4]] {
    pixels.get(row * width..(row + 1) * width).unwrap_or_default()
}

/// Premultiplies pixels; if there are too few, the last one repeats.
fn fill<S: Sample>(lights: &mut [Light], pixels: &[[S; 4]]) {
    let count = pixels.len().min(lights.len());
    let (given, missing) = lights.split_at_mut(count);
    for (light, pixel) in given.iter_mut().zip(pixels) {
        *light = premultiplied(*pixel);
    }
    missing.fill(given.last().copied().unwrap_or_default());
}

/// The buffers of a thread.
struct Tile<'w> {
    weights: &'w [f32],
    /// The last rows, blurred horizontally; a row is at its number modulo the length.
    ring: Vec<[Light; TILE]>,
    line: Vec<Light>,
    sums: Box<[Light; TILE]>,
}

impl<'w> Tile<'w> {
    fn new(weights: &'w [f32]) -> Self {
        let line = vec![[0.0; 4]; TILE + weights.len() - 1];
        let sums = Box::new([[0.0; 4]; TILE]);
        Self { weights, ring: vec![[[0.0; 4]; TILE]; weights.len()], line, sums }
    }

    fn blur<S: Sample>(
        &mut self,
        strip: &mut Strip<'_, S>,
        (start, left): (usize, &[[S; 4]]),
        finish: &impl Fn(&mut [[S; 4]], &[Light]),
    ) {
        let count = self.ring.len();
        let columns = start..(start + TILE).min(strip.width);
        for row in 0..strip.rows() + count - 1 {
            strip.line(row, (start, left), &mut self.line);
            let Some(blurred) = self.ring.get_mut(row % count) else { return };
            across(&self.line, self.weights, blurred);
            let Some(own) = (row + 1).checked_sub(count) else { continue };
            let from = own * strip.width;
            let columns = from + columns.start..from + columns.end;
            let old = strip.own.get_mut(columns).unwrap_or_default();
            down(&self.ring, own % count, self.weights, &mut self.sums);
            finish(old, self.sums.as_slice());
        }
    }
}

vectorized! {
    fn across<'a>(line: &'a [Light], weights: &'a [f32], to: &'a mut [Light; TILE]) {
        let reach = weights.len() / 2;
        for (block, to) in to.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            let from = block * LANES;
            let line = line.get(from..from + LANES + 2 * reach).unwrap_or_default();
            let windows = line.array_windows::<LANES>();
            *to = symmetric(windows.clone().zip(windows.rev()), weights);
        }
    }
}

vectorized! {
    /// Adds up the rows of a ring buffer, starting at index `first`.
    fn down<'a>(
        ring: &'a [[Light; TILE]],
        first: usize,
        weights: &'a [f32],
        to: &'a mut [Light; TILE],
    ) {
        let (late, early) = ring.split_at(first.min(ring.len()));
        for (block, to) in to.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            let part = |row: &'a [Light; TILE]| {
                row.as_chunks::<LANES>().0.get(block).unwrap_or(&[[0.0; 4]; LANES])
            };
            let rows = early.iter().chain(late).map(part);
            *to = symmetric(rows.clone().zip(rows.rev()), weights);
        }
    }
}

/// Weighted sums of pixels. The weights are symmetric, so each pixel is added to its mirror image
/// and one multiplication serves both.
#[inline(always)]
fn symmetric<'a>(
    mut pairs: impl Iterator<Item = (&'a [Light; LANES], &'a [Light; LANES])>,
    weights: &[f32],
) -> [Light; LANES] {
    let mut sums = [[0.0_f32; 4]; LANES];
    let (arm, rest) = weights.split_at(weights.len() / 2);
    // The weights come first in the zip, so that their end doesn't consume a pair.
    for (weight, (lights, mirrored)) in arm.iter().zip(pairs.by_ref()) {
        for ((sum, light), mirrored) in sums.iter_mut().zip(lights).zip(mirrored) {
            for ((sum, value), mirrored) in sum.iter_mut().zip(light).zip(mirrored) {
                *sum += weight * (value + mirrored);
            }
        }
    }
    if let (Some((lights, _)), Some(weight)) = (pairs.next(), rest.first()) {
        sums.iter_mut().zip(lights).for_each(|(sum, light)| add(sum, *weight, *light));
    }
    sums
}
