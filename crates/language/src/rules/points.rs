//! Points and boxes in words: "the middle of the left edge", "x 100-540, y 220-260".

use super::places::{corners, point};
use crate::chart::{Part, Rule};
use crate::value::{Category, Value};
use Category as C;
use Part::{A, Maybe, Word};
use retouch_engine::{Coordinates, Length, Place};

const SET: Part = Maybe(&["=", ":", "from"]);
const UNTIL: Part = Word(&["-", "to", "—", "until"]);
const THE: Part = Maybe(&["the", "a", "an"]);
const SIDE: Part = Maybe(&["side", "edge", "corner", "end"]);
const AND: Part = Word(&["and", "&", ",", "+", "/"]);

/// The rules for points and boxes.
pub(super) const RULES: &[Rule] = &[
    // "50 px from the left and 80 px from the top".
    Rule {
        parts: &[
            A(C::Amount),
            Word(&["from"]),
            THE,
            A(C::Place),
            SIDE,
            AND,
            A(C::Amount),
            Word(&["from"]),
            THE,
            A(C::Place),
            SIDE,
        ],
        gives: C::Point,
        meaning: off_edges,
    },
    Rule {
        parts: &[Word(&["below", "underneath", "beneath", "under"]), A(C::Image)],
        gives: C::Marker,
        // "Below it" may be below a text.
        meaning: |values| {
            let pronoun = values.first()?.word() == "it";
            Some(Value::Word(if pronoun { "below image" } else { "below photo" }))
        },
    },
    Rule {
        parts: &[Word(&["above", "over"]), A(C::Image)],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("above image")),
    },
    // "x 100-540, y 220-260".
    Rule {
        parts: &[
            Word(&["x"]),
            SET,
            A(C::Amount),
            UNTIL,
            A(C::Amount),
            Maybe(&[",", "and"]),
            Word(&["y"]),
            SET,
            A(C::Amount),
            UNTIL,
            A(C::Amount),
        ],
        gives: C::Box,
        meaning: ranges,
    },
    // "the middle of the left edge".
    Rule {
        parts: &[
            Word(&["middle", "center"]),
            Word(&["of"]),
            THE,
            A(C::Place),
            Word(&["edge", "side", "border"]),
        ],
        gives: C::Point,
        meaning: middle_of_edge,
    },
    Rule {
        parts: &[
            Word(&["the"]),
            Word(&["middle", "center"]),
            Word(&["of"]),
            THE,
            A(C::Place),
            Word(&["edge", "side", "border"]),
        ],
        gives: C::Point,
        meaning: middle_of_edge,
    },
];

/// "50 px from the left and 80 px from the top", in either order.
fn off_edges(values: &[&Value]) -> Option<Value> {
    match values {
        [x, Value::Place(Place::Left), y, Value::Place(Place::Top)]
        | [y, Value::Place(Place::Top), x, Value::Place(Place::Left)] => point(&[x, y]),
        _ => None,
    }
}

/// "x 100-540, y 220-260".
fn ranges(values: &[&Value]) -> Option<Value> {
    let [left, right, top, bottom] = values else { return None };
    // "-540" behind a number is no negative one.
    let corner = |x: &Value, y: &Value| point(&[x, y]);
    let (from, to) = (corner(left, top)?, corner(right, bottom)?);
    corners(&[&from, &to])
}

/// "the middle of the left edge".
fn middle_of_edge(values: &[&Value]) -> Option<Value> {
    let Value::Place(place) = values.first()? else { return None };
    let share = |third: u32| Length::Percent(f64::from(third) * 50.0);
    let (column, row) = place.column_row();
    (column + row == 1 || column + row == 3)
        .then(|| Value::Point(Coordinates { x: share(column), y: share(row) }))
}
