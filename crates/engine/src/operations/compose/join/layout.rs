//! Positions and sizes of joined images.

use super::{Join, Layout};
use crate::kernels::Size;
use crate::length::whole;

/// Position and size of one image in the result, in pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    /// Left and top.
    pub(super) at: (u64, u64),
    /// Width and height.
    pub(super) size: (u64, u64),
}

impl Join {
    /// The size of the result, and the position of each image.
    pub(super) fn places(&self, inputs: &[Size]) -> Result<((u64, u64), Vec<Spot>), String> {
        match self.layout {
            Layout::SideBySide => Ok(self.line(inputs)),
            Layout::Stacked => {
                // The same with width and height swapped.
                let turned: Vec<Size> = inputs.iter().map(|size| (size.1, size.0)).collect();
                let (whole, spots) = self.line(&turned);
                let turn = |(first, second)| (second, first);
                let spots =
                    spots.into_iter().map(|spot| Spot { at: turn(spot.at), size: turn(spot.size) });
                Ok((turn(whole), spots.collect()))
            }
            Layout::Grid { columns, rows } => self.grid(inputs, (columns, rows)),
        }
    }

    fn gap_px(&self, inputs: &[Size]) -> u64 {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        self.gap.px(width.min(height))
    }

    /// From left to right.
    fn line(&self, inputs: &[Size]) -> ((u64, u64), Vec<Spot>) {
        let first_height = inputs.first().map_or(1, |size| size.1);
        let sizes: Vec<(u64, u64)> = inputs
            .iter()
            .map(|size| {
                let factor = f64::from(first_height) / f64::from(size.1);
                let factor = if self.keep_sizes { 1.0 } else { factor };
                scaled(*size, factor)
            })
            .collect();
        let height = sizes.iter().map(|size| size.1).max().unwrap_or(1);
        let gap = self.gap_px(inputs);
        let mut left = 0;
        let spots = sizes
            .into_iter()
            .map(|size| {
                let spot = Spot { at: (left, (height - size.1) / 2), size };
                left += size.0 + gap;
                spot
            })
            .collect();
        ((left - gap.min(left), height), spots)
    }

    fn grid(
        &self,
        inputs: &[Size],
        (columns, rows): (u32, u32),
    ) -> Result<((u64, u64), Vec<Spot>), String> {
        let count = u32::try_from(inputs.len()).unwrap_or(u32::MAX).max(1);
        let columns = if columns == 0 { most_square(count) } else { columns };
        let rows = if rows == 0 { count.div_ceil(columns) } else { rows };
        if u64::from(columns) * u64::from(rows) < u64::from(count) {
            return Err(format!("{count} images do not fit into a grid of {columns}x{rows}"));
        }
        let cell = inputs.first().copied().unwrap_or((1, 1));
        let gap = self.gap_px(inputs);
        let side =
            |cells: u32, cell: u32| u64::from(cells) * u64::from(cell) + u64::from(cells - 1) * gap;
        let size = (u64::from(cell.0), u64::from(cell.1));
        let spots = (0..u64::from(count)).map(|number| {
            let (column, row) = (number % u64::from(columns), number / u64::from(columns));
            Spot { at: (column * (size.0 + gap), row * (size.1 + gap)), size }
        });
        Ok(((side(columns, cell.0), side(rows, cell.1)), spots.collect()))
    }
}

fn scaled(size: Size, factor: f64) -> (u64, u64) {
    let side = |side: u32| whole(f64::from(side) * factor).max(1);
    (side(size.0), side(size.1))
}

/// The smallest number of columns that is not less than the number of rows.
fn most_square(count: u32) -> u32 {
    (1..=count).find(|columns| columns * columns >= count).unwrap_or(1)
}
