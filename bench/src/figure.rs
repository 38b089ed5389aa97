//! A measured number and its target.

use serde::Serialize;

/// A measured number.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Figure {
    /// The part of the measurement.
    pub(crate) part: &'static str,
    /// What was measured, under which load.
    pub(crate) case: String,
    /// What was counted.
    pub(crate) name: &'static str,
    /// The number.
    pub(crate) value: f64,
    /// Its unit.
    pub(crate) unit: &'static str,
    /// The target, if one was set beforehand.
    pub(crate) mark: Option<Mark>,
    /// Whether the target is met.
    pub(crate) met: Option<bool>,
}

/// A target, set before anything was measured.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mark {
    /// Higher is better.
    AtLeast(f64),
    /// Lower is better.
    AtMost(f64),
}

impl Figure {
    /// A number without a target.
    pub(crate) fn new(
        (part, case): (&'static str, &str),
        name: &'static str,
        value: f64,
        unit: &'static str,
    ) -> Self {
        Self { part, case: case.to_owned(), name, value, unit, mark: None, met: None }
    }

    /// The same number with a target, if there is one.
    #[must_use]
    pub(crate) fn against(mut self, mark: Option<Mark>) -> Self {
        self.met = mark.map(|mark| mark.is_met(self.value));
        self.mark = mark;
        self
    }
}

impl Mark {
    fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
        }
    }
}

impl std::fmt::Display for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AtLeast(least) => write!(f, ">= {least}"),
            Self::AtMost(most) => write!(f, "<= {most}"),
        }
    }
}
