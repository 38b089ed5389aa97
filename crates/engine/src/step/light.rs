//! Premultiplied copies of pictures, exact in 16 bits, for filters that mix neighbours.

use super::Size;
use crate::Picture;
use rayon::prelude::*;

/// A full channel at full opacity.
pub(super) const FULL: u32 = 255 * 255;

/// A picture whose channels are multiplied by alpha, and its alpha by 255, without any rounding.
pub(super) struct Lights {
    width: usize,
    pixels: Vec<[u16; 4]>,
}

impl Lights {
    /// Bytes that the copy takes.
    pub(super) fn bytes(size: Size) -> u64 {
        u64::from(size.0) * u64::from(size.1) * 8
    }

    pub(super) fn of(picture: &Picture) -> Self {
        let width = picture.width() as usize;
        let mut pixels = vec![[0_u16; 4]; width * picture.height() as usize];
        let lines = picture.pixels().par_chunks(picture.row_bytes());
        pixels.par_chunks_mut(width).zip(lines).for_each(|(to, line)| {
            for (to, [red, green, blue, alpha]) in to.iter_mut().zip(line.as_chunks::<4>().0) {
                *to = [*red, *green, *blue, 255].map(|value| u16::from(value) * u16::from(*alpha));
            }
        });
        Self { width, pixels }
    }

    /// A row; above the first and below the last one, these.
    pub(super) fn row(&self, y: isize) -> &[[u16; 4]] {
        let last = (self.pixels.len() / self.width.max(1)).saturating_sub(1);
        let y = usize::try_from(y).unwrap_or(0).min(last);
        self.pixels.get(y * self.width..(y + 1) * self.width).unwrap_or_default()
    }

    /// A row with its ends repeated.
    pub(super) fn padded_row(&self, y: usize, reach: usize) -> Vec<[u16; 4]> {
        padded(self.row(y.cast_signed()), reach)
    }
}

/// Values with the first and the last repeated.
pub(super) fn padded<T: Copy + Default>(row: &[T], reach: usize) -> Vec<T> {
    let mut line = Vec::with_capacity(row.len() + 2 * reach);
    line.resize(reach, row.first().copied().unwrap_or_default());
    line.extend_from_slice(row);
    line.resize(row.len() + 2 * reach, row.last().copied().unwrap_or_default());
    line
}

/// A pixel from the sum of `count` premultiplied ones, rounded half up.
pub(super) fn straight_sum(sum: [u64; 4], count: u64) -> [u8; 4] {
    let [red, green, blue, alpha] = sum;
    let full = 255 * count;
    let alpha_byte = (alpha + full / 2) / full;
    if alpha_byte == 0 {
        return [0; 4];
    }
    // The alpha is 255 times too large, as a colour of 255 would be.
    let channel = |value: u64| byte((value * 255 * 2 + alpha) / (alpha * 2));
    [channel(red), channel(green), channel(blue), byte(alpha_byte)]
}

/// A picture whose channels are multiplied by alpha and rounded half up to 8 bits, for filters
/// that compare or sort.
pub(super) fn rounded(picture: &Picture) -> Vec<[u8; 4]> {
    let mut pixels = picture.pixels().as_chunks::<4>().0.to_vec();
    pixels.par_chunks_mut(picture.width() as usize).for_each(|row| {
        for pixel in row.iter_mut().filter(|pixel| pixel[3] != 255) {
            let alpha = u32::from(pixel[3]);
            let [red, green, blue] = [pixel[0], pixel[1], pixel[2]]
                .map(|value| byte(u64::from((u32::from(value) * alpha + 127) / 255)));
            *pixel = [red, green, blue, pixel[3]];
        }
    });
    pixels
}

/// The row of a picture kept as pixels; above the first and below the last one, these; with its
/// ends repeated.
pub(super) fn row_around<T: Copy + Default>(
    pixels: &[T],
    width: usize,
    y: isize,
    reach: usize,
) -> Vec<T> {
    let last = (pixels.len() / width.max(1)).saturating_sub(1);
    let y = usize::try_from(y).unwrap_or(0).min(last);
    padded(pixels.get(y * width..(y + 1) * width).unwrap_or_default(), reach)
}

/// A straight pixel of a premultiplied one.
pub(super) fn straight([red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
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
