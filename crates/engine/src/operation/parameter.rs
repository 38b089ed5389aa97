//! The numeric parameters of operations, with their limits and the values of vague words.

use crate::length::Length;
use serde::Serialize;

/// A numeric parameter of an operation, for checks and documentation.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Parameter {
    /// The name with its article: "the radius of a blur".
    pub what: &'static str,
    /// The unit after the number; empty if there is none.
    pub unit: &'static str,
    /// The smallest and the largest allowed value.
    pub limits: (f64, f64),
    /// The values of the documented scale, from very slight to extreme. The middle one is the
    /// default.
    pub scale: Option<[f64; 5]>,
    /// The default, for numbers without a scale.
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
