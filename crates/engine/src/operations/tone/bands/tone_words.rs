//! Parses changes of one range of tones: shadows, midtones, highlights, whites or blacks.

use crate::instruction::patterns::strength::Scale;
use crate::instruction::{Clause, Direction, Unit};
use crate::{Refusal, RefusalKind};

/// The documented scale for vague amounts, in percent.
pub(super) const SCALE: Scale =
    Scale { what: "the change", values: [10.0, 25.0, 50.0, 75.0, 100.0] };

/// Words that make the tones lighter.
const LIGHTER: &[&str] = &[
    "brighten",
    "brightening",
    "brighter",
    "lighten",
    "lightening",
    "lighter",
    "lift",
    "lifted",
    "lifting",
    "raise",
    "raised",
    "raising",
    "bring up",
    "open up",
    "opened up",
    "push up",
    "less dark",
];
/// Words that make the tones darker.
const DARKER: &[&str] = &[
    "darken",
    "darkening",
    "darker",
    "deepen",
    "deeper",
    "lower",
    "lowered",
    "lowering",
    "bring down",
    "pull down",
    "dim",
    "push down",
    "less bright",
];

/// Verbs with an "up" or "down" that may follow the noun.
const SLIDES: &[&str] = &["bring", "push", "pull", "take", "turn", "dial", "move", "drag", "tone"];

/// All words other than those of the range itself, for spelling correction.
pub(super) const DETAILS: &[&str] = &["open up", "opened up", "lifting", "deepen", "deeper"];

/// The words for one range of tones.
pub(super) struct Tones {
    /// The range itself: "shadows".
    pub(super) nouns: &'static [&'static str],
    /// Words for lighter that only this range has.
    pub(super) lighter: &'static [&'static str],
    /// Words for darker that only this range has.
    pub(super) darker: &'static [&'static str],
    /// Whether "more" means lighter and "less" darker. For shadows, for example, it is unclear.
    pub(super) grows: bool,
}

/// Parses how much lighter (or darker, if negative) a range of tones becomes, in percent.
pub(super) fn read(clause: &mut Clause<'_>, words: &Tones) -> Result<Option<f64>, Refusal> {
    let Some(noun) = clause.head(words.nouns).and_then(|_| words.nouns.first()) else {
        return Ok(None);
    };
    let lighter = clause.verb(words.lighter).or_else(|| clause.verb(LIGHTER)).is_some();
    let darker = clause.verb(words.darker).or_else(|| clause.verb(DARKER)).is_some();
    let unclear = || {
        Refusal::missing(format!(
            "say whether to make the {noun} lighter or darker: \"brighten the {noun} by 20%\" or \
             \"darken the {noun}\""
        ))
    };
    // In "bring the shadows up" or "shadows up", "up" means lighter, as on a slider.
    let raised = !lighter && !darker && clause.verb(&["up"]).is_some();
    let sunk = !lighter && !darker && !raised && clause.verb(&["down"]).is_some();
    if raised || sunk {
        clause.verb(SLIDES);
    }
    let (lighter, darker) = (lighter || raised, darker || sunk);
    let direction = clause.direction();
    if !lighter && !darker && direction.is_none() && clause.clone().quantity().is_none() {
        // "Remove the shadows" means something else. "Change the shadows" doesn't say how.
        return if clause.leftover().is_some() { Ok(None) } else { Err(unclear()) };
    }
    let sign = match (lighter, darker, direction) {
        (true, true, _) => return Err(opposed()),
        (true, false, None | Some(Direction::Up)) => Some(1.0),
        (false, true, None | Some(Direction::Up)) => Some(-1.0),
        (false, false, Some(Direction::Up)) if words.grows => Some(1.0),
        (false, false, Some(Direction::Down)) if words.grows => Some(-1.0),
        (false, false, None | Some(Direction::Set)) => None,
        _ => return Err(unclear()),
    };
    let amount = clause.quantity();
    if amount.is_some_and(|amount| !matches!(amount.unit, Unit::Percent | Unit::None)) {
        return Err(Refusal::missing("give the amount in percent, for example \"by 20%\""));
    }
    match (amount, sign) {
        (Some(amount), None) if amount.signed => Ok(Some(amount.value)),
        (Some(amount), Some(sign)) if !amount.to && amount.value >= 0.0 => {
            Ok(Some(sign * amount.value))
        }
        (Some(amount), Some(_)) if amount.value < 0.0 => Err(opposed()),
        (None, Some(sign)) => Ok(Some(sign * SCALE.change(clause, noun, "%"))),
        _ => Err(unclear()),
    }
}

/// Renders a change as words that parse back to it.
pub(super) fn words_of(noun: &str, percent: f64) -> String {
    if percent < 0.0 {
        format!("darken the {noun} by {}%", -percent)
    } else {
        format!("brighten the {noun} by {percent}%")
    }
}

fn opposed() -> Refusal {
    Refusal::new(RefusalKind::Contradiction, "the instruction asks for both lighter and darker")
}
