//! Parses and renders the words for a plain background.

use super::Backdrop;
use crate::instruction::Clause;
use crate::instruction::patterns::said_tolerance;
use crate::{Color, Refusal};

pub(super) const HEADS: &[&str] = &["plain background", "uniform background", "solid background"];
pub(super) const DETAILS: &[&str] = &[
    "plain",
    "uniform",
    "solid",
    "background",
    "backdrop",
    "remove",
    "erase",
    "delete",
    "replace",
    "cut out",
    "clear",
    "tolerance",
    "transparent",
    "transparency",
    "knock out",
    "key out",
    "swap",
];
const PLAIN: &[&str] = &["plain", "uniform", "solid", "flat", "single colored", "one colored"];
const REMOVES: &[&str] =
    &["remove", "erase", "delete", "cut out", "clear", "knock out", "key out", "cut away"];
const REPLACES: &[&str] = &["replace", "swap", "change", "make", "turn", "recolor", "fill"];

/// Parses a background that is called plain or has a color. Others need a model.
pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Backdrop>, Refusal> {
    let removes = clause.has(REMOVES);
    if !removes && !clause.has(REPLACES) {
        return Ok(None);
    }
    let mut trial = clause.clone();
    let Some(ground) = ["background", "backdrop"].iter().find_map(|word| trial.find(&[word]))
    else {
        return Ok(None);
    };
    let (from, named) = match trial.color_before(ground.1) {
        Some((_, Color::TRANSPARENT)) => return Ok(None),
        Some((start, color)) => (Some(color), start),
        None => (None, ground.1),
    };
    trial.mark(named, ground.1 + 1 - named);
    let plain = trial.take(PLAIN).is_some();
    if from.is_none() && !plain {
        return Ok(None);
    }
    trial.take(if removes { REMOVES } else { REPLACES });
    let tolerance_percent = said_tolerance(&mut trial)?;
    let clear = trial.take(&["transparency", "nothing"]).map(|_| Color::TRANSPARENT);
    let to = match (removes, clear.or_else(|| trial.color())) {
        (true, None) => Color::TRANSPARENT,
        (false, Some(to)) => to,
        // "remove the white background, red" doesn't say what the red is for.
        _ => return Ok(None),
    };
    *clause = trial;
    Ok(Some(Backdrop { from, to, tolerance_percent }))
}

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
