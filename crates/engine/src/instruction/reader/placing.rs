//! How far a part of the picture reaches that one clause names: "make the top half brighter and
//! warmer" means one part twice, "brighten it and blur the top half" does not.

use super::super::clause::Clause;
use super::clauses::Found;
use super::{Meaning, Part};
use crate::Refusal;

/// Words for the picture as a whole.
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
/// What may mean the whole, or a part that was just named.
pub(super) const IT: &[&str] = &["it", "that", "this"];
/// Words of a clause that stands on its own.
const VERBS: &[&str] = &["make", "turn", "give", "apply", "add", "change", "it", "them"];

/// Shares a part between a clause and the one before it, where it can mean nothing else.
///
/// # Errors
/// A [`Refusal`] where it is open whether one clause's part holds for the other.
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
            // "brighten and blur the top half": a verb without an object of its own.
            if previous.direction.is_empty() && previous.amount.is_empty() {
                previous.place = Some(place.clone());
            }
        }
        _ => {}
    }
    Ok(())
}

/// "warmer", "a bit more contrasty": nothing but how it should be.
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
