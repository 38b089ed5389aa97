//! Amounts: numbers with units, fractions, and what they measure.

use crate::chart::{Part, Rule};
use crate::token::{Kind, Token};
use crate::value::{Amount, Category, Unit, Value};
use Category as C;
use Part::{A, Is, Maybe, Word};

/// From this, the number in "x600" is a side and no factor.
const FACTORS_MAX: f64 = 16.0;

const OF: Part = Maybe(&["of"]);
const ARTICLE: Part = Maybe(&["a", "an", "the"]);

/// Sides, and what they are called with an upper and with a lower limit.
const LIMITS: &[(&str, &str, &str)] = &[
    ("width", "width max", "width min"),
    ("height", "height max", "height min"),
    ("long", "long max", "long min"),
    ("short", "short max", "short min"),
];

/// The rules for amounts.
pub(super) const RULES: &[Rule] = &[
    Rule { parts: &[A(C::Number)], gives: C::Amount, meaning: |values| amount(values, Unit::None) },
    Rule {
        parts: &[A(C::Number), Maybe(&["-"]), A(C::Unit)],
        gives: C::Amount,
        meaning: with_unit,
    },
    Rule { parts: &[A(C::Amount), A(C::Unit)], gives: C::Amount, meaning: with_unit },
    // "Turn it for 90 degrees", as speakers of many languages write.
    Rule { parts: &[Word(&["for"]), A(C::Amount)], gives: C::Amount, meaning: angle },
    Rule {
        parts: &[Word(&["a", "one", "by", "an"]), A(C::Part)],
        gives: C::Amount,
        meaning: first,
    },
    Rule { parts: &[A(C::Number), Maybe(&["-"]), A(C::Part)], gives: C::Part, meaning: times_part },
    Rule {
        parts: &[A(C::Number), Maybe(&["-"]), A(C::Part)],
        gives: C::Amount,
        meaning: times_part,
    },
    Rule { parts: &[A(C::Number), Word(&["/"]), A(C::Number)], gives: C::Part, meaning: fraction },
    Rule {
        parts: &[A(C::Number), Word(&["/"]), A(C::Number)],
        gives: C::Amount,
        meaning: fraction,
    },
    // "+1/3": only exposure is said so.
    Rule {
        parts: &[A(C::Amount), Word(&["/"]), A(C::Number)],
        gives: C::Amount,
        meaning: signed_fraction,
    },
    // "-1/3 stop".
    Rule {
        parts: &[A(C::Amount), Word(&["/"]), A(C::Number), Is(C::Unit, "stops")],
        gives: C::Amount,
        meaning: |values| signed_fraction(values.get(..2)?),
    },
    Rule {
        parts: &[A(C::Number), A(C::Number), Word(&["/"]), A(C::Number), Is(C::Unit, "stops")],
        gives: C::Amount,
        meaning: mixed_stops,
    },
    // "one third stop" is less than one.
    Rule {
        parts: &[Word(&["a", "one"]), A(C::Part), OF, ARTICLE, Is(C::Unit, "stops")],
        gives: C::Amount,
        meaning: part_of_stop,
    },
    Rule {
        parts: &[A(C::Number), Word(&["and"]), ARTICLE, A(C::Part), Is(C::Unit, "stops")],
        gives: C::Amount,
        meaning: part_more_stops,
    },
    Rule {
        parts: &[A(C::Part), OF, ARTICLE, Is(C::Unit, "stops")],
        gives: C::Amount,
        meaning: part_of_stop,
    },
    Rule {
        parts: &[Word(&["a", "one"]), Maybe(&["full", "whole"]), Is(C::Unit, "stops")],
        gives: C::Amount,
        meaning: |_| one(Unit::Stops),
    },
    Rule {
        parts: &[Word(&["a", "one"]), Maybe(&["full", "whole"]), Is(C::Unit, "seconds")],
        gives: C::Amount,
        meaning: |_| one(Unit::Seconds),
    },
    Rule { parts: &[A(C::Part), OF, ARTICLE, A(C::Unit)], gives: C::Amount, meaning: part_of_time },
    Rule {
        parts: &[
            Word(&[
                "about",
                "bout",
                "around",
                "roughly",
                "approximately",
                "approx",
                "circa",
                "ca",
                "maybe",
                "say",
                "some",
                "exactly",
                "~",
                "like",
                "another",
                "just",
                "a",
            ]),
            A(C::Amount),
        ],
        gives: C::Amount,
        meaning: not_vague,
    },
    Rule { parts: &[Word(&["("]), A(C::Amount), Word(&[")"])], gives: C::Amount, meaning: first },
    Rule {
        parts: &[ARTICLE, Word(&["factor"]), OF, A(C::Number)],
        gives: C::Amount,
        meaning: |values| amount(values, Unit::Times),
    },
    Rule {
        parts: &[Word(&["factor"]), OF, A(C::Number)],
        gives: C::Amount,
        meaning: |values| amount(values, Unit::Times),
    },
    Rule {
        parts: &[
            A(C::Label),
            Maybe(&["of", "is", "to", "at", ":", "=", "about", "set", "down", "up"]),
            Maybe(&["to", "about", "a", "of"]),
            A(C::Amount),
        ],
        gives: C::Measure,
        meaning: label_first,
    },
    Rule {
        parts: &[A(C::Label), Maybe(&["to", "of", "is"]), A(C::Marker), A(C::Amount)],
        gives: C::Measure,
        meaning: limited,
    },
    Rule {
        parts: &[A(C::Amount), Maybe(&["in", "of", "-"]), A(C::Label)],
        gives: C::Measure,
        meaning: label_last,
    },
    // "every 4px".
    Rule { parts: &[Word(&["every"]), A(C::Amount)], gives: C::Measure, meaning: repeated },
    // "8x8 blocks".
    Rule {
        parts: &[A(C::Size), Word(&["blocks", "block", "squares", "tiles"])],
        gives: C::Measure,
        meaning: |values| match values {
            [Value::Size(width, height)] if width == height => {
                Some(Value::Measure("size", Amount::new(*width, Unit::Pixels)))
            }
            _ => None,
        },
    },
    // "12 colors", "a 16-color palette".
    Rule {
        parts: &[
            A(C::Number),
            Maybe(&["-"]),
            Maybe(&["different", "distinct", "unique", "flat", "solid", "indexed", "total"]),
            Word(&["colors", "color"]),
        ],
        gives: C::Measure,
        meaning: |values| counted("color count", values),
    },
    // "4 shades of gray", "8 gray levels".
    Rule {
        parts: &[
            A(C::Number),
            Maybe(&["different", "distinct", "flat"]),
            Word(&["shades", "levels", "tones"]),
            Word(&["of"]),
            Word(&["gray"]),
        ],
        gives: C::Measure,
        meaning: gray_count,
    },
    Rule {
        parts: &[
            A(C::Number),
            Maybe(&["different", "distinct", "flat"]),
            Word(&["gray"]),
            Word(&["shades", "levels", "tones"]),
        ],
        gives: C::Measure,
        meaning: gray_count,
    },
    Rule { parts: &[A(C::Number), Word(&["grays"])], gives: C::Measure, meaning: gray_count },
    Rule { parts: &[A(C::Part), Is(C::Label, "opacity")], gives: C::Measure, meaning: label_last },
    Rule {
        parts: &[A(C::Amount), Word(&[","]), Maybe(&["the"]), Is(C::Label, "long")],
        gives: C::Measure,
        meaning: label_last,
    },
];

fn first(values: &[&Value]) -> Option<Value> {
    values.first().map(|value| (*value).clone())
}

fn angle(values: &[&Value]) -> Option<Value> {
    first(values).filter(|value| value.amount().is_some_and(|it| it.unit == Unit::Degrees))
}

/// "a 20%" and "about 20%", but not "a half".
fn not_vague(values: &[&Value]) -> Option<Value> {
    values.first()?.amount().map(Value::Amount)
}

fn gray_count(values: &[&Value]) -> Option<Value> {
    counted("gray count", values)
}

/// How many there are of something.
fn counted(what: &'static str, values: &[&Value]) -> Option<Value> {
    let [Value::Number(count)] = values else { return None };
    Some(Value::Measure(what, Amount::new(*count, Unit::None)))
}

fn one(unit: Unit) -> Option<Value> {
    Some(Value::Amount(Amount::new(1.0, unit)))
}

fn amount(values: &[&Value], unit: Unit) -> Option<Value> {
    let [Value::Number(value)] = values else { return None };
    Some(Value::Amount(Amount::new(*value, unit)))
}

fn with_unit(values: &[&Value]) -> Option<Value> {
    let [number, Value::Word(unit)] = values else { return None };
    let number = number.amount().filter(|amount| amount.unit == Unit::None)?;
    let (unit, scale) = match *unit {
        "%" => (Unit::Percent, 1.0),
        "px" => (Unit::Pixels, 1.0),
        "degrees" => (Unit::Degrees, 1.0),
        "times" => (Unit::Times, 1.0),
        "stops" => (Unit::Stops, 1.0),
        "kelvin" => (Unit::Kelvin, 1.0),
        "megapixels" => (Unit::Megapixels, 1.0),
        "levels" => (Unit::Levels, 1.0),
        // Steps of a slider, or of a font.
        "points" => (Unit::None, 1.0),
        "seconds" => (Unit::Seconds, 1.0),
        "minutes" => (Unit::Seconds, 60.0),
        "milliseconds" => (Unit::Seconds, 0.001),
        "fps" => (Unit::Rate, 1.0),
        _ => return None,
    };
    Some(Value::Amount(Amount { value: number.value * scale, unit, ..number }))
}

fn times_part(values: &[&Value]) -> Option<Value> {
    let [Value::Number(count), part] = values else { return None };
    let part = part.amount()?;
    // "1 1/3" is no third.
    (count.fract() == 0.0 && *count > 1.0)
        .then(|| Value::Amount(Amount::new(count * part.value, Unit::Percent)))
}

/// "1/3". "50/50" are two numbers.
fn fraction(values: &[&Value]) -> Option<Value> {
    let [Value::Number(above), Value::Number(below)] = values else { return None };
    (above < below).then(|| Value::Amount(Amount::new(above * 100.0 / below, Unit::Percent)))
}

/// "+1/3" of a stop.
fn signed_fraction(values: &[&Value]) -> Option<Value> {
    let [Value::Amount(above), Value::Number(below)] = values else { return None };
    let fraction = above.signed && above.unit == Unit::None && above.value.abs() < *below;
    let value = above.value / below;
    fraction.then_some(Value::Amount(Amount { value, unit: Unit::Stops, signed: true }))
}

fn part_of_stop(values: &[&Value]) -> Option<Value> {
    let part = values.first()?.amount()?;
    Some(Value::Amount(Amount::new(stops(part), Unit::Stops)))
}

/// "half a second", "quarter of a minute".
fn part_of_time(values: &[&Value]) -> Option<Value> {
    let [part, Value::Word(unit @ ("seconds" | "minutes"))] = values else { return None };
    let share = Value::Number(part.amount()?.value / 100.0);
    with_unit(&[&share, &Value::Word(unit)])
}

/// A share as stops, without the rounding of its percentage.
fn stops(part: Amount) -> f64 {
    1.0 / (100.0 / part.value)
}

/// "1 1/3 stops".
fn mixed_stops(values: &[&Value]) -> Option<Value> {
    let [whole, above, below, unit] = values else { return None };
    part_more_stops(&[whole, &fraction(&[above, below])?, unit])
}

/// "one and a third stops".
fn part_more_stops(values: &[&Value]) -> Option<Value> {
    let [Value::Number(whole), part, _] = values else { return None };
    Some(Value::Amount(Amount::new(whole + stops(part.amount()?), Unit::Stops)))
}

fn label_first(values: &[&Value]) -> Option<Value> {
    let [Value::Word(label), amount] = values else { return None };
    Some(Value::Measure(label, amount.amount()?))
}

/// "the longest side to at most 1200 pixels".
fn limited(values: &[&Value]) -> Option<Value> {
    let [Value::Word(label), Value::Word(limit), amount] = values else { return None };
    let limits = LIMITS.iter().find(|(limited, ..)| limited == label)?;
    let label = match *limit {
        "most" => limits.1,
        "least" => limits.2,
        _ => return None,
    };
    Some(Value::Measure(label, amount.amount()?))
}

/// "Every 4px" is a distance, "every 3" is none.
fn repeated(values: &[&Value]) -> Option<Value> {
    let amount = values.first()?.amount()?;
    matches!(amount.unit, Unit::Pixels | Unit::Percent).then_some(Value::Measure("every", amount))
}

fn label_last(values: &[&Value]) -> Option<Value> {
    let [amount, Value::Word(label)] = values else { return None };
    Some(Value::Measure(label, amount.amount()?))
}

/// "x2" is a factor, "x600" a height. Behind a number, it is a part of a size.
pub(crate) fn behind_x(tokens: &[Token], start: usize) -> Option<(usize, Category, Value)> {
    let number = |at: usize| match tokens.get(at).map(|token| &token.kind) {
        Some(Kind::Number(value)) => Some(*value),
        _ => None,
    };
    let value = number(start + 1).filter(|_| tokens[start].text == "x")?;
    let before = start.checked_sub(1).is_some_and(|at| {
        number(at).is_some() || matches!(tokens[at].text.as_str(), "px" | "pixels" | "%")
    });
    let end = start + 2;
    match value < FACTORS_MAX {
        _ if before => None,
        true => Some((end, C::Amount, Value::Amount(Amount::new(value, Unit::Times)))),
        false => {
            Some((end, C::Measure, Value::Measure("height", Amount::new(value, Unit::Pixels))))
        }
    }
}
