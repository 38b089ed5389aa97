//! The eight orientations of a camera, and how to turn an image upright.

use super::raster::Raster;
use crate::Sample;
use rayon::prelude::*;

/// How to turn a stored image upright (Exif 2.32, tag 0x0112).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Orientation {
    /// 1: upright as stored.
    #[default]
    Upright,
    /// 2: mirrored left to right.
    Mirrored,
    /// 3: rotated by 180°.
    HalfTurn,
    /// 4: mirrored top to bottom.
    Flipped,
    /// 5: mirrored at the diagonal from top left.
    Transposed,
    /// 6: needs a clockwise quarter turn.
    QuarterTurn,
    /// 7: mirrored at the diagonal from top right.
    Transversed,
    /// 8: needs a counterclockwise quarter turn.
    ThreeQuarterTurn,
}

impl Orientation {
    /// Reads the value of the tag. Values other than 2 to 8 mean upright.
    #[must_use]
    pub fn from_exif(value: u16) -> Self {
        match value {
            2 => Self::Mirrored,
            3 => Self::HalfTurn,
            4 => Self::Flipped,
            5 => Self::Transposed,
            6 => Self::QuarterTurn,
            7 => Self::Transversed,
            8 => Self::ThreeQuarterTurn,
            _ => Self::Upright,
        }
    }

    /// Whether turning the image upright swaps width and height.
    #[must_use]
    pub fn swaps_sides(self) -> bool {
        matches!(
            self,
            Self::Transposed | Self::QuarterTurn | Self::Transversed | Self::ThreeQuarterTurn
        )
    }

    /// Where row `y` of the upright image starts in the stored one, and the step from one of its
    /// pixels to the next. Both are counted in stored pixels.
    fn row(self, y: isize, width: isize, height: isize) -> (isize, isize) {
        let (right, bottom) = (width - 1, (height - 1) * width);
        match self {
            Self::Upright => (y * width, 1),
            Self::Mirrored => (y * width + right, -1),
            Self::HalfTurn => (bottom - y * width + right, -1),
            Self::Flipped => (bottom - y * width, 1),
            Self::Transposed => (y, width),
            Self::QuarterTurn => (bottom + y, -width),
            Self::Transversed => (bottom + right - y, -width),
            Self::ThreeQuarterTurn => (right - y, width),
        }
    }
}

/// Turns an image upright. If pixels have to move, they are copied to a second buffer.
pub(super) fn upright<S: Sample>(raster: Raster<S>, orientation: Orientation) -> Raster<S> {
    if orientation == Orientation::Upright {
        return raster;
    }
    let (width, height) = match orientation.swaps_sides() {
        true => (raster.height, raster.width),
        false => (raster.width, raster.height),
    };
    let stored: &[[S; 4]] = raster.pixels.as_chunks().0;
    let sides = (raster.width as isize, raster.height as isize);
    let row_samples = width as usize * 4;
    let mut pixels = vec![S::default(); raster.pixels.len()];
    pixels.par_chunks_mut(row_samples * BLOCK_PX).enumerate().for_each(|(band, rows)| {
        // Work in blocks, so that the stored rows that a block reads stay in the cache.
        for left in (0..width as usize).step_by(BLOCK_PX) {
            for (index, row) in rows.chunks_exact_mut(row_samples).enumerate() {
                let y = band * BLOCK_PX + index;
                let (start, step) = orientation.row(y as isize, sides.0, sides.1);
                let block = row.as_chunks_mut::<4>().0.iter_mut().enumerate().skip(left);
                for (x, pixel) in block.take(BLOCK_PX) {
                    let at = start + step * x as isize;
                    *pixel = stored.get(at as usize).copied().unwrap_or_default();
                }
            }
        }
    });
    Raster { width, height, pixels, ..raster }
}

/// A block is as wide as two cache lines of 64 bytes each, and has as many rows as columns.
const BLOCK_PX: usize = 32;
