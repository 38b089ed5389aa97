//! Computes how much of each pixel a path covers.

use crate::Sample;
use crate::kernels::{Size, gaussian};
use zeno::{Command, Fill, Join, Mask as Rasteriser, Stroke, Style};

/// Extra pixels around the area of a mask, because the rasterizer is not exact next to its clipping
/// edge.
const CLIPPED_PX: i32 = 2;

/// The area that a mask can cover. Nothing outside is drawn, which saves memory and time.
#[derive(Clone, Copy)]
pub(crate) struct Area {
    /// The size of the image.
    pub(crate) size: Size,
    /// How far outside the image a mask matters, in pixels, for example because it will be blurred.
    pub(crate) beyond_px: i32,
}

impl Area {
    /// The pixels between two positions along a side that are in the area: the first one, and their
    /// number.
    fn within(self, side: u32, (from, to): (f32, f32)) -> (i32, u32) {
        let beyond_px = self.beyond_px + CLIPPED_PX;
        let last = i32::try_from(side).unwrap_or(i32::MAX).saturating_add(beyond_px);
        // The cast and the clamp replace NaN by 0 and positions outside by the nearest end.
        let at = |place: f32| (place as i32).clamp(-beyond_px, last);
        let (first, end) = (at(from.floor()), at(to.ceil()));
        (first, end.abs_diff(first.min(end)))
    }
}

/// How much of each pixel in a box is covered, from 0 to 255.
#[derive(Clone)]
pub(crate) struct Mask {
    /// The left edge of the box in the image, in pixels.
    pub(crate) left: i32,
    /// The top edge of the box in the image, in pixels.
    pub(crate) top: i32,
    pub(crate) width: usize,
    pub(crate) shares: Vec<u8>,
}

impl Mask {
    /// The mask of the inside of a path.
    pub(crate) fn filled(path: &[Command], area: Area) -> Self {
        Self::of(path, Fill::NonZero.into(), area)
    }

    /// The mask of a line along a path, with half of its width on each side and with round joins.
    pub(crate) fn stroked(path: &[Command], width: f32, area: Area) -> Self {
        Self::of(path, Stroke::new(width).join(Join::Round).into(), area)
    }

    /// How far a Gaussian blur extends a mask beyond its edges, in pixels.
    pub(crate) fn softening_px(sigma_px: f64) -> i32 {
        i32::try_from(gaussian::weights(sigma_px).len() / 2).unwrap_or(i32::MAX)
    }

    /// The mask after a move by whole pixels and a Gaussian blur.
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

    /// The values of a row, given its position in the image.
    pub(crate) fn row(&self, y: i32) -> &[u8] {
        let row = usize::try_from(y - self.top).ok();
        row.and_then(|row| self.shares.get(row * self.width..(row + 1) * self.width))
            .unwrap_or_default()
    }

    fn of(path: &[Command], style: Style<'_>, area: Area) -> Self {
        let bounds = zeno::bounds(path, style, None);
        let (left, width) = area.within(area.size.0, (bounds.min.x, bounds.max.x));
        let (top, height) = area.within(area.size.1, (bounds.min.y, bounds.max.y));
        if width == 0 || height == 0 {
            return Self { left, top, width: 0, shares: Vec::new() };
        }
        let (shares, _) = Rasteriser::new(path)
            .style(style)
            .size(width, height)
            .offset((-left as f32, -top as f32))
            .render();
        Self { left, top, width: width as usize, shares }
    }
}

fn weighted(window: &[f32], weights: &[f32]) -> f32 {
    window.iter().zip(weights).map(|(share, weight)| share * weight).sum()
}
