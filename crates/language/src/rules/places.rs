//! Sizes, points, sides and parts of the image.

use super::sizes::{lengthwise, upright};
use crate::chart::{Part, Rule};
use crate::value::{Amount, Category, Unit, Value};
use Category as C;
use Part::{A, Is, Maybe, Word};
use retouch_engine::{Coordinates, Length, Place, Region};

/// The side of the squares of "the corners", in percent of the shorter side.
const CORNERS_PERCENT: f64 = 25.0;
/// The width of "the edges", in percent of the shorter side.
const EDGES_PERCENT: f64 = 10.0;
/// The least coordinate in "640/512".
const SLASHED_PX_MIN: f64 = 20.0;
/// How much of a side "the center" is, in percent.
const CENTER_PERCENT: f64 = 50.0;

const TIMES: Part = Word(&["x", "by", "*"]);
const THE: Part = Maybe(&["the", "a", "an"]);
const SIDE: Part = Maybe(&["side", "edge", "corner", "end"]);
const AND: Part = Word(&["and", "&", ",", "+", "/"]);
const UPRIGHT: Part = Word(&["portrait", "vertical", "upright"]);
const LENGTHWISE: Part = Word(&["landscape", "horizontal", "widescreen"]);

/// The rules for everything that has a place or a size.
pub(super) const RULES: &[Rule] = &[
    Rule {
        parts: &[A(C::Way), SIDE, Word(&["to"]), THE, A(C::Way), SIDE],
        gives: C::Way,
        meaning: across,
    },
    Rule {
        parts: &[A(C::Place), Word(&["part", "bit", "section", "portion"])],
        gives: C::Region,
        meaning: bare,
    },
    // "paper of 10x15 cm".
    Rule {
        parts: &[
            Word(&["paper", "sheet", "page", "format", "dimensions"]),
            Word(&["of"]),
            A(C::Size),
        ],
        gives: C::Size,
        meaning: first,
    },
    Rule { parts: &[A(C::Amount), TIMES, A(C::Amount)], gives: C::Size, meaning: size },
    Rule {
        parts: &[Word(&["("]), A(C::Amount), Word(&[","]), A(C::Amount), Word(&[")"])],
        gives: C::Size,
        meaning: size,
    },
    Rule { parts: &[A(C::Number), Word(&[":"]), A(C::Number)], gives: C::Ratio, meaning: ratio },
    Rule {
        parts: &[A(C::Number), Word(&[":"]), A(C::Number)],
        gives: C::Proportion,
        meaning: ratio,
    },
    Rule { parts: &[A(C::Ratio), UPRIGHT], gives: C::Ratio, meaning: upright },
    Rule { parts: &[UPRIGHT, A(C::Ratio)], gives: C::Ratio, meaning: upright },
    Rule { parts: &[A(C::Ratio), LENGTHWISE], gives: C::Ratio, meaning: lengthwise },
    Rule { parts: &[LENGTHWISE, A(C::Ratio)], gives: C::Ratio, meaning: lengthwise },
    Rule { parts: &[A(C::Ratio), A(C::Ratio)], gives: C::Ratio, meaning: same },
    Rule { parts: &[A(C::Amount), Word(&[","]), A(C::Amount)], gives: C::Point, meaning: point },
    // "640/512": no fraction has such a denominator.
    Rule {
        parts: &[A(C::Number), Word(&["/"]), A(C::Number)],
        gives: C::Point,
        meaning: |values| {
            let is_coordinate = |value: &&Value| matches!(value, Value::Number(number) if *number >= SLASHED_PX_MIN);
            values.iter().all(is_coordinate).then(|| point(values)).flatten()
        },
    },
    Rule { parts: &[Word(&["("]), A(C::Point), Word(&[")"])], gives: C::Point, meaning: first },
    Rule {
        parts: &[
            Word(&["x"]),
            Maybe(&["=", ":"]),
            A(C::Amount),
            Maybe(&[",", "and"]),
            Word(&["y"]),
            Maybe(&["=", ":"]),
            A(C::Amount),
        ],
        gives: C::Point,
        meaning: point,
    },
    Rule {
        parts: &[A(C::Point), Word(&["to", "and", "-"]), A(C::Point)],
        gives: C::Box,
        meaning: corners,
    },
    Rule {
        parts: &[
            A(C::Size),
            Maybe(&["pixel", "px"]),
            A(C::Label),
            Maybe(&["at", "from", ",", "starting"]),
            Maybe(&["at", "from"]),
            A(C::Point),
        ],
        gives: C::Box,
        meaning: box_at,
    },
    Rule {
        parts: &[
            A(C::Size),
            Maybe(&["pixel", "px"]),
            Is(C::Marker, "box"),
            Maybe(&["at", "from"]),
            A(C::Point),
        ],
        gives: C::Box,
        meaning: box_of_size,
    },
    Rule {
        parts: &[A(C::Point), Maybe(&[",", "size"]), A(C::Size)],
        gives: C::Box,
        meaning: |values| box_of(values.get(1)?, values.first()?),
    },
    Rule {
        parts: &[A(C::Size), Word(&["+"]), A(C::Number), Word(&["+"]), A(C::Number)],
        gives: C::Box,
        meaning: offset_box,
    },
    Rule {
        parts: &[
            A(C::Point),
            Maybe(&[",", "with", "size"]),
            Is(C::Measure, "width"),
            Maybe(&[",", "and"]),
            Is(C::Measure, "height"),
        ],
        gives: C::Box,
        meaning: box_of_measures,
    },
    Rule { parts: &[A(C::Box)], gives: C::Region, meaning: boxed },
    Rule {
        parts: &[
            Is(C::Marker, "box"),
            Maybe(&[","]),
            Maybe(&["from", "between", "at"]),
            A(C::Region),
        ],
        gives: C::Region,
        meaning: only_box,
    },
    Rule {
        parts: &[A(C::Size), Is(C::Marker, "box"), Maybe(&["at", "in"]), THE, A(C::Place)],
        gives: C::Region,
        meaning: part_of_size,
    },
    // "top left 300x200", "the bottom left corner, about 300 by 100".
    Rule {
        parts: &[
            A(C::Place),
            Maybe(&["corner"]),
            Maybe(&[","]),
            Maybe(&["about", "roughly", "around", "of"]),
            A(C::Size),
        ],
        gives: C::Region,
        meaning: |values| sized_part(values.get(1)?, values.first()?),
    },
    // "the half on the right", "a third at the top".
    Rule {
        parts: &[A(C::Part), Word(&["on", "at", "to", "of", "in"]), THE, A(C::Place), SIDE],
        gives: C::Region,
        meaning: |values| strip(&[values.get(1)?, values.first()?]),
    },
    Rule {
        parts: &[A(C::Part), Maybe(&["of"]), Word(&["above", "up"])],
        gives: C::Region,
        meaning: |values| strip(&[&Value::Place(Place::Top), values.first()?]),
    },
    Rule {
        parts: &[A(C::Part), Maybe(&["of"]), Word(&["below", "down"])],
        gives: C::Region,
        meaning: |values| strip(&[&Value::Place(Place::Bottom), values.first()?]),
    },
    Rule { parts: &[A(C::Place), Word(&["corner"])], gives: C::Place, meaning: first },
    Rule {
        parts: &[Word(&["corner"]), Maybe(&["on", "at", "in"]), THE, A(C::Place)],
        gives: C::Spot,
        meaning: of_corner,
    },
    Rule {
        parts: &[A(C::Place), Word(&["corner"]), A(C::Place)],
        gives: C::Spot,
        meaning: crossed,
    },
    Rule {
        parts: &[Word(&["down"]), Word(&["in", "at"]), THE, A(C::Place)],
        gives: C::Spot,
        meaning: |values| lowered(values, 2),
    },
    Rule {
        parts: &[Word(&["up"]), Word(&["in", "at"]), THE, A(C::Place)],
        gives: C::Spot,
        meaning: |values| lowered(values, 0),
    },
    Rule {
        parts: &[A(C::Place), Word(&["in", "on", "at"]), THE, A(C::Place)],
        gives: C::Spot,
        meaning: crossed,
    },
    Rule { parts: &[A(C::Place), Word(&["corner"])], gives: C::Region, meaning: corner },
    Rule { parts: &[A(C::Place), A(C::Amount)], gives: C::Region, meaning: strip },
    Rule { parts: &[A(C::Place), A(C::Amount)], gives: C::Strip, meaning: strip },
    Rule { parts: &[A(C::Place), A(C::Part)], gives: C::Region, meaning: strip },
    Rule { parts: &[A(C::Place), A(C::Part)], gives: C::Strip, meaning: strip },
    Rule { parts: &[Word(&["the"]), A(C::Place), A(C::Amount)], gives: C::Region, meaning: strip },
    Rule { parts: &[Word(&["the"]), A(C::Place), A(C::Amount)], gives: C::Strip, meaning: strip },
    Rule { parts: &[Word(&["the"]), A(C::Place), A(C::Part)], gives: C::Region, meaning: strip },
    Rule { parts: &[Word(&["the"]), A(C::Place), A(C::Part)], gives: C::Strip, meaning: strip },
    Rule { parts: &[A(C::Size), Word(&["at"]), A(C::Point)], gives: C::Box, meaning: box_of_two },
    Rule { parts: &[A(C::Place), Is(C::Marker, "side")], gives: C::Region, meaning: bare },
    Rule { parts: &[A(C::Place), Is(C::Marker, "side")], gives: C::Place, meaning: first },
    Rule { parts: &[Word(&["the"]), A(C::Place)], gives: C::Region, meaning: bare },
    Rule {
        parts: &[Is(C::Marker, "corners")],
        gives: C::Region,
        meaning: |_| Some(all_corners(Length::Percent(CORNERS_PERCENT))),
    },
    Rule {
        parts: &[Is(C::Marker, "edges")],
        gives: C::Region,
        meaning: |_| Some(all_edges(Length::Percent(EDGES_PERCENT))),
    },
    Rule {
        parts: &[Is(C::Marker, "corners"), Word(&["of"]), A(C::Amount)],
        gives: C::Region,
        meaning: |values| Some(all_corners(values.get(1)?.amount()?.length()?)),
    },
    Rule {
        parts: &[Is(C::Marker, "edges"), Word(&["of"]), A(C::Amount)],
        gives: C::Region,
        meaning: |values| Some(all_edges(values.get(1)?.amount()?.length()?)),
    },
    Rule { parts: &[A(C::Sides), Is(C::Marker, "side")], gives: C::Sides, meaning: first },
    Rule { parts: &[A(C::Sides), AND, THE, A(C::Sides)], gives: C::Sides, meaning: both_sides },
];

fn first(values: &[&Value]) -> Option<Value> {
    values.first().map(|value| (*value).clone())
}

/// A length that can be a side or a coordinate.
fn length(value: &Value) -> Option<Length> {
    let amount = value.amount().filter(|amount| !amount.signed)?;
    amount.length()
}

/// Whether two numbers have the same unit, or both have one: "10px,20%", not "10,20%".
fn is_pair(one: &Value, other: &Value) -> bool {
    let (Some(one), Some(other)) = (one.amount(), other.amount()) else { return false };
    one.unit == other.unit
        || one.unit != Unit::Percent && other.unit != Unit::Percent
        || one.unit != Unit::None && other.unit != Unit::None
}

fn size(values: &[&Value]) -> Option<Value> {
    let [width, height] = values else { return None };
    match (length(width)?, length(height)?) {
        (Length::Pixels(width), Length::Pixels(height)) => Some(Value::Size(width, height)),
        // "25% by 25%" is only a part of the image: see `part_of_size`.
        (across, down) => is_pair(width, height).then_some(Value::Region(Region::Part {
            width: across,
            height: down,
            place: Place::Center,
        })),
    }
}

fn ratio(values: &[&Value]) -> Option<Value> {
    let [Value::Number(width), Value::Number(height)] = values else { return None };
    (*width > 0.0 && *height > 0.0).then_some(Value::Size(*width, *height))
}

/// "1:1 square", "a square 1:1".
fn same(values: &[&Value]) -> Option<Value> {
    let [Value::Size(width, height), Value::Size(other_width, other_height)] = values else {
        return None;
    };
    (width * other_height == other_width * height).then_some(Value::Size(*width, *height))
}

pub(super) fn point(values: &[&Value]) -> Option<Value> {
    let [x, y] = values else { return None };
    is_pair(x, y).then_some(Value::Point(Coordinates { x: length(x)?, y: length(y)? }))
}

pub(super) fn corners(values: &[&Value]) -> Option<Value> {
    let [Value::Point(from), Value::Point(to)] = values else { return None };
    Some(Value::Corners(*from, *to))
}

fn box_at(values: &[&Value]) -> Option<Value> {
    let [size, Value::Word("area"), point] = values else { return None };
    box_of(size, point)
}

fn box_of_size(values: &[&Value]) -> Option<Value> {
    let [size, _, point] = values else { return None };
    box_of(size, point)
}

fn box_of_two(values: &[&Value]) -> Option<Value> {
    let [size, point] = values else { return None };
    box_of(size, point)
}

/// "400x300+100+50".
fn offset_box(values: &[&Value]) -> Option<Value> {
    let [size, x, y] = values else { return None };
    box_of(size, &point(&[x, y])?)
}

/// "x=100 y=40 w=300 h=200".
fn box_of_measures(values: &[&Value]) -> Option<Value> {
    let [point, width, height] = values else { return None };
    let size = size(&[width, height])?;
    box_of(&size, point)
}

fn box_of(size: &Value, point: &Value) -> Option<Value> {
    let (Value::Size(width, height), Value::Point(from)) = (size, point) else { return None };
    let Coordinates { x: Length::Pixels(x), y: Length::Pixels(y) } = *from else { return None };
    let to = Coordinates { x: Length::Pixels(x + width), y: Length::Pixels(y + height) };
    Some(Value::Corners(*from, to))
}

fn boxed(values: &[&Value]) -> Option<Value> {
    let [Value::Corners(from, to)] = values else { return None };
    let whole = |length: Length| match length {
        Length::Pixels(value) => whole_px(value),
        Length::Percent(_) => None,
    };
    let (x, y) = (whole(from.x)?, whole(from.y)?);
    let (right, bottom) = (whole(to.x)?, whole(to.y)?);
    Some(Value::Region(Region::Box {
        x,
        y,
        width: right.checked_sub(x)?,
        height: bottom.checked_sub(y)?,
    }))
}

/// A coordinate in whole pixels.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be in range"
)]
fn whole_px(value: f64) -> Option<u32> {
    let fits = value >= 0.0 && value.fract() == 0.0 && value <= f64::from(u32::MAX);
    fits.then_some(value as u32)
}

fn only_box(values: &[&Value]) -> Option<Value> {
    match values {
        [_, region @ Value::Region(Region::Box { .. })] => Some((*region).clone()),
        // "the box, top left 300x200".
        [_, region @ Value::Region(Region::Part { width: Length::Pixels(_), .. })] => {
            Some((*region).clone())
        }
        _ => None,
    }
}

fn part_of_size(values: &[&Value]) -> Option<Value> {
    let [size, _, place] = values else { return None };
    sized_part(size, place)
}

/// A part of a size at a place.
fn sized_part(size: &Value, place: &Value) -> Option<Value> {
    let Value::Place(place) = *place else { return None };
    let (width, height) = match size {
        Value::Size(width, height) => (Length::Pixels(*width), Length::Pixels(*height)),
        Value::Region(Region::Part { width, height, .. }) => (*width, *height),
        _ => return None,
    };
    Some(Value::Region(Region::Part { width, height, place }))
}

fn part(width: Length, height: Length, place: Place) -> Value {
    Value::Region(Region::Part { width, height, place })
}

/// A strip along a side, or a part around the center: "left half", "bottom 20%".
pub(super) fn strip(values: &[&Value]) -> Option<Value> {
    let [Value::Place(place), amount] = values else { return None };
    let amount = amount.amount().filter(|amount| !amount.signed && amount.unit != Unit::None)?;
    let length = amount.length()?;
    let whole = Length::Percent(100.0);
    Some(match place {
        Place::Left | Place::Right => part(length, whole, *place),
        Place::Top | Place::Bottom => part(whole, length, *place),
        Place::Center => part(length, length, *place),
        _ if amount == Amount::new(25.0, Unit::Percent) => {
            part(Length::Percent(50.0), Length::Percent(50.0), *place)
        }
        _ => return None,
    })
}

/// "the left" and "the left side" are its half, "the center" is a half of both sides.
fn bare(values: &[&Value]) -> Option<Value> {
    let Value::Place(place) = values.first()? else { return None };
    let (half, whole) = (Length::Percent(CENTER_PERCENT), Length::Percent(100.0));
    Some(match place {
        Place::Left | Place::Right => part(half, whole, *place),
        Place::Top | Place::Bottom => part(whole, half, *place),
        Place::Center => part(half, half, *place),
        _ => return None,
    })
}

/// "Down in the left corner": the place in a row of the image, counted from the top.
fn lowered(values: &[&Value], row: u32) -> Option<Value> {
    let Value::Place(place) = values.first()? else { return None };
    let (column, middle) = place.column_row();
    let found = |place: &Place| place.column_row() == (column, row);
    Place::ALL.into_iter().find(found).filter(|_| middle == 1 || middle == row).map(Value::Place)
}

/// "The corner at the top right".
fn of_corner(values: &[&Value]) -> Option<Value> {
    let Value::Place(place) = values.first()? else { return None };
    let (column, row) = place.column_row();
    (column != 1 && row != 1).then_some(Value::Place(*place))
}

/// "The bottom in the center", "centered at the bottom".
fn crossed(values: &[&Value]) -> Option<Value> {
    let [Value::Place(one), across] = values else { return None };
    let (column, row) = one.column_row();
    match (column, row) {
        (1, 1) => Some((*across).clone()),
        (1, _) => lowered(&[across], row),
        _ => None,
    }
}

fn corner(values: &[&Value]) -> Option<Value> {
    let Value::Place(place) = values.first()? else { return None };
    let (column, row) = place.column_row();
    let side = Length::Percent(CORNERS_PERCENT);
    (column != 1 && row != 1).then(|| part(side, side, *place))
}

const fn all_corners(side: Length) -> Value {
    Value::Region(Region::Corners { side })
}

const fn all_edges(width: Length) -> Value {
    Value::Region(Region::Edges { width })
}

fn both_sides(values: &[&Value]) -> Option<Value> {
    let [Value::Sides(some), Value::Sides(others)] = values else { return None };
    let mut all = *some;
    all.iter_mut().zip(others).for_each(|(side, other)| *side |= other);
    Some(Value::Sides(all))
}

/// "from left to right": to the second of two sides, whatever preposition is before the first.
fn across(values: &[&Value]) -> Option<Value> {
    const ENDS: [&str; 8] = [
        "to left",
        "to right",
        "to up",
        "to down",
        "to up left",
        "to up right",
        "to down left",
        "to down right",
    ];
    let [Value::Word(from), Value::Word(to)] = values else { return None };
    let end = ENDS.into_iter().find(|end| end.strip_prefix("to ") == Some(to))?;
    (opposite(from)? == *to).then_some(Value::Word(end))
}

/// The way back: "down right" for "up left".
pub(crate) fn opposite(way: &str) -> Option<&'static str> {
    const WAYS: [[&str; 2]; 5] = [
        ["left", "right"],
        ["up", "down"],
        ["up left", "down right"],
        ["up right", "down left"],
        ["in", "out"],
    ];
    WAYS.iter().find_map(|[one, other]| match way {
        way if way == *one => Some(*other),
        way if way == *other => Some(*one),
        _ => None,
    })
}
