//! The definitions once more, in double precision and without tables.

use super::support::Color;

pub(crate) fn luma([red, green, blue]: Color) -> f64 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

pub(crate) fn linear(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

pub(crate) fn coded(light: f64) -> f64 {
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

/// Highlights that roll off, where `white` is what white was brightened to.
pub(crate) fn rolled_off(value: f64, white: f64) -> f64 {
    if value <= 0.5 || white <= 1.0 {
        return value;
    }
    1.0 - 0.5 * ((white - value) / (white - 0.5)).powf(2.0 * white - 1.0)
}

/// Moves the luma along a tone curve and keeps the hue: colors that become lighter gain less
/// saturation than light, and no channel leaves its range.
pub(crate) fn toned(color: Color, tone: impl Fn(f64) -> f64) -> Color {
    let old = luma(color);
    let largest = color.into_iter().fold(0.0, f64::max);
    if old <= 0.0 {
        return color;
    }
    let (new, gain) = (tone(old), tone(old) / old);
    let room = if largest > old { (1.0 - new) / (largest - old) } else { f64::INFINITY };
    let colorfulness = if gain > 1.0 { gain.sqrt() } else { gain }.min(room);
    color.map(|channel| new + colorfulness * (channel - old))
}

/// From 1 at `from` to 0 at `to`.
pub(crate) fn fade(value: f64, from: f64, to: f64) -> f64 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    1.0 - t * t * (3.0 - 2.0 * t)
}

/// The hue of HSV in degrees by the angle of the hexagon's definition.
pub(crate) fn hue([red, green, blue]: Color) -> f64 {
    let largest = red.max(green).max(blue);
    let chroma = largest - red.min(green).min(blue);
    if chroma == 0.0 {
        return 0.0;
    }
    let sextant = if largest == red {
        ((green - blue) / chroma).rem_euclid(6.0)
    } else if largest == green {
        (blue - red) / chroma + 2.0
    } else {
        (red - green) / chroma + 4.0
    };
    sextant * 60.0
}
