//! Circles and ovals as parts of the image: "a 600px circle in the center, half the width".

use crate::chart::{Part, Rule};
use crate::value::{Category, Round, Unit, Value};
use Category as C;
use Part::{A, Is, Maybe, Word};
use retouch_engine::{Across, Length, Place, Region};

/// How much of the shorter side "a circle in the middle" is, in percent.
const CIRCLE_PERCENT: f64 = 50.0;

const THE: Part = Maybe(&["the", "a", "an", "its"]);
const COMMA: Part = Maybe(&[",", "with", "and", "of", "has", "is"]);
const ABOUT: Part = Maybe(&["about", "roughly", "around", "approximately", "maybe", "say", "a"]);
const IN: Part = Word(&["in", "at", "on", "around", "over"]);
const IMAGE: Part =
    Maybe(&["image", "picture", "photo", "photograph", "pic", "frame", "images", "pictures"]);
const SPOT: Part = Word(&["area", "region", "part", "patch", "zone", "section", "window", "spot"]);

/// The rules.
pub(super) const RULES: &[Rule] = &[
    Rule { parts: &[Word(&["circle", "disc", "disk"])], gives: C::Round, meaning: circle },
    Rule { parts: &[Word(&["round", "circular"]), SPOT], gives: C::Round, meaning: circle },
    Rule { parts: &[Word(&["oval", "ellipse"])], gives: C::Round, meaning: oval },
    Rule { parts: &[Word(&["oval", "elliptical"]), SPOT], gives: C::Round, meaning: oval },
    // "half the width", "a third of the image's height", "half as wide as the picture".
    Rule { parts: &[A(C::Amount), Is(C::Marker, "width")], gives: C::Share, meaning: of_width },
    Rule { parts: &[A(C::Part), Is(C::Marker, "width")], gives: C::Share, meaning: of_width },
    Rule { parts: &[A(C::Amount), Is(C::Marker, "height")], gives: C::Share, meaning: of_height },
    Rule { parts: &[A(C::Part), Is(C::Marker, "height")], gives: C::Share, meaning: of_height },
    Rule { parts: &[A(C::Amount), OF, THE, IMAGE, WIDTH], gives: C::Share, meaning: of_width },
    Rule { parts: &[A(C::Part), OF, THE, IMAGE, WIDTH], gives: C::Share, meaning: of_width },
    Rule { parts: &[A(C::Amount), OF, THE, IMAGE, HEIGHT], gives: C::Share, meaning: of_height },
    Rule { parts: &[A(C::Part), OF, THE, IMAGE, HEIGHT], gives: C::Share, meaning: of_height },
    Rule { parts: &[A(C::Share), Word(&["across", "wide", "in"])], gives: C::Share, meaning: same },
    // "a 600px circle", "a 60% by 80% oval".
    Rule {
        parts: &[A(C::Amount), Maybe(&["wide", "big", "large", "-"]), A(C::Round)],
        gives: C::Round,
        meaning: |values| sized(values.get(1)?, values.first()?),
    },
    Rule {
        parts: &[A(C::Measure), A(C::Round)],
        gives: C::Round,
        meaning: |values| sized(values.get(1)?, values.first()?),
    },
    Rule {
        parts: &[A(C::Size), A(C::Round)],
        gives: C::Round,
        meaning: |values| sized(values.get(1)?, values.first()?),
    },
    Rule {
        parts: &[A(C::Region), A(C::Round)],
        gives: C::Round,
        meaning: |values| sized(values.get(1)?, values.first()?),
    },
    // "a circle of 600px", "a circle with a radius of 90px", "a circle, half the width".
    Rule { parts: &[A(C::Round), COMMA, ABOUT, A(C::Amount)], gives: C::Round, meaning: behind },
    Rule { parts: &[A(C::Round), COMMA, ABOUT, A(C::Measure)], gives: C::Round, meaning: behind },
    Rule { parts: &[A(C::Round), COMMA, ABOUT, A(C::Share)], gives: C::Round, meaning: behind },
    Rule { parts: &[A(C::Round), COMMA, ABOUT, A(C::Size)], gives: C::Round, meaning: behind },
    // "a circle in the middle", "a centered circle", "a circle around 640,410".
    Rule {
        parts: &[A(C::Round), Maybe(&[","]), IN, THE, A(C::Place)],
        gives: C::Round,
        meaning: |values| placed(values.first()?, values.get(1)?),
    },
    Rule {
        parts: &[A(C::Round), A(C::Place)],
        gives: C::Round,
        meaning: |values| placed(values.first()?, values.get(1)?),
    },
    Rule {
        parts: &[A(C::Place), A(C::Round)],
        gives: C::Round,
        meaning: |values| placed(values.get(1)?, values.first()?),
    },
    Rule {
        parts: &[A(C::Round), Maybe(&[",", "centered", "with"]), CENTER, AT, A(C::Point)],
        gives: C::Round,
        meaning: at,
    },
    Rule { parts: &[Word(&["a", "an", "one"]), A(C::Round)], gives: C::Region, meaning: some },
    Rule { parts: &[A(C::Round)], gives: C::Region, meaning: definite },
];

const OF: Part = Maybe(&["of"]);
const CENTER: Part = Maybe(&["center", "centered"]);
const AT: Part = Maybe(&["at", "around", "on", "in", "of"]);
const WIDTH: Part = Word(&["width", "wide"]);
const HEIGHT: Part = Word(&["height", "high", "tall"]);

fn circle(_: &[&Value]) -> Option<Value> {
    Some(Value::Round(Round::default()))
}

fn oval(_: &[&Value]) -> Option<Value> {
    Some(Value::Round(Round { oval: true, ..Round::default() }))
}

fn same(values: &[&Value]) -> Option<Value> {
    values.first().map(|value| (*value).clone())
}

fn of_width(values: &[&Value]) -> Option<Value> {
    share("width", values)
}

fn of_height(values: &[&Value]) -> Option<Value> {
    share("height", values)
}

/// A share of a side of the image, which is a percentage.
fn share(side: &'static str, values: &[&Value]) -> Option<Value> {
    let amount = values.first()?.amount()?;
    (amount.unit == Unit::Percent && !amount.signed).then_some(Value::Measure(side, amount))
}

fn behind(values: &[&Value]) -> Option<Value> {
    let [round, size] = values else { return None };
    sized(round, size)
}

/// A circle or an oval whose size was unknown, with its size.
fn sized(round: &Value, size: &Value) -> Option<Value> {
    let Value::Round(round) = *round else { return None };
    if round.diameter.is_some() || round.sides.is_some() {
        return None;
    }
    let sides = match size {
        Value::Size(width, height) => Some((Length::Pixels(*width), Length::Pixels(*height))),
        Value::Region(Region::Part { width, height, place: Place::Center }) => {
            Some((*width, *height))
        }
        _ => None,
    };
    if round.oval || sides.is_some() {
        let oval = round.oval || sides.is_some_and(|(width, height)| width != height);
        return (oval == round.oval)
            .then_some(Value::Round(Round { sides: Some(sides?), ..round }));
    }
    let length = size.amount().filter(|amount| !amount.signed)?.length()?;
    let twice = match length {
        Length::Pixels(px) => Length::Pixels(px * 2.0),
        Length::Percent(percent) => Length::Percent(percent * 2.0),
    };
    let of_side =
        |across| if matches!(length, Length::Percent(_)) { across } else { Across::ShorterSide };
    let diameter = match size {
        Value::Measure("radius", _) => (twice, Across::ShorterSide),
        Value::Measure("width", _) => (length, of_side(Across::Width)),
        Value::Measure("height", _) => (length, of_side(Across::Height)),
        Value::Amount(_) | Value::Number(_) | Value::Measure("diameter", _) => {
            (length, Across::ShorterSide)
        }
        _ => return None,
    };
    Some(Value::Round(Round { diameter: Some(diameter), ..round }))
}

fn placed(round: &Value, place: &Value) -> Option<Value> {
    let (Value::Round(round), Value::Place(place)) = (round, place) else { return None };
    let is_free = round.place.is_none() && round.center.is_none();
    is_free.then_some(Value::Round(Round { place: Some(*place), ..*round }))
}

fn at(values: &[&Value]) -> Option<Value> {
    let [Value::Round(round), Value::Point(center)] = values else { return None };
    let is_free = round.place.is_none() && round.center.is_none() && !round.oval;
    is_free.then_some(Value::Round(Round { center: Some(*center), ..*round }))
}

/// "The circle" is one that the image shows, unless its size and position are said.
fn definite(values: &[&Value]) -> Option<Value> {
    let Value::Round(round) = values.first()? else { return None };
    (round.place.is_some() || round.center.is_some()).then(|| region(round)).flatten()
}

/// "A circle in the middle".
fn some(values: &[&Value]) -> Option<Value> {
    let Value::Round(round) = *values.first()? else { return None };
    round.place?;
    let usual = Length::Percent(CIRCLE_PERCENT);
    let with_size = match (round.oval, round.sides, round.diameter) {
        (true, None, None) => Round { sides: Some((usual, usual)), ..*round },
        (false, None, None) => Round { diameter: Some((usual, Across::ShorterSide)), ..*round },
        _ => return None,
    };
    region(&with_size)
}

/// A circle or an oval whose size is known.
fn region(round: &Round) -> Option<Value> {
    let place = round.place.unwrap_or(Place::Center);
    let region = match (round.sides, round.diameter, round.center) {
        (Some((width, height)), None, None) if round.oval => Region::Oval { width, height, place },
        (Some((width, height)), None, None) if width == height => {
            Region::Circle { diameter: width, of: Across::ShorterSide, place }
        }
        (None, Some((diameter, of)), None) => Region::Circle { diameter, of, place },
        (None, Some((diameter, Across::ShorterSide)), Some(center)) => {
            Region::CircleAt { center, radius: half(diameter) }
        }
        _ => return None,
    };
    Some(Value::Region(region))
}

fn half(length: Length) -> Length {
    match length {
        Length::Pixels(px) => Length::Pixels(px / 2.0),
        Length::Percent(percent) => Length::Percent(percent / 2.0),
    }
}
