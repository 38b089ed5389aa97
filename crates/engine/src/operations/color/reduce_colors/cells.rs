//! The colors of an image, counted in cells: cubes of the color space. They are as small as possible
//! with at most 65,536 of them, so that a dark image or one of grays has one for each of its colors.

use super::palette::Cell;
use crate::kernels::canvas::visible;
use crate::{Depth, Picture, Sample};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most cells. Each is compared with each color of a palette, several times.
const CELLS_MAX: usize = 1 << 16;
/// How many colors of three bytes there are.
const COLORS: usize = 1 << 24;
/// The most parts of an image that are counted at a time. Each has a table.
const PARTS_MAX: usize = 8;
/// The fewest samples of a part.
const PART_SAMPLES_MIN: usize = 1 << 18;

/// Which cells have pixels.
pub(super) struct Cells {
    /// The edge of a cell is this power of two.
    shift: u32,
    /// One bit for each cell.
    used: Vec<u64>,
    /// For each 64 cells, how many used ones come before them.
    before: Vec<u32>,
}

/// The pixels of a cell and the sums of their channels.
#[derive(Clone, Copy, Default)]
struct Counted {
    pixels: u64,
    sums: [u64; 3],
}

/// The memory for an image of this size, the palette and its mixtures included.
pub(super) fn bytes(pixels: u64) -> u64 {
    let cells = pixels.min(CELLS_MAX as u64);
    let (table, cell) = (size_of::<Counted>() as u64, size_of::<Cell>() as u64);
    // A word of bits and a number for each 64 cells, before and after they become wider.
    let bits = COLORS as u64 / 64 * (8 + 4);
    // The cells exist twice while they are grouped, and their mixtures are no larger.
    bits * 2 + cells * (table * PARTS_MAX as u64 + cell * 3)
}

impl Cells {
    /// Finds the colors of all visible pixels.
    pub(super) fn of<S: Sample>(picture: &Picture<S>) -> Self {
        let used: Vec<AtomicU64> = (0..COLORS / 64).map(|_| AtomicU64::new(0)).collect();
        picture.pixels().par_chunks(PART_SAMPLES_MIN).for_each(|part| {
            for color in visible(part) {
                let at = key(color.map(S::nearest), 0);
                let bit = 1 << (at % 64);
                // Most have been seen, and reading is cheaper than writing.
                if let Some(word) = used.get(at / 64)
                    && word.load(Ordering::Relaxed) & bit == 0
                {
                    word.fetch_or(bit, Ordering::Relaxed);
                }
            }
        });
        let used = used.into_iter().map(AtomicU64::into_inner).collect();
        let mut cells = Self { shift: 0, used, before: Vec::new() };
        while cells.number() > CELLS_MAX {
            cells = cells.twice_as_wide();
        }
        let mut all = 0;
        cells.before = (cells.used.iter())
            .map(|word| {
                let before = all;
                all += word.count_ones();
                before
            })
            .collect();
        cells
    }

    /// Whether the image has at most this number of colors, besides those of transparent pixels.
    pub(super) fn has_at_most<S: Sample>(&self, picture: &Picture<S>, colors: usize) -> bool {
        if self.shift > 0 || self.number() > colors {
            return false;
        }
        // One cell may have several colors of 16 bits.
        let mut seen = BTreeSet::new();
        S::DEPTH == Depth::Eight
            || visible(picture.pixels()).all(|color| {
                seen.insert(color);
                seen.len() <= colors
            })
    }

    fn number(&self) -> usize {
        self.used.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn twice_as_wide(&self) -> Self {
        let shift = self.shift + 1;
        let mut used = vec![0_u64; (COLORS >> (3 * shift)) / 64];
        for (word, start) in self.used.iter().zip((0..).step_by(64)) {
            let mut left = *word;
            while left != 0 {
                let at = key(color(start + left.trailing_zeros() as usize, self.shift), shift);
                if let Some(word) = used.get_mut(at / 64) {
                    *word |= 1 << (at % 64);
                }
                left &= left - 1;
            }
        }
        Self { shift, used, before: Vec::new() }
    }

    /// The number of the cell of a visible pixel's color.
    pub(super) fn at<S: Sample>(&self, color: [S; 3]) -> usize {
        let at = key(color.map(S::nearest), self.shift);
        let (Some(word), Some(before)) = (self.used.get(at / 64), self.before.get(at / 64)) else {
            return 0;
        };
        *before as usize + (word & ((1 << (at % 64)) - 1)).count_ones() as usize
    }

    /// Counts all visible pixels. The cells are in the order of their numbers.
    #[expect(clippy::cast_possible_truncation, reason = "at most 50 million pixels")]
    pub(super) fn counted<S: Sample>(&self, picture: &Picture<S>) -> Vec<Cell> {
        let samples = picture.pixels();
        let pixels = (samples.len() / 4).div_ceil(PARTS_MAX);
        let parts = samples.par_chunks((pixels * 4).max(PART_SAMPLES_MIN));
        let number = self.number();
        let tables = parts.map(|part| {
            let mut table = vec![Counted::default(); number];
            for color in visible(part) {
                if let Some(counted) = table.get_mut(self.at(color)) {
                    counted.add(1, color.map(S::whole));
                }
            }
            table
        });
        let table = tables.reduce_with(|mut table, other| {
            let both = table.iter_mut().zip(other);
            both.for_each(|(counted, other)| counted.add(other.pixels, other.sums));
            table
        });
        let level = 255.0 / S::FULL.whole() as f64;
        let cell = |counted: Counted| Cell {
            pixels: counted.pixels as u32,
            mean: counted.sums.map(|sum| (sum as f64 * level / counted.pixels as f64) as f32),
        };
        table.into_iter().flatten().map(cell).collect()
    }
}

impl Counted {
    fn add(&mut self, pixels: u64, sums: [u64; 3]) {
        self.pixels += pixels;
        self.sums.iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
    }
}

/// The key of the cell of a color: the upper bits of its channels.
fn key([red, green, blue]: [u8; 3], shift: u32) -> usize {
    let bits = 8 - shift;
    let part = |level: u8| usize::from(level >> shift);
    part(red) << (2 * bits) | part(green) << bits | part(blue)
}

/// The lowest color of a cell.
#[expect(clippy::cast_possible_truncation, reason = "the cast takes eight bits of the key")]
fn color(key: usize, shift: u32) -> [u8; 3] {
    let bits = 8 - shift;
    [key >> (2 * bits), key >> bits, key].map(|part| (part << shift) as u8)
}
