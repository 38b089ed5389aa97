//! Parses the strength of an effect: a number, or a word of the documented scale.

use crate::Refusal;
use crate::instruction::{Clause, Quantity, Unit};
use crate::length::Length;

/// Words that describe a strength in addition to amounts, for the table of operations.
pub(crate) const DETAILS: &[&str] =
    &["strength", "intensity", "amount", "soft", "faint", "light", "blocks", "size", "radius"];

/// A strength and its values from very slight to very strong.
pub(crate) struct Scale {
    /// The name with its article: "the strength of the vignette".
    pub(crate) what: &'static str,
    /// The values for "very slightly", "slightly", no such word, "a lot" and "extremely".
    pub(crate) values: [f64; 5],
}

impl Scale {
    /// Parses a percentage if the clause names the effect.
    pub(crate) fn named(
        &self,
        clause: &mut Clause<'_>,
        heads: &[&str],
    ) -> Result<Option<f64>, Refusal> {
        clause.head(heads).map(|_| self.percent(clause)).transpose()
    }

    /// Parses a percentage.
    pub(crate) fn percent(&self, clause: &mut Clause<'_>) -> Result<f64, Refusal> {
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
    pub(crate) fn px(&self, clause: &mut Clause<'_>) -> Result<f64, Refusal> {
        match clause.quantity() {
            None => Ok(self.vague(clause, "px")),
            Some(Quantity { value, unit: Unit::Pixels | Unit::None, signed: false, .. }) => {
                Ok(value)
            }
            Some(_) => Err(self.missing("pixels")),
        }
    }

    /// Parses pixels or a percentage of the shorter side. The values of the scale are percentages.
    pub(crate) fn length(&self, clause: &mut Clause<'_>) -> Result<Length, Refusal> {
        match clause.quantity().map(|amount| self.measured(amount)) {
            None => Ok(Length::Percent(self.vague(clause, "% of the shorter side"))),
            Some(length) => length,
        }
    }

    /// Converts a number of pixels or percent.
    pub(crate) fn measured(&self, amount: Quantity) -> Result<Length, Refusal> {
        match amount.unit {
            Unit::Percent if !amount.signed => Ok(Length::Percent(amount.value)),
            Unit::Pixels | Unit::None if !amount.signed => Ok(Length::Pixels(amount.value)),
            _ => Err(self.missing("pixels or percent of the shorter side")),
        }
    }

    /// Parses a vague amount of change and records the assumption: "the change in contrast is 20%".
    pub(crate) fn change(&self, clause: &mut Clause<'_>, noun: &str, unit: &str) -> f64 {
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
