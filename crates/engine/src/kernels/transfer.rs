//! The sRGB transfer function (IEC 61966-2-1) between encoded values and linear light.

/// Converts an encoded value to linear light. Both range from 0 to 1.
pub(crate) fn decoded(value: f64) -> f64 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// Converts linear light to an encoded value. Both range from 0 to 1.
pub(crate) fn encoded(light: f64) -> f64 {
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}
