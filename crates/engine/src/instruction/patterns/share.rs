//! Parses effects that can have a share: "sepia", "50% sepia".

use crate::Refusal;
use crate::instruction::{Clause, Unit};

/// Words other than the head and the amount.
pub(crate) const DETAILS: &[&str] = &[
    "tone",
    "look",
    "completely",
    "fully",
    "totally",
    "colors",
    "the colors",
    "all",
    "strength",
    "intensity",
];

/// Parses the share in percent. The default is the full effect.
pub(crate) fn read(clause: &mut Clause<'_>, heads: &[&str]) -> Result<Option<f64>, Refusal> {
    if clause.head(heads).is_none() {
        return Ok(None);
    }
    // The same effect named twice ("a black and white grayscale picture") is still one effect.
    clause.take_all(heads);
    clause.take_all(DETAILS);
    match clause.quantity() {
        None => Ok(Some(100.0)),
        Some(quantity) if quantity.unit == Unit::Percent => Ok(Some(quantity.value)),
        Some(_) => Err(Refusal::missing("give the amount in percent, for example \"50%\"")),
    }
}

/// Renders an effect as words that parse back to it.
pub(crate) fn words_of(effect: &str, percent: f64) -> String {
    if percent == 100.0 { format!("apply {effect}") } else { format!("apply {percent}% {effect}") }
}
