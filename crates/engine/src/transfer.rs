//! The transfer function of sRGB: IEC 61966-2-1, between encoded values and linear light.

/// Linear light of an encoded value, both from 0 to 1.
pub(crate) fn decoded(value: f64) -> f64 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// The encoded value of linear light, both from 0 to 1.
pub(crate) fn encoded(light: f64) -> f64 {
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}
