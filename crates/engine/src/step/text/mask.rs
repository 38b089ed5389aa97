//! How much of each pixel a path covers.

use crate::Sample;
use crate::step::gaussian;
use zeno::{Command, Join, Mask as Rasteriser, Stroke};

/// The covered share of the pixels in a box, from 0 to 255.
#[derive(Clone)]
pub(crate) struct Mask {
    /// Its left edge in the picture, in pixels.
    pub(crate) left: i32,
    /// Its top edge.
    pub(crate) top: i32,
    pub(crate) width: usize,
    pub(crate) shares: Vec<u8>,
}

impl Mask {
    /// The inside of a path.
    pub(crate) fn filled(path: &[Command]) -> Self {
        Self::of(Rasteriser::new(path).render())
    }

    /// A line of a width, half of it on either side of a path, with round corners.
    pub(crate) fn stroked(path: &[Command], width: f32) -> Self {
        Self::of(Rasteriser::new(path).style(Stroke::new(width).join(Join::Round)).render())
    }

    /// The same, moved by whole pixels and blurred by a Gaussian.
    pub(crate) fn softened(&self, sigma_px: f64, by_px: i32) -> Self {
        let weights = gaussian::weights(sigma_px);
        let reach = weights.len() / 2;
        let (width, height) = (self.width + 2 * reach, self.height() + 2 * reach);
        let across: Vec<Vec<f32>> = self
            .shares
            .chunks(self.width.max(1))
            .map(|row| {
                let mut line = vec![0.0_f32; 2 * reach];
                line.extend(row.iter().map(|share| f32::from(*share)));
                line.resize(line.len() + 2 * reach, 0.0);
                line.windows(weights.len()).map(|window| weighted(window, &weights)).collect()
            })
            .collect();
        let mut shares = vec![0_u8; width * height];
        for (y, to) in shares.chunks_mut(width.max(1)).enumerate() {
            let mut sums = vec![0.0_f32; width];
            for (tap, weight) in weights.iter().enumerate() {
                let Some(line) = (y + tap).checked_sub(2 * reach).and_then(|y| across.get(y))
                else {
                    continue;
                };
                sums.iter_mut().zip(line).for_each(|(sum, share)| *sum += weight * share);
            }
            to.iter_mut().zip(sums).for_each(|(to, sum)| *to = u8::rounded(sum));
        }
        let reach = i32::try_from(reach).unwrap_or(0);
        Self { left: self.left + by_px - reach, top: self.top + by_px - reach, width, shares }
    }

    pub(crate) fn height(&self) -> usize {
        self.shares.len() / self.width.max(1)
    }

    /// The share at a place of the picture.
    pub(crate) fn row(&self, y: i32) -> &[u8] {
        let row = usize::try_from(y - self.top).ok();
        row.and_then(|row| self.shares.get(row * self.width..(row + 1) * self.width))
            .unwrap_or_default()
    }

    fn of((shares, placement): (Vec<u8>, zeno::Placement)) -> Self {
        let width = placement.width as usize;
        Self { left: placement.left, top: placement.top, width, shares }
    }
}

fn weighted(window: &[f32], weights: &[f32]) -> f32 {
    window.iter().zip(weights).map(|(share, weight)| share * weight).sum()
}
