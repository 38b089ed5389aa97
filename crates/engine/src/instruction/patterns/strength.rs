//! Parses the strength of an effect: a number, or a word of the documented scale.

use crate::instruction::{Clause, Quantity, Unit};
use crate::length::Length;
use crate::{Refusal, Sample};

/// Words that describe a strength in addition to amounts, for the table of operations.
pub(super) const DETAILS: &[&str] =
    &["strength", "intensity", "amount", "soft", "faint", "light", "blocks", "size", "radius"];

/// A strength and its values from very slight to very strong.
pub(super) struct Scale {
    /// The name with its article: "the strength of the vignette".
    pub(super) what: &'static str,
    /// The values for "very slightly", "slightly", no such word, "a lot" and "extremely".
    pub(super) values: [f64; 5],
}

impl Scale {
    /// Parses a percentage if the clause names the effect.
    pub(super) fn named(
        &self,
        clause: &mut Clause<'_>,
        heads: &[&str],
    ) -> Result<Option<f64>, Refusal> {
        clause.head(heads).map(|_| self.percent(clause)).transpose()
    }

    /// Parses a percentage.
    pub(super) fn percent(&self, clause: &mut Clause<'_>) -> Result<f64, Refusal> {
        clause.take_all(&["strength", "intensity", "amount"]);
        match clause.quantity() {
            None => Ok(self.vague(clause, "%")),
            Some(Quantity { value, unit: Unit::Percent, signed: false, .. }) => Ok(value),
            Some(Quantity { value, unit: Unit::None, signed: false, .. }) => {
                clause.assumed.push(format!("{value} means {value}%"));
                Ok(value)
            }
            Some(_) => Err(self.missing("percent")),
        }
    }

    /// Parses a number of pixels.
    pub(super) fn px(&self, clause: &mut Clause<'_>) -> Result<f64, Refusal> {
        match clause.quantity() {
            None => Ok(self.vague(clause, "px")),
            Some(Quantity { value, unit: Unit::Pixels | Unit::None, signed: false, .. }) => {
                Ok(value)
            }
            Some(_) => Err(self.missing("pixels")),
        }
    }

    /// Parses pixels or a percentage of the shorter side. The values of the scale are percentages.
    pub(super) fn length(&self, clause: &mut Clause<'_>) -> Result<Length, Refusal> {
        match clause.quantity().map(|amount| self.measured(amount)) {
            None => Ok(Length::Percent(self.vague(clause, "% of the shorter side"))),
            Some(length) => length,
        }
    }

    /// Converts a number of pixels or percent.
    pub(super) fn measured(&self, amount: Quantity) -> Result<Length, Refusal> {
        match amount.unit {
            Unit::Percent if !amount.signed => Ok(Length::Percent(amount.value)),
            Unit::Pixels | Unit::None if !amount.signed => Ok(Length::Pixels(amount.value)),
            _ => Err(self.missing("pixels or percent of the shorter side")),
        }
    }

    /// Parses a vague amount of change and records the assumption: "the change in contrast is 20%".
    pub(super) fn change(&self, clause: &mut Clause<'_>, noun: &str, unit: &str) -> f64 {
        let degree = clause.degree();
        self.assumed(clause, &format!("{} in {noun}", self.what), (degree, unit))
    }

    /// Parses a vague strength, which can also be "soft", "faint" or "light".
    fn vague(&self, clause: &mut Clause<'_>, unit: &str) -> f64 {
        let faint = clause.take(&["soft", "faint", "light"]).map(|_| 1);
        let degree = clause.degree().or(faint);
        self.assumed(clause, self.what, (degree, unit))
    }

    fn assumed(
        &self,
        clause: &mut Clause<'_>,
        what: &str,
        (degree, unit): (Option<usize>, &str),
    ) -> f64 {
        let degree = degree.unwrap_or(2);
        let value = self.values.get(degree).copied().unwrap_or(self.values[2]);
        clause.assumed.push(format!("{what} is {value}{unit}"));
        value
    }

    fn missing(&self, unit: &str) -> Refusal {
        Refusal::missing(format!("give {} in {unit}", self.what))
    }
}

/// Computes each color channel from its old straight level and its blurred level, both from 0 to
/// 255. Alpha and fully transparent pixels don't change.
#[inline(always)]
pub(super) fn each_color<S: Sample>(
    old: [S; 4],
    blurred: [f32; 4],
    change: impl Fn(f32, f32) -> f32,
) -> [f32; 4] {
    let old = old.map(S::level);
    if old[3] == 0.0 {
        return old;
    }
    let scale = 255.0 / blurred[3];
    let color = |channel: usize| change(old[channel], blurred[channel] * scale);
    [color(0), color(1), color(2), old[3]]
}

/// The Rec. 709 luma of a color with channels from 0 to 255.
pub(super) fn luma(color: [f32; 3]) -> f32 {
    let [red, green, blue] = super::point::LUMA;
    red * color[0] + green * color[1] + blue * color[2]
}

/// A percentage of the shorter side in pixels, for filters whose radius scales with the image.
pub(super) fn reach_px(size: super::Size, percent: f64) -> f64 {
    let shorter = f64::from(size.0.min(size.1));
    (shorter * percent / 100.0).clamp(1.0, 200.0)
}
