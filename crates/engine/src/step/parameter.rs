//! The numbers that operations take: the one place of their limits and of what vague words mean.

use super::within;
use crate::length::Length;
use serde::Serialize;

/// A number that an operation takes, as it is checked and as documents show it.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Parameter {
    /// With its article: "the radius of a blur".
    pub what: &'static str,
    /// What is written behind the number; nothing for a bare one.
    pub unit: &'static str,
    /// The least and the most that is done.
    pub limits: (f64, f64),
    /// What is taken for the words of the documented scale, from very slight to extreme; the
    /// middle one also where there is no such word.
    pub scale: Option<[f64; 5]>,
    /// What is taken where nothing is said, for what has no scale.
    pub usual: Option<f64>,
}

impl Parameter {
    pub(super) const fn new(what: &'static str, unit: &'static str, limits: (f64, f64)) -> Self {
        Self { what, unit, limits, scale: None, usual: None }
    }

    pub(super) const fn scaled(self, scale: [f64; 5]) -> Self {
        Self { scale: Some(scale), ..self }
    }

    pub(super) const fn usually(self, usual: f64) -> Self {
        Self { usual: Some(usual), ..self }
    }

    /// Says what is wrong with a value, with the limits.
    pub(super) fn check(&self, value: f64) -> Result<(), String> {
        within(self.what, value, self.limits, self.unit)
    }
}

/// Says what is wrong with a length that is measured in pixels or in percent.
pub(super) fn check_length(
    length: Length,
    pixels: &Parameter,
    percent: &Parameter,
) -> Result<(), String> {
    match length {
        Length::Pixels(value) => pixels.check(value),
        Length::Percent(value) => percent.check(value),
    }
}
