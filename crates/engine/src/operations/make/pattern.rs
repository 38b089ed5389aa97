//! Computes the colors of stripes, checkerboards, dots and grids.

use super::{Fill, Run};
use crate::kernels::Size;

/// The color of a pixel: the mean of sixteen points in it, which smooths slanted and round edges.
/// Edges on whole pixels stay sharp.
pub(super) fn pixel(fill: &Fill, (x, y): (u32, u32), size: Size) -> [u8; 4] {
    let place = |step: u32| (f64::from(step) + 0.5) / 4.0;
    let mut first = None;
    let mut places = [([0; 4], 1); 16];
    let mut same = true;
    for (step, found) in (0_u32..16).zip(&mut places) {
        let at = (f64::from(x) + place(step % 4), f64::from(y) + place(step / 4));
        found.0 = color(fill, at, size);
        same &= *first.get_or_insert(found.0) == found.0;
    }
    match first {
        Some(color) if same => color,
        _ => mean(&places),
    }
}

/// The weighted mean of colors, premultiplied and rounded to nearest.
pub(super) fn mean(colors: &[([u8; 4], u64)]) -> [u8; 4] {
    let weights: u64 = colors.iter().map(|(_, weight)| weight).sum();
    let alphas: u64 = colors.iter().map(|(color, weight)| u64::from(color[3]) * weight).sum();
    if alphas == 0 || weights == 0 {
        return [0; 4];
    }
    let mut result = [0; 4];
    for (channel, place) in result.iter_mut().enumerate().take(3) {
        let levels = colors.iter().map(|(color, weight)| {
            let level = color.get(channel).copied().unwrap_or_default();
            u64::from(level) * u64::from(color[3]) * weight
        });
        *place = u8::try_from((levels.sum::<u64>() + alphas / 2) / alphas).unwrap_or(255);
    }
    result[3] = u8::try_from((alphas + weights / 2) / weights).unwrap_or(255);
    result
}

/// The color at an exact position.
fn color(fill: &Fill, (x, y): (f64, f64), size: Size) -> [u8; 4] {
    match fill {
        Fill::Stripes { colors, run, measure } => {
            let (at, side) = match run {
                Run::Vertical => (x, size.0),
                Run::Horizontal => (y, size.1),
                // The distance across the stripes, which rise at 45 degrees.
                Run::Diagonal => ((x + y) * std::f64::consts::FRAC_1_SQRT_2, size.0),
            };
            turn(colors, measure.part(at, side).0)
        }
        Fill::Checkerboard { colors, measure } => {
            turn(colors, measure.part(x, size.0).0 + measure.part(y, size.0).0)
        }
        Fill::Dots { color, ground, measure } => {
            let (right, below) = (measure.part(x, size.0).1 - 0.5, measure.part(y, size.0).1 - 0.5);
            let inside = right * right + below * below <= DOT_RADIUS * DOT_RADIUS;
            if inside { color.rgba } else { ground.rgba }
        }
        Fill::Grid { color, ground, measure } => {
            let px = measure.px(size.0);
            let line = (f64::from(size.0.min(size.1)) / LINES).round().max(1.0).min(px);
            let on = |at: f64| measure.part(at, size.0).1 * px < line;
            if on(x) || on(y) { color.rgba } else { ground.rgba }
        }
        Fill::Plain { .. } | Fill::Linear { .. } | Fill::Radial { .. } | Fill::Noise { .. } => {
            [0; 4]
        }
    }
}

/// The color of an element. The colors repeat.
fn turn(colors: &[crate::Color], part: i64) -> [u8; 4] {
    let index = usize::try_from(part).unwrap_or(0) % colors.len().max(1);
    colors.get(index).map_or([0; 4], |color| color.rgba)
}

/// The radius of a dot, as a fraction of the distance between dots.
const DOT_RADIUS: f64 = 0.25;
/// The width of grid lines is the shorter side divided by this, at least 1 pixel.
const LINES: f64 = 384.0;
