//! How images are laid out: "three across and two down", "two over two".

use crate::chart::{Part, Rule};
use crate::value::{Category, Value};
use Category as C;
use Part::{A, Maybe, Word};

/// The most images in a row or column, so that "300 by 200" is no layout.
const IMAGES_MAX: f64 = 20.0;

const ACROSS: Part = Word(&["across", "wide", "columns", "column"]);
const DOWN: Part = Word(&["down", "high", "tall", "rows", "row"]);
const AND: Part = Maybe(&["and", "by", ",", "x"]);
const THE: Part = Maybe(&["the", "our", "my"]);
const SHOT: Part = Maybe(&["image", "photo", "picture", "pic", "shot", "one"]);
const ON: Part = Maybe(&["on", "at", "to", "goes"]);

/// The rules for layouts.
pub(super) const RULES: &[Rule] = &[
    Rule {
        parts: &[A(C::Number), ACROSS, AND, A(C::Number), DOWN],
        gives: C::Layout,
        meaning: board,
    },
    Rule {
        parts: &[A(C::Number), Word(&["by", "x"]), A(C::Number)],
        gives: C::Layout,
        meaning: board,
    },
    Rule { parts: &[A(C::Number), Word(&["across"])], gives: C::Layout, meaning: columns },
    Rule {
        parts: &[A(C::Number), Word(&["times", "x"]), Word(&["across"])],
        gives: C::Layout,
        meaning: columns,
    },
    Rule {
        parts: &[
            A(C::Number),
            Word(&["times", "x"]),
            Word(&["across"]),
            AND,
            A(C::Number),
            Maybe(&["times", "x"]),
            Word(&["down"]),
        ],
        gives: C::Layout,
        meaning: board,
    },
    Rule {
        parts: &[
            A(C::Number),
            Word(&["per", "to", "in"]),
            Maybe(&["a", "each"]),
            Word(&["line", "row"]),
        ],
        gives: C::Layout,
        meaning: columns,
    },
    Rule {
        parts: &[A(C::Number), Word(&["rows"]), Word(&["of"]), A(C::Number)],
        gives: C::Layout,
        meaning: |values| board(&[values.get(1)?, values.first()?]),
    },
    Rule {
        parts: &[
            A(C::Number),
            Word(&["over", "above", "and", "on"]),
            Maybe(&["top"]),
            Maybe(&["of"]),
            A(C::Number),
        ],
        gives: C::Layout,
        meaning: two_rows,
    },
    Rule {
        parts: &[A(C::Number), Word(&["up"]), AND, A(C::Number), Word(&["down"])],
        gives: C::Layout,
        meaning: two_rows,
    },
    Rule {
        parts: &[
            A(C::Number),
            Word(&["on"]),
            Maybe(&["the"]),
            Word(&["top"]),
            AND,
            A(C::Number),
            Maybe(&["on", "at"]),
            Maybe(&["the"]),
            Word(&["below", "underneath", "under", "beneath", "bottom"]),
        ],
        gives: C::Layout,
        meaning: two_rows,
    },
];

/// The rules for images that are called "before" and "after", or by where they go.
pub(super) const NAMED: &[Rule] = &[
    // "tile this motif".
    Rule {
        parts: &[
            Word(&["this", "my", "our"]),
            Word(&["tile", "motif", "pattern", "texture", "swatch", "design", "print"]),
        ],
        gives: C::Elsewhere,
        meaning: |_| Some(Value::Word("motif")),
    },
    // "before on the left, after on the right".
    Rule {
        parts: &[
            Word(&["before"]),
            SHOT,
            ON,
            THE,
            Word(&["left"]),
            AND,
            THE,
            Word(&["after"]),
            SHOT,
            ON,
            THE,
            Word(&["right"]),
        ],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("side by side")),
    },
    Rule {
        parts: &[
            Word(&["before"]),
            SHOT,
            ON,
            THE,
            Word(&["top"]),
            AND,
            THE,
            Word(&["after"]),
            SHOT,
            ON,
            THE,
            Word(&["bottom", "below", "underneath", "beneath", "under"]),
        ],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("stacked")),
    },
    // "into one long picture", "one single image".
    Rule {
        parts: &[
            Word(&["into", "as", "in", "to"]),
            Maybe(&["a"]),
            Word(&["one", "single"]),
            Maybe(&["single", "big", "large", "long", "wide", "tall", "whole"]),
            Word(&[
                "image", "picture", "photo", "pic", "file", "graphic", "strip", "sheet", "page",
                "poster", "collage",
            ]),
        ],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("together")),
    },
    Rule {
        parts: &[
            Word(&["one"]),
            Maybe(&["single", "big", "large", "long", "wide", "tall", "whole"]),
            Word(&[
                "image", "picture", "photo", "pic", "file", "graphic", "strip", "sheet", "page",
                "poster", "collage",
            ]),
        ],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("together")),
    },
];

fn count(value: &Value) -> Option<f64> {
    match value {
        Value::Number(count) if count.fract() == 0.0 && (1.0..=IMAGES_MAX).contains(count) => {
            Some(*count)
        }
        _ => None,
    }
}

fn board(values: &[&Value]) -> Option<Value> {
    let [columns, rows] = values else { return None };
    Some(Value::Size(count(columns)?, count(rows)?))
}

/// "three across": as many rows as it takes.
fn columns(values: &[&Value]) -> Option<Value> {
    Some(Value::Size(count(values.first()?)?, 0.0))
}

/// "two over two", "two up two down": both rows have as many images.
fn two_rows(values: &[&Value]) -> Option<Value> {
    let [above, below] = values else { return None };
    let (above, below) = (count(above)?, count(below)?);
    (above == below && above > 1.0).then_some(Value::Size(above, 2.0))
}
