//! Colors: shades, digits behind a name, and words that only point at one.

use crate::chart::{Part, Rule};
use crate::value::{Category, Value};
use Category as C;
use Part::{A, Maybe, Word};
use retouch_engine::Color;

/// How far apart a name and its digits may be, in levels.
const SAME_COLOR_MAX: f64 = 220.0;

/// The rules for colors.
pub(super) const RULES: &[Rule] = &[
    Rule { parts: &[A(C::Shade), A(C::Color)], gives: C::Color, meaning: shaded },
    Rule {
        parts: &[A(C::Color), Word(&["color", "colored", "one"])],
        gives: C::Color,
        meaning: first,
    },
    Rule {
        parts: &[Word(&["color"]), Maybe(&["of", ":", "=", "is"]), A(C::Color)],
        gives: C::Color,
        meaning: first,
    },
    Rule {
        parts: &[A(C::Color), Maybe(&["(", ":", "="]), A(C::Hex), Maybe(&[")"])],
        gives: C::Color,
        meaning: exact,
    },
    Rule {
        parts: &[
            Word(&["old", "new", "current", "brand", "accent", "existing"]),
            Maybe(&["brand", "accent", "logo", "house"]),
            A(C::Color),
        ],
        gives: C::Color,
        meaning: first,
    },
    Rule {
        parts: &[A(C::Possessive), A(C::Color)],
        gives: C::Color,
        meaning: |values| values.get(1).map(|color| (*color).clone()),
    },
    // "our old brand blue", "for the new one, #00b2a9".
    Rule {
        parts: &[Word(&["new"]), Word(&["one"]), Maybe(&[",", ":"]), A(C::Color)],
        gives: C::Color,
        meaning: first,
    },
];

fn first(values: &[&Value]) -> Option<Value> {
    values.first().map(|value| (*value).clone())
}

/// "Blood red #8a0303": the digits are exact, if they are of the color that is named.
fn exact(values: &[&Value]) -> Option<Value> {
    let [Value::Color(named), Value::Color(hex)] = values else { return None };
    let apart = |(one, other): (u8, u8)| f64::from(one.abs_diff(other)).powi(2);
    let distance: f64 = named.rgba.into_iter().zip(hex.rgba).map(apart).sum();
    (distance.sqrt() < SAME_COLOR_MAX).then_some(Value::Color(*hex))
}

fn shaded(values: &[&Value]) -> Option<Value> {
    let [Value::Word(shade), Value::Color(color)] = values else { return None };
    if *shade == "same" {
        return Some(Value::Color(*color));
    }
    // "Dark blue" is a color of its own, and so is "deep blue".
    if let Some(named) = Color::named(&format!("{shade}{color}")) {
        return Some(Value::Color(named));
    }
    Some(Value::Color(if *shade == "light" { color.lighter() } else { color.darker() }))
}
