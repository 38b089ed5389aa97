//! The numeric parameters of operations, with their limits and the values of vague words.

use crate::length::{Length, whole};
use serde::Serialize;

/// A numeric parameter of an operation, for checks and documentation.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Parameter {
    /// The name with its article: "the radius of a blur".
    #[serde(skip)]
    pub what: &'static str,
    /// The unit after the number; empty if there is none.
    pub unit: &'static str,
    /// The smallest and the largest allowed value.
    pub limits: (f64, f64),
    /// The values of the documented scale, from very slight to extreme. The middle one is the
    /// default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f64; 5]>,
    /// The default, for numbers without a scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usual: Option<f64>,
}

impl Parameter {
    pub(crate) const fn new(what: &'static str, unit: &'static str, limits: (f64, f64)) -> Self {
        Self { what, unit, limits, scale: None, usual: None }
    }

    pub(crate) const fn scaled(self, scale: [f64; 5]) -> Self {
        Self { scale: Some(scale), ..self }
    }

    pub(crate) const fn usually(self, usual: f64) -> Self {
        Self { usual: Some(usual), ..self }
    }

    /// A length in pixels for an image whose sides are `factor` times as long, within the limits.
    pub(crate) fn at_scale(&self, px: f64, factor: f64) -> f64 {
        (px * factor).clamp(self.limits.0, self.limits.1)
    }

    /// Checks a value; the error message contains the limits.
    pub(crate) fn check(&self, value: f64) -> Result<(), String> {
        within(self.what, value, self.limits, self.unit)
    }
}

/// Checks that a parameter is within its limits; the error message contains the numbers.
pub(crate) fn within(what: &str, value: f64, range: (f64, f64), unit: &str) -> Result<(), String> {
    if value.is_finite() && value >= range.0 && value <= range.1 {
        return Ok(());
    }
    Err(format!(
        "{what} must be between {}{unit} and {}{unit}, not {value}{unit}",
        range.0, range.1
    ))
}

/// A length for an image whose sides are `factor` times as long. Lengths in pixels stay within the
/// limits of `pixels`; percentages don't change.
pub(crate) fn scaled_length(length: Length, factor: f64, pixels: &Parameter) -> Length {
    match length {
        Length::Pixels(px) => Length::Pixels(pixels.at_scale(px, factor)),
        percent @ Length::Percent(_) => percent,
    }
}

/// A side of an image whose sides are `factor` times as long, in whole pixels.
pub(crate) fn scaled_side(px: u32, factor: f64) -> u32 {
    whole_px(f64::from(px) * factor).max(1)
}

/// A distance that must fit into an image whose sides are `factor` times as long, in whole pixels.
pub(crate) fn scaled_offset(px: u32, factor: f64) -> u32 {
    whole_px((f64::from(px) * factor).floor())
}

fn whole_px(px: f64) -> u32 {
    u32::try_from(whole(px)).unwrap_or(u32::MAX)
}

/// Checks a length in pixels or percent.
pub(crate) fn check_length(
    length: Length,
    pixels: &Parameter,
    percent: &Parameter,
) -> Result<(), String> {
    match length {
        Length::Pixels(value) => pixels.check(value),
        Length::Percent(value) => percent.check(value),
    }
}
