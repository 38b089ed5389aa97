//! Sizes that are limits, in megapixels, or of one side alone.

use super::{Limit, Resize};
use crate::Refusal;
use crate::instruction::{Clause, Unit};

pub(super) const SHORT: &[&str] = &[
    "shortest side",
    "shortest edge",
    "short side",
    "short edge",
    "shorter side",
    "shorter edge",
    "smallest side",
    "smaller side",
    "on the shortest side",
    "on the short edge",
];
/// What never enlarges.
pub(super) const ONLY_SMALLER: &[&str] = &[
    "dont upscale",
    "do not upscale",
    "never upscale",
    "without upscaling",
    "no upscaling",
    "dont enlarge",
    "do not enlarge",
    "never enlarge",
    "without enlarging",
    "no enlarging",
    "not upscaled",
    "only if it is larger",
    "only if larger",
    "only if its larger",
    "only if it is bigger",
    "if it is larger",
];
const AT_MOST: &[&str] = &[
    "at most",
    "no larger than",
    "no bigger than",
    "not larger than",
    "not bigger than",
    "no more than",
    "not more than",
    "up to",
    "max",
    "maximum",
    "a maximum of",
    "maximum of",
    "max of",
];
const AT_LEAST: &[&str] = &[
    "at least",
    "no smaller than",
    "not smaller than",
    "no less than",
    "not less than",
    "min",
    "minimum",
    "a minimum of",
    "minimum of",
];
const ACROSS: &[&str] = &["horizontally", "width", "in width", "sideways"];
const DOWN: &[&str] = &["vertically", "height", "in height"];

/// Takes the words for which way the size may go.
pub(super) fn limit(clause: &mut Clause<'_>) -> Result<Limit, Refusal> {
    // "no wider than 800px" names the side as well.
    let sided = clause.find(&["no wider than", "no taller than", "no higher than"]);
    if let Some((_, at, _)) = sided {
        clause.mark(at, 1);
        clause.mark(at + 2, 1);
    }
    let smaller = clause.take(ONLY_SMALLER).is_some();
    let most = sided.is_some() || clause.take(AT_MOST).is_some();
    let least = clause.take(AT_LEAST).is_some();
    if least && (smaller || most) {
        return Err(Refusal::contradiction("the words ask for opposite limits"));
    }
    Ok(match (smaller || most, least) {
        (true, _) => Limit::AtMost,
        (_, true) => Limit::AtLeast,
        _ => Limit::Exactly,
    })
}

/// Takes a number of megapixels.
pub(super) fn megapixels(clause: &mut Clause<'_>) -> Option<f64> {
    let labels = &["megapixels", "megapixel", "mp", "mpx", "mega pixels"];
    clause.labelled(labels).map(|amount| amount.value)
}

/// "stretch the width by 20%", "squash it vertically to 50%", "stretch to 50% width 100% height".
pub(super) fn stretch(clause: &mut Clause<'_>) -> Result<Option<Resize>, Refusal> {
    let stretches = clause.has(&["stretch", "stretched"]);
    let squashes = clause.has(&["squash", "squeeze"]);
    let sized = clause.clone().dimensions().is_some();
    if (!stretches && !squashes) || sized || !clause.has(&["%", "percent", "x", "times"]) {
        return Ok(None);
    }
    let mut trial = clause.clone();
    trial.head(&["stretch", "stretched", "squash", "squeeze"]);
    let Some(first) = trial.quantity() else { return Ok(None) };
    let across = trial.take(ACROSS).is_some();
    let second = if across { trial.quantity() } else { None };
    let down = trial.take(DOWN).is_some();
    if first.unit == Unit::Pixels || first.unit == Unit::None {
        return Ok(None);
    }
    let percent = match (first.unit, first.to, squashes) {
        (Unit::Times, ..) => first.value * 100.0,
        (_, true, _) => first.value,
        (_, _, true) => 100.0 - first.value,
        _ => 100.0 + first.value,
    };
    let (width_percent, height_percent) = match (across, down, second) {
        (true, true, Some(second)) if second.unit == Unit::Percent => (first.value, second.value),
        (true, false, None) => (percent, 100.0),
        (false, true, None) => (100.0, percent),
        _ => {
            return Err(Refusal::missing(
                "say which side to stretch, and how far: \"stretch the width by 20%\"",
            ));
        }
    };
    *clause = trial;
    Ok(Some(Resize::Stretch { width_percent, height_percent }))
}
