//! Details of texts, and what is cut off sides.

use crate::build::OFF_PERCENT;
use crate::chart::{Part, Rule};
use crate::value::{Category, Unit, Value};
use Category as C;
use Part::{A, Maybe, Word};
use retouch_engine::Length;

const THE: Part = Maybe(&["the", "a", "an"]);
const OFF: Part = Word(&["off", "from", "on", "at", "of"]);
const OF: Part = Maybe(&["of", "from"]);

/// The rules for details and cuts.
pub(super) const RULES: &[Rule] = &[
    Rule { parts: &[A(C::Color), A(C::Detail)], gives: C::Detail, meaning: detail },
    Rule { parts: &[A(C::Amount), A(C::Detail)], gives: C::Detail, meaning: detail },
    Rule {
        parts: &[Word(&["thin", "thick", "soft", "solid", "drop", "plain"]), A(C::Detail)],
        gives: C::Detail,
        meaning: detail,
    },
    Rule {
        parts: &[A(C::Detail), Maybe(&["in", "of", "with"]), A(C::Color)],
        gives: C::Detail,
        meaning: detail,
    },
    Rule { parts: &[A(C::Detail), Word(&["of"]), A(C::Amount)], gives: C::Detail, meaning: detail },
    Rule { parts: &[A(C::Amount), OFF, OF, THE, A(C::Sides)], gives: C::Cut, meaning: cut },
    Rule { parts: &[A(C::Degree), OFF, OF, THE, A(C::Sides)], gives: C::Cut, meaning: cut },
    Rule {
        parts: &[A(C::Sides), Maybe(&["off"]), Maybe(&["by"]), A(C::Amount)],
        gives: C::Cut,
        meaning: cut,
    },
];

/// A detail with one more color or width.
fn detail(values: &[&Value]) -> Option<Value> {
    let known = values.iter().find_map(|value| match value {
        Value::Detail(name, color, width) => Some((*name, *color, *width)),
        _ => None,
    });
    let (name, mut color, mut width) = known?;
    for value in values {
        match value {
            Value::Color(added) if color.is_none() => color = Some(*added),
            Value::Amount(added) if width.is_none() => width = Some(*added),
            Value::Detail(..) => {}
            _ => return None,
        }
    }
    Some(Value::Detail(name, color, width))
}

/// The same length at each of the sides.
fn cut(values: &[&Value]) -> Option<Value> {
    let sides = values.iter().find_map(|value| match value {
        Value::Sides(sides) => Some(*sides),
        _ => None,
    })?;
    let length = values.iter().find_map(|value| match value {
        Value::Amount(amount) if !amount.signed && amount.unit != Unit::None => amount.length(),
        Value::Word(degree) => {
            let degree: usize = degree.parse().ok()?;
            Some(Length::Percent(*OFF_PERCENT.get(degree)?))
        }
        _ => None,
    })?;
    Some(Value::Cut(sides.map(|side| side.then_some(length))))
}
