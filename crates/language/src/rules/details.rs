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
const FROM: Part = Maybe(&["from", "at", "on"]);
const STICKER: Part =
    Word(&["sticker", "tag", "badge", "label", "plaque", "plate", "button", "bubble", "chip"]);
const LETTERS: Part = Word(&["letters", "lettering", "text", "words", "writing", "letter"]);
const BEHIND: Part = Word(&["letters", "lettering", "text", "words", "writing", "it"]);
const JOINED: Part = Word(&["and", ",", "&"]);

/// The rules for details and cuts.
pub(super) const RULES: &[Rule] = &[
    Rule { parts: &[A(C::Color), A(C::Detail)], gives: C::Detail, meaning: detail },
    Rule { parts: &[A(C::Amount), A(C::Detail)], gives: C::Detail, meaning: detail },
    Rule {
        parts: &[
            Word(&[
                "thin", "thick", "soft", "solid", "drop", "plain", "fat", "heavy", "bold", "small",
            ]),
            A(C::Detail),
        ],
        gives: C::Detail,
        meaning: detail,
    },
    Rule {
        parts: &[A(C::Detail), Maybe(&["in", "of"]), A(C::Color)],
        gives: C::Detail,
        meaning: detail,
    },
    Rule { parts: &[A(C::Detail), Word(&["of"]), A(C::Amount)], gives: C::Detail, meaning: detail },
    Rule { parts: &[A(C::Detail), A(C::Amount)], gives: C::Detail, meaning: stroke },
    // "a yellow price tag": the color is that of the box.
    Rule {
        parts: &[A(C::Color), Maybe(&["price", "name"]), STICKER],
        gives: C::Detail,
        meaning: |values| detail(&[values.first()?, &Value::Detail("ground", None, None)]),
    },
    // "a white border around the letters".
    Rule {
        parts: &[
            Word(&["border", "edge", "rim", "line", "outline", "contour", "edging"]),
            Word(&["around", "round", "of", "on", "to"]),
            Maybe(&["the", "all", "its"]),
            LETTERS,
        ],
        gives: C::Detail,
        meaning: |_| Some(Value::Detail("outline", None, None)),
    },
    // "a white background behind the letters".
    Rule {
        parts: &[
            A(C::Detail),
            Word(&["behind", "under", "beneath", "below"]),
            Maybe(&["the", "all"]),
            BEHIND,
            Maybe(&["in"]),
            A(C::Color),
        ],
        gives: C::Detail,
        meaning: detail,
    },
    Rule {
        parts: &[
            A(C::Detail),
            Word(&["behind", "under", "beneath", "below"]),
            Maybe(&["the", "all"]),
            BEHIND,
        ],
        gives: C::Detail,
        meaning: detail,
    },
    // "don't touch similar greens": only the exact color is meant.
    Rule {
        parts: &[
            Word(&["dont", "never", "not"]),
            Maybe(&["touch", "change"]),
            Maybe(&["any", "the", "other"]),
            Word(&["similar"]),
            A(C::Band),
        ],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("exact match")),
    },
    Rule {
        parts: &[
            Word(&["dont", "never", "not"]),
            Word(&["touch", "change"]),
            Maybe(&["any", "the"]),
            Word(&["other", "similar"]),
            Word(&["color", "colors", "ones"]),
        ],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("exact match")),
    },
    Rule { parts: &[A(C::Amount), OFF, OF, THE, A(C::Sides)], gives: C::Cut, meaning: cut },
    Rule { parts: &[A(C::Degree), OFF, OF, THE, A(C::Sides)], gives: C::Cut, meaning: cut },
    Rule {
        parts: &[A(C::Sides), Maybe(&["off"]), Maybe(&["by"]), A(C::Amount)],
        gives: C::Cut,
        meaning: cut,
    },
    // "a little off the right side, like 100 px": the amount says how much.
    Rule {
        parts: &[
            A(C::Degree),
            OFF,
            OF,
            THE,
            A(C::Sides),
            Maybe(&[","]),
            Maybe(&["by", "like"]),
            A(C::Amount),
        ],
        gives: C::Cut,
        meaning: |values| cut(values.get(1..)?),
    },
    // "from down 120 px".
    Rule {
        parts: &[
            Word(&["from"]),
            Maybe(&["the"]),
            Word(&["down", "below"]),
            Maybe(&["side"]),
            A(C::Amount),
        ],
        gives: C::Cut,
        meaning: |values| cut(&[&Value::Sides([false, false, false, true]), values.first()?]),
    },
    Rule {
        parts: &[
            Word(&["from"]),
            Maybe(&["the"]),
            Word(&["up", "above"]),
            Maybe(&["side"]),
            A(C::Amount),
        ],
        gives: C::Cut,
        meaning: |values| cut(&[&Value::Sides([false, true, false, false]), values.first()?]),
    },
    // "from the left 20 px and from the right 10": the second number has the unit of the first.
    Rule {
        parts: &[A(C::Cut), JOINED, FROM, THE, A(C::Sides), A(C::Number)],
        gives: C::Cut,
        meaning: also_cut,
    },
    Rule {
        parts: &[A(C::Cut), JOINED, A(C::Number), OFF, OF, THE, A(C::Sides)],
        gives: C::Cut,
        meaning: also_cut,
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

/// "A black outline 3px": lengths of an outline need no preposition.
fn stroke(values: &[&Value]) -> Option<Value> {
    let [Value::Detail("outline", ..), Value::Amount(amount)] = values else { return None };
    (amount.unit == Unit::Pixels).then(|| detail(values)).flatten()
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

/// One more side, with the unit of those before.
fn also_cut(values: &[&Value]) -> Option<Value> {
    let Value::Cut(before) = values.first()? else { return None };
    let number = values.iter().find_map(|value| match value {
        Value::Number(number) => Some(*number),
        _ => None,
    })?;
    let sides = values.iter().find_map(|value| match value {
        Value::Sides(sides) => Some(*sides),
        _ => None,
    })?;
    let length = match before.iter().flatten().next()? {
        Length::Pixels(_) => Length::Pixels(number),
        Length::Percent(_) => Length::Percent(number),
    };
    let twice = before.iter().zip(sides).any(|(old, new)| old.is_some() && new);
    let mut all = *before;
    all.iter_mut().zip(sides).filter(|(_, new)| *new).for_each(|(side, _)| *side = Some(length));
    (!twice).then_some(Value::Cut(all))
}
