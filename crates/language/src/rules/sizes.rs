//! The orientation of a size, and ratios in words.

use crate::chart::{Part, Rule};
use crate::value::{Category, Value};
use Category as C;
use Part::{A, Maybe, Word};

const COMMA: Part = Maybe(&[","]);
const UPRIGHT: Part = Word(&["portrait", "vertical", "upright", "standing"]);
const LENGTHWISE: Part = Word(&["landscape", "horizontal", "lengthwise"]);
const RATIO: Part = Word(&["proportion", "proportions", "ratio"]);
const TO: Part = Word(&["to", "by", "/"]);

/// The rules for orientations and ratios.
pub(super) const RULES: &[Rule] = &[
    Rule {
        parts: &[A(C::Size), COMMA, COMMA, UPRIGHT, Maybe(&["up"])],
        gives: C::Size,
        meaning: upright,
    },
    Rule { parts: &[A(C::Size), COMMA, COMMA, LENGTHWISE], gives: C::Size, meaning: lengthwise },
    Rule {
        parts: &[A(C::Ratio), COMMA, Word(&["standing"]), Maybe(&["up"])],
        gives: C::Ratio,
        meaning: upright,
    },
    Rule {
        parts: &[RATIO, Maybe(&["of", "is", ":"]), A(C::Number), TO, A(C::Number)],
        gives: C::Ratio,
        meaning: ratio,
    },
    Rule {
        parts: &[RATIO, Maybe(&["of", "is", ":"]), A(C::Proportion)],
        gives: C::Proportion,
        meaning: |values| values.first().map(|value| (*value).clone()),
    },
    Rule {
        parts: &[RATIO, Maybe(&["of", "is", ":"]), A(C::Number), TO, A(C::Number)],
        gives: C::Proportion,
        meaning: ratio,
    },
    Rule {
        parts: &[A(C::Proportion), COMMA, Word(&["standing"]), Maybe(&["up"])],
        gives: C::Proportion,
        meaning: upright,
    },
];

/// "4:5 portrait": the word agrees with the numbers.
pub(super) fn upright(values: &[&Value]) -> Option<Value> {
    oriented(values, |width, height| width < height)
}

/// "16:9 landscape".
pub(super) fn lengthwise(values: &[&Value]) -> Option<Value> {
    oriented(values, |width, height| width > height)
}

fn oriented(values: &[&Value], agrees: impl Fn(f64, f64) -> bool) -> Option<Value> {
    let [Value::Size(width, height)] = values else { return None };
    agrees(*width, *height).then_some(Value::Size(*width, *height))
}

/// "Proportion 4 to 5".
fn ratio(values: &[&Value]) -> Option<Value> {
    let [Value::Number(width), Value::Number(height)] = values else { return None };
    (*width > 0.0 && *height > 0.0).then_some(Value::Size(*width, *height))
}
