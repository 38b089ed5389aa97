//! The words for a plain background.

use super::Backdrop;

/// Renders the step as words that parse back to the same step.
pub(super) fn words_of(step: &Backdrop) -> String {
    let Backdrop { from, to, tolerance_percent } = step;
    let from = from.map_or_else(|| "plain".to_owned(), |from| from.to_string());
    let words = format!("replace the {from} background with {to}");
    match tolerance_percent {
        Some(percent) => format!("{words} with a tolerance of {percent}%"),
        None => words,
    }
}
