//! The PNG filters (section 9), which replace each byte by its difference from a prediction.

use crate::kernels::vectors::vectorized;

/// The current row and the one above it, each with space for a pixel before it, and buffers for
/// filtered rows.
pub(super) struct Rows {
    pixel_bytes: usize,
    above: Vec<u8>,
    row: Vec<u8>,
    tried: Vec<u8>,
    best: Vec<u8>,
}

/// How to filter rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// No filter, which leaves repetitions unchanged.
    Never,
    /// The filter that leaves the smallest differences (PNG, section 12.7).
    Smallest,
}

impl Rows {
    pub(super) fn new(row_bytes: usize, pixel_bytes: usize) -> Self {
        let padded = || vec![0; row_bytes + pixel_bytes];
        let (tried, best) = (vec![0; row_bytes], vec![0; row_bytes]);
        Self { pixel_bytes, above: padded(), row: padded(), tried, best }
    }

    /// Moves on to the next row, which `fill` writes.
    pub(super) fn next(&mut self, fill: impl FnOnce(&mut [u8])) {
        std::mem::swap(&mut self.above, &mut self.row);
        fill(self.row.get_mut(self.pixel_bytes..).unwrap_or_default());
    }

    /// Appends the filtered row, preceded by the number of its filter.
    pub(super) fn filter(&mut self, choice: Choice, out: &mut Vec<u8>) {
        if choice == Choice::Never {
            out.push(0);
            out.extend_from_slice(self.row.get(self.pixel_bytes..).unwrap_or_default());
            return;
        }
        let mut chosen = (u64::MAX, 0);
        for filter in FILTERS {
            let mut sum = 0;
            attempted(self, filter, &mut sum);
            if sum < chosen.0 {
                chosen = (sum, filter as u8);
                std::mem::swap(&mut self.tried, &mut self.best);
            }
        }
        out.push(chosen.1);
        out.extend_from_slice(&self.best);
    }

    #[inline(always)]
    fn attempt(&mut self, filter: Filter) {
        let back = self.pixel_bytes;
        let length = self.tried.len();
        let here = self.row.get(back..).unwrap_or_default();
        let left = self.row.get(..length).unwrap_or_default();
        let above = self.above.get(back..).unwrap_or_default();
        let corner = self.above.get(..length).unwrap_or_default();
        let sides = left.iter().zip(above).zip(corner);
        let bytes = self.tried.iter_mut().zip(here).zip(sides);
        match filter {
            Filter::Sub => bytes.for_each(|((out, here), ((left, _), _))| {
                *out = here.wrapping_sub(*left);
            }),
            Filter::Up => bytes.for_each(|((out, here), ((_, above), _))| {
                *out = here.wrapping_sub(*above);
            }),
            Filter::Average => bytes.for_each(|((out, here), ((left, above), _))| {
                *out = here.wrapping_sub((left & above) + ((left ^ above) >> 1));
            }),
            Filter::Paeth => bytes.for_each(|((out, here), ((left, above), corner))| {
                *out = here.wrapping_sub(paeth(*left, *above, *corner));
            }),
        }
    }
}

vectorized! {
    /// Tries a filter and adds up the differences that it leaves.
    fn attempted<'a>(rows: &'a mut Rows, filter: Filter, sum_of: &'a mut u64) {
        rows.attempt(filter);
        *sum_of = sum(&rows.tried);
    }
}

/// The neighbor that is nearest to left + above - corner (PNG, section 9.4), without a branch.
#[inline(always)]
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, above, corner].map(i16::from);
    let (by_left, by_above) = ((b - c).abs(), (a - c).abs());
    let by_corner = (a + b - 2 * c).abs();
    let upper = if by_above <= by_corner { above } else { corner };
    if by_left <= by_above && by_left <= by_corner { left } else { upper }
}

/// The sum of the magnitudes of differences, which are taken as numbers from -128 to 127.
#[inline(always)]
fn sum(bytes: &[u8]) -> u64 {
    let (blocks, rest) = bytes.as_chunks::<SUM_BYTES>();
    let size = |byte: &u8| u16::from((*byte).min(byte.wrapping_neg()));
    let mut total = rest.iter().map(|byte| u64::from(size(byte))).sum();
    // The sum of a block stays below 2^16, so that many sums fit in a vector register.
    for block in blocks {
        total += u64::from(block.iter().map(size).sum::<u16>());
    }
    total
}

/// Up to 511 bytes of at most 128 each add up to less than 2^16.
const SUM_BYTES: usize = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filter {
    Sub = 1,
    Up = 2,
    Average = 3,
    Paeth = 4,
}

const FILTERS: [Filter; 4] = [Filter::Sub, Filter::Up, Filter::Average, Filter::Paeth];
