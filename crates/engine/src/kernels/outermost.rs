//! Measures the outermost pixels of an image, in whole levels.

use crate::step::backdrop::share_percent;
use crate::{Color, Picture, Sample};

/// The color along the edges, and how uniform they are.
#[derive(Debug, Clone, Copy)]
pub(in crate::step) struct Edges {
    /// The median of each channel.
    pub(in crate::step) color: Color,
    /// The share of the outermost pixels within the tolerance of it, in percent.
    pub(in crate::step) percent: f64,
    /// The largest difference from it among the nearest three quarters of them, in levels of a
    /// channel.
    pub(in crate::step) spread: u8,
}

impl Edges {
    /// Measures the ring of outermost pixels.
    pub(in crate::step) fn measured<S: Sample>(picture: &Picture<S>, tolerance: u8) -> Self {
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
pub(in crate::step) fn is_near(pixel: [u8; 4], other: [u8; 4], tolerance: u8) -> bool {
    let alpha = pixel[3].abs_diff(other[3]) <= tolerance;
    let both_clear = pixel[3] == 0 && other[3] == 0;
    let color = pixel.iter().zip(other).take(3).all(|(a, b)| a.abs_diff(b) <= tolerance);
    alpha && (both_clear || color)
}

/// Whether people would use the given name for a measured color: grays within 20% in each channel,
/// other colors within 35%.
pub(in crate::step) fn is_called(measured: Color, said: Color) -> bool {
    let [red, green, blue, _] = said.rgba;
    let is_gray = red == green && green == blue;
    let tolerance = if is_gray { 51 } else { 89 };
    is_near(measured.rgba, said.rgba, tolerance)
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
