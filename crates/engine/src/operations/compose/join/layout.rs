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
    /// The height of the strip for the caption below it.
    pub(super) strip: u64,
}

impl Join {
    /// The size of the result, and the position of each image in the order in which they were sent.
    pub(super) fn places(&self, inputs: &[Size]) -> Result<((u64, u64), Vec<Spot>), String> {
        let count = inputs.len();
        for (what, named) in [("captions", self.captions.len()), ("places", self.order.len())] {
            if named > 0 && named != count {
                return Err(format!("there are {named} {what} for {count} images"));
            }
        }
        if self.order.is_empty() {
            return self.laid(inputs);
        }
        let placed: Vec<Size> =
            self.order.iter().filter_map(|sent| inputs.get(sent - 1)).copied().collect();
        let (whole, spots) = self.laid(&placed)?;
        let mut sent: Vec<(usize, Spot)> = self.order.iter().copied().zip(spots).collect();
        sent.sort_by_key(|(number, _)| *number);
        Ok((whole, sent.into_iter().map(|(_, spot)| spot).collect()))
    }

    /// The positions of images in the order in which they are placed.
    fn laid(&self, inputs: &[Size]) -> Result<((u64, u64), Vec<Spot>), String> {
        let strip = self.strip_px(inputs.first().copied().unwrap_or((1, 1)));
        match self.layout {
            Layout::SideBySide => {
                let ((width, height), spots) = self.line(inputs, 0);
                let spots = spots.into_iter().map(|spot| Spot { strip, ..spot }).collect();
                Ok(((width, height + strip), spots))
            }
            Layout::Stacked => {
                // The same with width and height swapped.
                let turned: Vec<Size> = inputs.iter().map(|size| (size.1, size.0)).collect();
                let (whole, spots) = self.line(&turned, strip);
                let turn = |(first, second)| (second, first);
                let spots = spots.into_iter().map(|spot| Spot {
                    at: turn(spot.at),
                    size: turn(spot.size),
                    strip,
                });
                Ok((turn(whole), spots.collect()))
            }
            Layout::Grid { columns, rows } => self.grid(inputs, (columns, rows), strip),
        }
    }

    fn gap_px(&self, inputs: &[Size]) -> u64 {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        self.gap.px(width.min(height))
    }

    /// From left to right, with a strip of this width behind each image.
    fn line(&self, inputs: &[Size], strip: u64) -> ((u64, u64), Vec<Spot>) {
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
                let spot = Spot { at: (left, (height - size.1) / 2), size, strip };
                left += size.0 + strip + gap;
                spot
            })
            .collect();
        ((left - gap.min(left), height), spots)
    }

    fn grid(
        &self,
        inputs: &[Size],
        (columns, rows): (u32, u32),
        strip: u64,
    ) -> Result<((u64, u64), Vec<Spot>), String> {
        let count = u32::try_from(inputs.len()).unwrap_or(u32::MAX).max(1);
        let columns = if columns == 0 { most_square(count) } else { columns };
        let rows = if rows == 0 { count.div_ceil(columns) } else { rows };
        if u64::from(columns) * u64::from(rows) < u64::from(count) {
            return Err(format!("{count} images do not fit into a grid of {columns}x{rows}"));
        }
        let cell = inputs.first().copied().unwrap_or((1, 1));
        let gap = self.gap_px(inputs);
        let side = |cells: u32, cell: u64| u64::from(cells) * cell + u64::from(cells - 1) * gap;
        let size = (u64::from(cell.0), u64::from(cell.1));
        let spots = (0..u64::from(count)).map(|number| {
            let (column, row) = (number % u64::from(columns), number / u64::from(columns));
            Spot { at: (column * (size.0 + gap), row * (size.1 + strip + gap)), size, strip }
        });
        Ok(((side(columns, size.0), side(rows, size.1 + strip)), spots.collect()))
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
