//! How far a color may differ: "with a tolerance of 8%".

use crate::Refusal;
use crate::instruction::{Clause, Unit};

/// Parses a tolerance in percent, or uses the default.
pub(crate) fn tolerance(clause: &mut Clause<'_>, usual: f64) -> Result<f64, Refusal> {
    let said = said_tolerance(clause)?;
    if said.is_none() {
        clause.assumed.push(format!("colors within {usual}% count as the same"));
    }
    Ok(said.unwrap_or(usual))
}

pub(crate) fn said_tolerance(clause: &mut Clause<'_>) -> Result<Option<f64>, Refusal> {
    match clause.labeled(&["tolerance"]) {
        None => Ok(None),
        Some(amount) if matches!(amount.unit, Unit::Percent | Unit::None) => Ok(Some(amount.value)),
        Some(_) => {
            Err(Refusal::missing("give the tolerance in percent: \"with a tolerance of 8%\""))
        }
    }
}
