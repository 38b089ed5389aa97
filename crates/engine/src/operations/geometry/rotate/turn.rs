//! Rotates by half and quarter turns.

use crate::{ExecuteError, Picture, Sample};
use rayon::prelude::*;

/// The side of the blocks that quarter turns move. Two blocks of 4 KiB stay in the first-level
/// cache, however far apart the rows of the source are.
const BLOCK_PX: usize = 32;

/// Rotates by 180 degrees, in place.
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
pub(in crate::operations) fn quarter<S: Sample>(
    picture: &Picture<S>,
    right: bool,
) -> Result<Picture<S>, ExecuteError> {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let mut result = Picture::new(picture.height(), picture.width())?;
    let source = picture.pixels().as_chunks::<4>().0;
    let row_samples = result.row_samples();
    result.each_band(BLOCK_PX, |band, rows| {
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
