//! Sizes that are limits, sizes in megapixels, and sizes of one side alone.

use super::{Limit, Resize};
use crate::Refusal;
use crate::instruction::{Clause, Unit, phrases};

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
/// Phrases that forbid enlarging.
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
/// Phrases that keep the aspect ratio within a box.
pub(super) const KEEPS_SHAPE: &[&str] = &[
    "keep the aspect ratio",
    "keeping the aspect ratio",
    "keep aspect ratio",
    "keeping aspect ratio",
    "keep proportions",
    "keeping proportions",
    "keep the proportions",
    "keeping the proportions",
    "proportionally",
    "preserving aspect ratio",
    "preserve aspect ratio",
    "maintain aspect ratio",
    "maintaining aspect ratio",
    "preserving the aspect ratio",
    "maintaining the aspect ratio",
    "without distortion",
    "without stretching",
    "without distorting",
    "keep the same aspect ratio",
    "in proportion",
    "maintain the aspect ratio",
    "maintaining proportions",
    "maintaining the proportions",
    "maintain proportions",
    "maintain the proportions",
    "preserve the aspect ratio",
    "preserve proportions",
    "preserve the proportions",
    "preserving proportions",
    "preserving the proportions",
    "respecting the aspect ratio",
    "with the same aspect ratio",
    "with the same proportions",
    "constrain proportions",
];
/// Phrases that allow the aspect ratio to change.
pub(super) const IGNORES_SHAPE: &[&str] = &[
    "ignoring the aspect ratio",
    "ignoring aspect ratio",
    "ignore the aspect ratio",
    "ignore aspect ratio",
    "regardless of the aspect ratio",
    "without keeping the aspect ratio",
    "without keeping aspect ratio",
    "dont keep the aspect ratio",
    "do not keep the aspect ratio",
    "without preserving the aspect ratio",
    "even if it gets distorted",
];
/// Phrases that add details to a resize and mean nothing alone.
pub(super) const BELONGINGS: &[&str] = phrases!(ONLY_SMALLER, KEEPS_SHAPE, IGNORES_SHAPE);
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
    "under",
    "below",
    "less than",
    "smaller than",
    "not over",
    "limit",
    "limit to",
    "limited to",
    "limited",
    "cap",
    "cap at",
    "capped at",
    "capped to",
    "must not exceed",
    "should not exceed",
    "may not exceed",
    "cannot exceed",
    "not exceed",
    "not exceeding",
    "not to exceed",
    "does not exceed",
    "doesnt exceed",
    "never exceed",
    "or less",
    "or smaller",
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

/// Takes the words that say whether the size may only decrease or only increase.
pub(super) fn limit(clause: &mut Clause<'_>) -> Result<Limit, Refusal> {
    let sided = no_longer(clause);
    let smaller = clause.take(ONLY_SMALLER).is_some();
    let most = sided || clause.take(AT_MOST).is_some();
    let least = clause.take(AT_LEAST).is_some();
    if most || least {
        clause.take(&["keep", "keeping", "stay", "stays", "the limit", "size limit"]);
    }
    if least && (smaller || most) {
        return Err(Refusal::contradiction(
            "the instruction asks for both an upper and a lower \
             limit",
        ));
    }
    Ok(match (smaller || most, least) {
        (true, _) => Limit::AtMost,
        (_, true) => Limit::AtLeast,
        _ => Limit::Exactly,
    })
}

/// Takes "no ... than" around "wider", and leaves "wider", which names the side.
fn no_longer(clause: &mut Clause<'_>) -> bool {
    const NOT: &[&str] = &[
        "no",
        "not",
        "never",
        "not be",
        "never be",
        "must not be",
        "should not be",
        "may not be",
        "cannot be",
        "cant be",
        "shouldnt be",
        "mustnt be",
        "isnt",
        "is not",
        "is no",
    ];
    let sides = ["wider", "taller", "higher"];
    let found = clause.open_phrases(NOT).find(|(at, length)| {
        let side = at + length;
        clause.stands_at(side + 1, "than") && sides.iter().any(|word| clause.stands_at(side, word))
    });
    let Some((at, length)) = found else { return false };
    clause.mark(at, length);
    clause.mark(at + length + 1, 1);
    true
}

/// Takes a number of megapixels.
pub(super) fn megapixels(clause: &mut Clause<'_>) -> Option<f64> {
    let labels = &["megapixels", "megapixel", "mp", "mpx", "mega pixels"];
    clause.labeled(labels).map(|amount| amount.value)
}

/// Parses "half as wide" or "double the height": one side, if no word keeps the aspect ratio.
fn multiple(clause: &mut Clause<'_>) -> Option<Resize> {
    const SIDES: [(&[&str], f64, f64); 4] = [
        (
            &[
                "twice as wide",
                "double the width",
                "twice the width",
                "double its width",
                "double as wide",
            ],
            200.0,
            100.0,
        ),
        (&["half as wide", "half the width", "halve the width", "half its width"], 50.0, 100.0),
        (
            &[
                "twice as tall",
                "twice as high",
                "double the height",
                "twice the height",
                "double its height",
            ],
            100.0,
            200.0,
        ),
        (
            &[
                "half as tall",
                "half as high",
                "half the height",
                "halve the height",
                "half its height",
            ],
            100.0,
            50.0,
        ),
    ];
    let kept = ["resize", "scale", "crop", "keep", "keeping", "proportionally", "shrink"];
    if clause.has(&kept) {
        return None;
    }
    let (_, width_percent, height_percent) =
        SIDES.into_iter().find(|(said, ..)| clause.head(said).is_some())?;
    clause.take(&["stretch", "stretched", "squash", "squeeze"]);
    clause.assumed.push("the other side does not change".to_owned());
    Some(Resize::Stretch { width_percent, height_percent })
}

/// Parses "stretch the width by 20%", "squash it vertically to 50%" or "stretch to 50% width 100%
/// height".
pub(super) fn stretch(clause: &mut Clause<'_>) -> Result<Option<Resize>, Refusal> {
    if let Some(step) = multiple(clause) {
        return Ok(Some(step));
    }
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
