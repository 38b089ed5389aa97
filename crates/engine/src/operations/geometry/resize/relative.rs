//! Sizes relative to the current size. A plan can have a percentage, but not a difference in
//! pixels.

use super::Resize;
use super::resize_words::{GROWS, HIGH, RESIZES, SHRINKS, SIZES, WIDE, missing};
use crate::Refusal;
use crate::instruction::{Clause, Quantity, Unit};

/// Words after a number that compare it with the current size.
const COMPARED: &[&str] =
    &["wider", "taller", "higher", "larger", "bigger", "smaller", "narrower", "shorter", "longer"];
const VERBS: &[&str] = &[
    "increase", "decrease", "reduce", "raise", "lower", "widen", "add", "extend", "cut", "more",
    "less", "extra",
];
/// Words of other operations that have a size.
const OTHERS: &[&str] = &[
    "border", "frame", "blur", "crop", "cropped", "pad", "padded", "padding", "text", "trim",
    "canvas", "margin", "box",
];

/// Refuses "100px wider" and "enlarge it by 100px".
pub(super) fn refused(clause: &mut Clause<'_>) -> Option<Refusal> {
    let compared = clause.open_phrases(COMPARED).find(|(at, _)| {
        let before = |back: usize| at.checked_sub(back).and_then(|at| clause.tokens().get(at));
        let unit = before(1).is_some_and(|token| ["px", "pixels", "pixel"].contains(&token.word()));
        unit || before(1).is_some_and(|token| token.number().is_some())
    });
    if let Some((at, length)) = compared {
        clause.mark(at, length);
    } else if !changes_by(clause) {
        return None;
    }
    let _ = clause.quantity();
    for words in [VERBS, RESIZES, GROWS, SHRINKS, SIZES, WIDE, HIGH] {
        clause.take_all(words);
    }
    Some(refusal())
}

/// The refusal of a change by a number of pixels.
pub(super) fn refusal() -> Refusal {
    Refusal::missing(
        "a size cannot be changed by a number of pixels; give the new size, \"resize to 800 \
         pixels wide\", or a percentage, \"enlarge by 20%\"",
    )
}

/// Converts a factor or a percentage. `ways` says whether a verb asks for a larger or a smaller
/// image.
pub(super) fn factor(quantity: Quantity, ways: (bool, bool), by: bool) -> Result<Resize, Refusal> {
    let Quantity { value, unit, to, signed } = quantity;
    if signed {
        return Err(missing());
    }
    let target = if unit == Unit::Times { value * 100.0 } else { value };
    let percent = match ways {
        (false, false) if by && unit == Unit::Percent && value != 50.0 => {
            return Err(Refusal::missing(format!(
                "say \"resize to {value}%\", or \"enlarge\" or \"shrink by {value}%\""
            )));
        }
        (false, false) => target,
        // Some people mean twice the size by "upscale 200%", and others three times.
        (true, _) if unit == Unit::Percent && !to && !by && value > 100.0 => {
            return Err(Refusal::missing(format!(
                "say \"resize to {value}%\" or \"enlarge by {value}%\""
            )));
        }
        (true, _) if unit == Unit::Percent && !to => 100.0 + value,
        (_, true) if unit == Unit::Percent && !to => 100.0 - value,
        (true, _) if target > 100.0 => target,
        (_, true) if target < 100.0 => target,
        (_, true) if unit == Unit::Times && value > 1.0 => 100.0 / value,
        _ => return Err(Refusal::contradiction("the verb and the number contradict each other")),
    };
    Ok(Resize::Percent { percent })
}

/// Whether the clause says "by 100px" and means the size.
fn changes_by(clause: &Clause<'_>) -> bool {
    let mut trial = clause.clone();
    let Some(Quantity { unit: Unit::Pixels, to, .. }) = trial.quantity() else { return false };
    let words = |at: &usize| clause.tokens().get(*at).map_or("", |token| token.word());
    let by = trial.amount_at.iter().any(|at| words(at) == "by");
    let sides = [SIZES, WIDE, HIGH].iter().any(|list| clause.has(list));
    let sized = sides || [RESIZES, GROWS, SHRINKS].iter().any(|list| clause.has(list));
    let added = sides && clause.has(&["add", "more", "extra"]);
    !to && !clause.has(OTHERS) && ((by && sized) || added)
}
