//! Words for edits with their own degree or amount, and lists of them.
//!
//! What is said once for a list counts for all of it: "slightly brighter and warmer" and "brighter
//! and warmer by 10%". A list whose first word alone has a degree before it, or whose last word
//! alone has an amount behind it, is therefore no list of its own: the edit takes the degree or
//! amount for all.

use crate::chart::{Part, Rule};
use crate::value::{Category, Unit, Use, Value};
use Category as C;
use Part::{A, Is, Maybe, Word};

const AND: Part = Word(&["and", "&", ",", "+", "plus", "/", "as"]);
const ALSO: Part = Maybe(&["and", "also", "well"]);
const THE: Part = Maybe(&["the", "as", "more"]);
const BY: Part = Maybe(&["by", "of", ":", "="]);

/// The most words of a list, so that the number of lists does not grow with the instruction.
const LIST_MAX: usize = 6;

/// The rules for edits.
pub(super) const RULES: &[Rule] = &[
    Rule {
        parts: &[Word(&["more"]), A(C::Trait)],
        gives: C::Op,
        meaning: |values| signed(values, 1.0),
    },
    Rule {
        parts: &[Word(&["less"]), A(C::Trait)],
        gives: C::Op,
        meaning: |values| signed(values, -1.0),
    },
    Rule { parts: &[A(C::Degree), A(C::Trait)], gives: C::Op, meaning: with_degree },
    Rule { parts: &[A(C::Amount), A(C::Trait)], gives: C::Op, meaning: times_as },
    Rule { parts: &[A(C::Degree), A(C::Op)], gives: C::Op, meaning: with_degree },
    Rule { parts: &[A(C::Op), A(C::Degree)], gives: C::Op, meaning: with_degree },
    Rule { parts: &[A(C::Amount), A(C::Op)], gives: C::Op, meaning: with_amount },
    Rule { parts: &[A(C::Op), BY, A(C::Amount)], gives: C::Op, meaning: with_amount },
    Rule { parts: &[A(C::Quality), BY, A(C::Amount)], gives: C::Quality, meaning: with_amount },
    Rule { parts: &[Word(&["both"]), A(C::Quality)], gives: C::Quality, meaning: several },
    Rule { parts: &[Word(&["both"]), A(C::Op)], gives: C::Op, meaning: several },
    Rule { parts: &[A(C::Op), AND, ALSO, THE, A(C::Op)], gives: C::Op, meaning: list },
    Rule { parts: &[A(C::Trait), Is(C::Op, "grayscale")], gives: C::Op, meaning: gray_and },
    Rule {
        // "less green and more magenta" are two edits.
        parts: &[A(C::Quality), AND, ALSO, Maybe(&["the"]), A(C::Quality)],
        gives: C::Quality,
        meaning: list,
    },
];

fn signed(values: &[&Value], sign: f64) -> Option<Value> {
    let Value::Use(used) = values.first()? else { return None };
    Some(Value::Use(Use { sign: used.sign * sign, ..used.clone() }))
}

fn with_degree(values: &[&Value]) -> Option<Value> {
    let (used, degree, behind) = match values {
        [Value::Word(degree), Value::Use(used)] => (used, degree, false),
        [Value::Use(used), Value::Word(degree)] => (used, degree, true),
        _ => return None,
    };
    let degree = degree.parse().ok()?;
    plain(used).then(|| Value::Use(Use { degree: Some(degree), behind, ..used.clone() }))
}

/// "twice as bright".
fn times_as(values: &[&Value]) -> Option<Value> {
    values.first()?.amount().filter(|amount| amount.unit == Unit::Times)?;
    // Twice as dark has no meaning of its own.
    values.get(1)?.uses().iter().find(|used| used.sign > 0.0)?;
    with_amount(values)
}

fn with_amount(values: &[&Value]) -> Option<Value> {
    let (used, amount, behind) = match values {
        [Value::Use(used), amount] => (used, amount.amount()?, true),
        [amount, Value::Use(used)] => (used, amount.amount()?, false),
        _ => return None,
    };
    plain(used).then(|| Value::Use(Use { amount: Some(amount), behind, ..used.clone() }))
}

/// Whether a word has no degree or amount of its own yet.
const fn plain(used: &Use) -> bool {
    used.degree.is_none() && used.amount.is_none()
}

/// "high contrast black and white": only tones are left to differ.
fn gray_and(values: &[&Value]) -> Option<Value> {
    let [tone, gray] = values else { return None };
    let all = [tone.uses(), gray.uses()].concat();
    let tones = matches!(all.first()?.name, "brightness" | "contrast" | "clarity");
    (tones && all.iter().all(plain)).then_some(Value::Uses(all))
}

/// "both brightness and contrast".
fn several(values: &[&Value]) -> Option<Value> {
    values.first().filter(|value| value.uses().len() > 1).map(|value| (*value).clone())
}

fn list(values: &[&Value]) -> Option<Value> {
    let [first, rest] = values else { return None };
    if rest.uses().len() >= LIST_MAX {
        return None;
    }
    let all = [first.uses(), rest.uses()].concat();
    let all_measured = all.iter().all(|used| !plain(used));
    let before_first = all.first().is_some_and(|used| !plain(used) && !used.behind);
    let behind_last = all.last().is_some_and(|used| !plain(used) && used.behind);
    (all_measured || !before_first && !behind_last).then_some(Value::Uses(all))
}
