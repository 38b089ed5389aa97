//! Measures the outermost pixels of an image, in whole levels.

use crate::{Color, Picture, Sample};

/// The color along the edges, and how uniform they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edges {
    /// The median of each channel.
    pub(crate) color: Color,
    /// The share of the outermost pixels within the tolerance of it, in percent.
    pub(crate) percent: f64,
    /// The largest difference from it among the nearest three quarters of them, in levels of a
    /// channel.
    pub(crate) spread: u8,
}

impl Edges {
    /// Measures the ring of outermost pixels.
    pub(crate) fn measured<S: Sample>(picture: &Picture<S>, tolerance: u8) -> Self {
        let ring: Vec<[u8; 4]> = ring(picture).collect();
        let median = |channel: usize| {
            let mut values: Vec<u8> =
                ring.iter().filter_map(|pixel| pixel.get(channel).copied()).collect();
            values.sort_unstable();
            values.get(values.len() / 2).copied().unwrap_or(0)
        };
        let rgba = [median(0), median(1), median(2), median(3)];
        let apart = |pixel: &[u8; 4]| {
            pixel.iter().zip(rgba).take(3).map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0)
        };
        let mut distances: Vec<u8> = ring.iter().map(apart).collect();
        distances.sort_unstable();
        let spread = distances.get(distances.len() * 3 / 4).copied().unwrap_or(0);
        let near = ring.iter().filter(|pixel| is_near(**pixel, rgba, tolerance)).count();
        Self { color: Color { rgba }, percent: share_percent(near, ring.len()), spread }
    }
}

/// Whether two pixels look the same within a tolerance in levels of each channel. Two transparent
/// pixels always do.
pub(crate) fn is_near(pixel: [u8; 4], other: [u8; 4], tolerance: u8) -> bool {
    let alpha = pixel[3].abs_diff(other[3]) <= tolerance;
    let both_clear = pixel[3] == 0 && other[3] == 0;
    let color = pixel.iter().zip(other).take(3).all(|(a, b)| a.abs_diff(b) <= tolerance);
    alpha && (both_clear || color)
}

/// Whether people would use the given name for a measured color: grays within 20% in each channel,
/// other colors within 35%.
pub(crate) fn is_called(measured: Color, said: Color) -> bool {
    let [red, green, blue, _] = said.rgba;
    let is_gray = red == green && green == blue;
    let tolerance = if is_gray { 51 } else { 89 };
    is_near(measured.rgba, said.rgba, tolerance)
}

/// A tolerance in levels of a channel.
pub(crate) fn levels(percent: f64) -> u8 {
    u8::try_from(crate::length::whole(percent * 2.55)).unwrap_or(255)
}

pub(crate) fn share_percent(part: usize, whole: usize) -> f64 {
    let [part, whole] = [part, whole].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    f64::from(part) * 100.0 / f64::from(whole.max(1))
}

/// The outermost pixels in whole levels; fully transparent ones have no color.
fn ring<S: Sample>(picture: &Picture<S>) -> impl Iterator<Item = [u8; 4]> {
    let (width, height) = picture.size();
    let across = (0..width).flat_map(move |x| [(x, 0), (x, height - 1)]);
    let down = (1..height.saturating_sub(1)).flat_map(move |y| [(0, y), (width - 1, y)]);
    let pixels = across.chain(down).filter_map(|(x, y)| picture.pixel(x, y));
    pixels
        .map(|pixel| pixel.map(S::nearest))
        .map(|pixel| if pixel[3] == 0 { [0; 4] } else { pixel })
}
