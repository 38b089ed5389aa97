//! Decides whether a part of the image that one clause names also applies to the next one. It does
//! in "make the top half brighter and warmer", but not in "brighten it and blur the top half".

use super::super::clause::Clause;
use super::clauses::Found;
use super::{Meaning, Part};
use crate::Refusal;

/// Words for the whole image.
pub(super) const WHOLE: &[&str] = &[
    "everything",
    "everywhere",
    "whole",
    "entire",
    "image",
    "picture",
    "photo",
    "photograph",
    "pic",
    "snapshot",
    "overall",
];
/// Words for the whole image or for a part that was just named.
pub(super) const IT: &[&str] = &["it", "that", "this"];
/// Words that make a clause independent of the one before.
const VERBS: &[&str] = &["make", "turn", "give", "apply", "add", "change", "it", "them"];

/// Shares a part between a clause and the one before it, if the words allow no other meaning.
///
/// # Errors
/// A [`Refusal`] if it isn't clear whether the part applies to both clauses.
pub(super) fn settle<'t>(
    found: &mut Found<'t>,
    part: &Clause<'t>,
    before: &mut [Part<'t>],
) -> Result<(), Refusal> {
    let Some(Part { meaning: Meaning::Step(previous), tokens, .. }) = before.last_mut() else {
        return Ok(());
    };
    if !previous.step.operation().regional() || !found.step.operation().regional() {
        return Ok(());
    }
    let earlier = Clause::new(tokens.clone());
    match (&previous.place, &found.place) {
        (Some(place), None) if is_bare_comparative(found, part) => {
            found.place = Some(place.clone());
        }
        (Some(_), None) if !part.has(WHOLE) => return Err(open(&found.step)),
        (None, Some(place)) if !earlier.has(WHOLE) && !earlier.has(IT) => {
            if place.is_adverb {
                return Err(open(&previous.step));
            }
            // In "brighten and blur the top half", the first verb has no object of its own.
            if previous.direction.is_empty() && previous.amount.is_empty() {
                previous.place = Some(place.clone());
            }
        }
        _ => {}
    }
    Ok(())
}

/// Whether a clause only compares: "warmer", "a bit more contrasty".
fn is_bare_comparative(found: &Found<'_>, clause: &Clause<'_>) -> bool {
    let compares = found.head.iter().chain(&found.direction);
    let mut compares = compares.map(|token| token.word());
    compares.any(|word| word.ends_with("er") || word == "more" || word == "less")
        && !clause.has(VERBS)
}

fn open(step: &crate::Step) -> Refusal {
    Refusal::missing(format!(
        "it isn't clear where \"{}\" applies; for each edit, name a part of the image or say \
         \"the whole image\"",
        step.operation().words()
    ))
}
