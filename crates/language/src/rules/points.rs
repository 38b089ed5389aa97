//! Points and boxes in words: "the middle of the left edge", "x 100-540, y 220-260".

use super::places::{corners, point};
use crate::chart::{Part, Rule};
use crate::value::{Category, Value};
use Category as C;
use Part::{A, Maybe, Word};
use retouch_engine::{Coordinates, Length};

const SET: Part = Maybe(&["=", ":", "from"]);
const UNTIL: Part = Word(&["-", "to", "—", "until"]);
const THE: Part = Maybe(&["the", "a", "an"]);

/// The rules for points and boxes.
pub(super) const RULES: &[Rule] = &[
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
