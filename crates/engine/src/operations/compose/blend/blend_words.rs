//! Parses and renders the words for a blend.

use super::{Blend, Mode};
use crate::Refusal;
use crate::instruction::{Clause, Unit};

pub(super) const HEADS: &[&str] = &["blend", "blended", "blending"];
pub(super) const DETAILS: &[&str] = &[
    "mode",
    "multiply",
    "screen",
    "overlay",
    "darken",
    "lighten",
    "difference",
    "normal",
    "multiplied",
    "between",
    "show",
    "pictures",
    "images",
    "both",
    "two",
    "them",
    "over",
    "onto",
    "together",
    "opacity",
    "mix",
    "average",
];
const MODES: [(Mode, &[&str]); 7] = [
    (Mode::Multiply, &["multiply", "multiplied", "multiplying"]),
    (Mode::Screen, &["screen", "screened"]),
    (Mode::Difference, &["difference"]),
    (Mode::Overlay, &["overlay"]),
    (Mode::Darken, &["darken"]),
    (Mode::Lighten, &["lighten"]),
    (Mode::Normal, &["normal"]),
];
const PAIR: &[&str] = &[
    "both pictures",
    "both images",
    "both photos",
    "both",
    "the pictures",
    "the images",
    "them together",
    "them",
];

/// Parses any wording of a blend.
pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Blend>, Refusal> {
    let headed = clause.head(HEADS).is_some();
    let mut trial = clause.clone();
    let two = trial.has(PAIR) || trial.picture().is_some() || trial.two_pictures();
    let alone = clause.has(&["multiply", "difference", "screen"]) && two;
    let average = !headed && two && clause.head(&["average", "mix"]).is_some();
    if !headed && !alone && !average {
        return Ok(None);
    }
    let mode = MODES.iter().find(|(_, words)| clause.take(words).is_some());
    clause.take_all(&["mode", "show", "between", "over", "onto", "together", "and"]);
    let picture = match (clause.picture(), clause.picture()) {
        (None, None) => pair(clause)?,
        (Some(1), Some(other)) | (Some(other), Some(1) | None) if other > 1 => other,
        _ => return Err(Refusal::missing("say which image to blend: \"blend with picture 2\"")),
    };
    clause.take_all(&["mode", "over", "onto", "together"]);
    let mode = mode.map_or(Mode::Normal, |(mode, _)| *mode);
    let amount = clause.labeled(&["opacity"]).or_else(|| clause.quantity());
    let percent = match amount {
        Some(amount) if amount.unit == Unit::Percent && !amount.signed => amount.value,
        Some(_) => return Err(Refusal::missing("give the opacity of the blend in percent")),
        None if mode == Mode::Normal => {
            clause.assumed.push("both images have equal weight".to_owned());
            50.0
        }
        None => 100.0,
    };
    Ok(Some(Blend { picture, mode, percent }))
}

/// Renders the blend as words that parse back to the same blend.
pub(super) fn words_of(step: &Blend) -> String {
    let Blend { picture, mode, percent } = step;
    format!("blend with picture {picture} in {} mode at {percent}%", mode.word())
}

fn pair(clause: &mut Clause<'_>) -> Result<usize, Refusal> {
    if !clause.two_pictures() && clause.take(PAIR).is_none() {
        return Err(Refusal::missing("say which image to blend: \"blend with picture 2\""));
    }
    clause.assumed.push("the second image is blended into the first".to_owned());
    Ok(2)
}
