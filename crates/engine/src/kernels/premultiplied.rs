//! Premultiplied copies of images in 16 bits, for filters that mix neighbors. They are exact for
//! images with 8 bits per channel.

use crate::kernels::Size;
use crate::{Depth, Picture, Sample};
use rayon::prelude::*;

/// A full channel at full opacity.
pub(crate) const FULL: u32 = 255 * 255;

/// An image whose channels are multiplied by alpha, and its alpha by 255, in levels. For 8 bits per
/// channel, this doesn't round.
pub(crate) struct Lights {
    width: usize,
    pixels: Vec<[u16; 4]>,
}

impl Lights {
    /// Size of the copy in bytes.
    pub(crate) fn bytes(size: Size) -> u64 {
        u64::from(size.0) * u64::from(size.1) * 8
    }

    pub(crate) fn of<S: Sample>(picture: &Picture<S>) -> Self {
        let width = picture.width() as usize;
        let mut pixels = vec![[0_u16; 4]; width * picture.height() as usize];
        let lines = picture.pixels().par_chunks(picture.row_samples());
        pixels.par_chunks_mut(width).zip(lines).for_each(|(to, line)| {
            for (to, pixel) in to.iter_mut().zip(line.as_chunks::<4>().0) {
                *to = light(*pixel);
            }
        });
        Self { width, pixels }
    }

    /// A row; beyond the top and bottom, the first or last row.
    pub(crate) fn row(&self, y: isize) -> &[[u16; 4]] {
        let last = (self.pixels.len() / self.width.max(1)).saturating_sub(1);
        let y = usize::try_from(y).unwrap_or(0).min(last);
        self.pixels.get(y * self.width..(y + 1) * self.width).unwrap_or_default()
    }
}

/// A premultiplied pixel, up to [`FULL`]. For 8 bits per channel, this doesn't round.
pub(crate) fn light<S: Sample>([red, green, blue, alpha]: [S; 4]) -> [u16; 4] {
    let times = match S::DEPTH {
        Depth::Eight => {
            |value: S, alpha: S| u16::from(value.nearest()) * u16::from(alpha.nearest())
        }
        // A level has 257 parts at 16 bits, so a product has 257 * 257.
        Depth::Sixteen => |value: S, alpha: S| {
            const PARTS: u64 = 257 * 257;
            let product = (value.whole() * alpha.whole() + PARTS / 2) / PARTS;
            u16::try_from(product).unwrap_or(u16::MAX)
        },
    };
    [red, green, blue, S::FULL].map(|value| times(value, alpha))
}

/// A row with its first and last values repeated at its ends.
pub(crate) fn padded<T: Copy + Default>(row: &[T], reach: usize) -> Vec<T> {
    let mut line = Vec::with_capacity(row.len() + 2 * reach);
    line.resize(reach, row.first().copied().unwrap_or_default());
    line.extend_from_slice(row);
    line.resize(row.len() + 2 * reach, row.last().copied().unwrap_or_default());
    line
}

/// A pixel from the sum of `count` premultiplied ones, rounded half up.
pub(crate) fn straight_sum<S: Sample>(sum: [u64; 4], count: u64) -> [S; 4] {
    let [red, green, blue, alpha] = sum;
    let (full, whole) = (S::FULL.whole(), u64::from(FULL) * count);
    let opacity = (alpha * full + whole / 2) / whole;
    if opacity == 0 {
        return [S::default(); 4];
    }
    // Alpha is scaled by 255, like a premultiplied color of 255.
    let channel = |value: u64| S::of_whole((value * full * 2 + alpha) / (alpha * 2));
    [channel(red), channel(green), channel(blue), S::of_whole(opacity)]
}

/// An image whose channels are multiplied by alpha and rounded half up to its depth, for filters
/// that compare or sort.
pub(crate) fn rounded<S: Sample>(picture: &Picture<S>) -> Vec<[S; 4]> {
    let full = S::FULL.whole();
    let mut pixels = picture.pixels().as_chunks::<4>().0.to_vec();
    pixels.par_chunks_mut(picture.width() as usize).for_each(|row| {
        for pixel in row.iter_mut().filter(|pixel| pixel[3] != S::FULL) {
            let [red, green, blue, alpha] = *pixel;
            let [red, green, blue] = [red, green, blue]
                .map(|value| S::of_whole((value.whole() * alpha.whole() + full / 2) / full));
            *pixel = [red, green, blue, alpha];
        }
    });
    pixels
}

/// A row of an image with its ends repeated; beyond the top and bottom, the first or last row.
pub(crate) fn row_around<T: Copy + Default>(
    pixels: &[T],
    width: usize,
    y: isize,
    reach: usize,
) -> Vec<T> {
    let last = (pixels.len() / width.max(1)).saturating_sub(1);
    let y = usize::try_from(y).unwrap_or(0).min(last);
    padded(pixels.get(y * width..(y + 1) * width).unwrap_or_default(), reach)
}

/// Converts a premultiplied pixel to straight alpha.
pub(crate) fn straight([red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
    if alpha == 0 {
        return [0; 4];
    }
    let whole = u32::from(alpha);
    let channel = |value: u8| byte(u64::from((u32::from(value) * 255 + whole / 2) / whole));
    [channel(red), channel(green), channel(blue), alpha]
}

fn byte(value: u64) -> u8 {
    u8::try_from(value).unwrap_or(255)
}
