//! Phrases of crops, turns and sizes: how a photo leans, which side a crop is anchored at, what
//! becomes of empty corners and of the shape.

use super::wordings::SPACES;
use crate::chart::{Part, Rule};
use crate::value::{Amount, Category, Unit, Value};
use Category as C;
use Part::{A, Is, Maybe, Word};
use retouch_engine::{Length, Place};

/// The smallest side that "a 1400 square" can have: a smaller number counts squares.
const SQUARE_MIN: f64 = 16.0;
/// From this, the number in "640x" is a side and no factor.
const SIDE_MIN: f64 = 17.0;

const THE: Part = Maybe(&["the", "my", "a", "its", "any"]);
const BY: Part = Maybe(&["by", "at"]);
const DOWN: Part = Maybe(&["down", "off", "over", "downwards", "slightly"]);
const LEANS: Part = Word(&[
    "lean", "leans", "leaning", "leaned", "tilts", "tilted", "tilting", "tilt", "slopes",
    "sloping", "slope", "slants", "slanted", "slanting", "dips", "drops", "falls", "off",
    "crooked", "rotated", "skewed", "turned",
]);
const LEANING: Part = Word(&[
    "it",
    "its",
    "this",
    "horizon",
    "photo",
    "picture",
    "image",
    "scan",
    "shot",
    "camera",
    "everything",
    "whole",
]);
const REASON: Part = Word(&["the", "my", "because", "since", "as", "cause"]);
const IS: Part = Maybe(&["is", "was", "looks", "came", "being"]);
const OUT: Part = Maybe(&["out", "thing"]);
const EMPTY: Part = Word(&["empty", "blank", "transparent", "bare", "black", "white", "ugly"]);
const CUT: Part = Word(&["crop", "cut", "trim", "remove", "chop", "lose"]);
const OFF: Part = Maybe(&["off", "out", "away"]);
const REMAIN: Part = Word(&[
    "remain", "remains", "left", "show", "showing", "visible", "appear", "stay", "are", "is",
]);
const KEEP: Part = Word(&[
    "keep",
    "keeping",
    "preserve",
    "preserving",
    "maintain",
    "maintaining",
    "retain",
    "retaining",
    "respect",
    "respecting",
    "lock",
    "locking",
    "constrain",
    "constraining",
    "same",
    "with",
]);
const IGNORE: Part = Word(&["ignore", "ignoring", "forget", "disregard", "disregarding"]);
const OLD: Part = Maybe(&["same", "original", "current", "image", "correct"]);
const SHAPE: Part = Word(&["ratio", "proportions", "proportion", "aspect"]);

/// The rules for such phrases.
pub(super) const RULES: &[Rule] = &[
    // "leans about 2 degrees to the right".
    Rule {
        parts: &[LEANS, DOWN, BY, A(C::Amount), A(C::Turn)],
        gives: C::Measure,
        meaning: |values| leans(values.first()?, values.get(1)?),
    },
    Rule {
        parts: &[LEANS, DOWN, A(C::Turn), BY, A(C::Amount)],
        gives: C::Measure,
        meaning: |values| leans(values.get(1)?, values.first()?),
    },
    Rule {
        parts: &[A(C::Amount), Word(&["off", "crooked", "tilted"]), A(C::Turn)],
        gives: C::Measure,
        meaning: |values| leans(values.first()?, values.get(1)?),
    },
    Rule { parts: &[LEANING, OUT, IS, Is(C::Measure, "leans")], gives: C::Measure, meaning: first },
    Rule { parts: &[REASON, Is(C::Measure, "leans")], gives: C::Measure, meaning: first },
    // "The horizon leans to the right".
    Rule {
        parts: &[LEANING, OUT, IS, LEANS, DOWN, A(C::Turn)],
        gives: C::Marker,
        meaning: |values| {
            let clockwise = values.first()?.word() == "clockwise";
            Some(Value::Word(if clockwise { "leans clockwise" } else { "leans counterclockwise" }))
        },
    },
    Rule { parts: &[REASON, Is(C::Marker, "leans clockwise")], gives: C::Marker, meaning: first },
    Rule {
        parts: &[REASON, Is(C::Marker, "leans counterclockwise")],
        gives: C::Marker,
        meaning: first,
    },
    // "trim whatever blank corners you get from that".
    Rule {
        parts: &[
            CUT,
            OFF,
            Maybe(&["the", "any", "all", "whatever", "those", "these"]),
            EMPTY,
            SPACES,
            OFF,
            Maybe(&["after", "afterwards", "afterward", "again"]),
        ],
        gives: C::Marker,
        meaning: cut_corners,
    },
    Rule {
        parts: &[
            Is(C::Marker, "cut corners"),
            Maybe(&["that"]),
            Word(&["you", "we", "it", "this", "i"]),
            Word(&["get", "gets", "leaves", "makes", "gives", "creates", "leave"]),
            Maybe(&["from", "by"]),
            Maybe(&["that", "this", "it", "rotating", "turning"]),
        ],
        gives: C::Marker,
        meaning: cut_corners,
    },
    // "so that no empty corners remain".
    Rule {
        parts: &[
            Word(&["so"]),
            Maybe(&["that"]),
            Word(&["no"]),
            EMPTY,
            SPACES,
            REMAIN,
            Maybe(&["left", "visible", "over", "behind"]),
        ],
        gives: C::Marker,
        meaning: cut_corners,
    },
    Rule {
        parts: &[
            Word(&["so"]),
            Maybe(&["that"]),
            Word(&["there", "theres"]),
            Maybe(&["are", "is"]),
            Word(&["no"]),
            EMPTY,
            SPACES,
            Maybe(&["left", "visible", "remaining"]),
        ],
        gives: C::Marker,
        meaning: cut_corners,
    },
    Rule {
        parts: &[
            CUT,
            Maybe(&["it", "the", "in"]),
            Maybe(&["image", "photo", "picture", "down"]),
            Is(C::Marker, "cut corners"),
        ],
        gives: C::Marker,
        meaning: cut_corners,
    },
    // "anchored at the bottom", "tight to the top".
    Rule {
        parts: &[
            Word(&[
                "anchored", "anchor", "tight", "flush", "biased", "weighted", "hugging",
                "favoring", "pinned", "gravity", "favor",
            ]),
            Maybe(&["to", "at", "on", "towards", "with", "against", ":"]),
            THE,
            A(C::Place),
            Maybe(&["edge", "side"]),
        ],
        gives: C::Spot,
        meaning: first,
    },
    // A text is aligned to the left or right.
    Rule {
        parts: &[Word(&["aligned", "align"]), Maybe(&["to", "at", "with"]), THE, A(C::Place)],
        gives: C::Spot,
        meaning: |values| match values.first()? {
            Value::Place(place @ (Place::Top | Place::Bottom)) => Some(Value::Place(*place)),
            _ => None,
        },
    },
    // "taking off the top rather than the bottom".
    Rule {
        parts: &[
            Word(&["taking", "take", "cutting", "cut", "losing", "lose", "trimming", "trim"]),
            Maybe(&["it", "things"]),
            OFF,
            Maybe(&["from"]),
            THE,
            A(C::Place),
            Word(&["rather", "instead", "not", "and"]),
            Maybe(&["than", "of", "not"]),
            Maybe(&["off", "from"]),
            THE,
            A(C::Place),
        ],
        gives: C::Spot,
        meaning: rather_than,
    },
    // "nothing off the sides".
    Rule {
        parts: &[Word(&["nothing", "none"]), Maybe(&["off", "from", "at", "on"]), THE, A(C::Sides)],
        gives: C::Cut,
        meaning: nothing_off,
    },
    // "a 1400 square".
    Rule {
        parts: &[A(C::Amount), Word(&["square", "sq"])],
        gives: C::Size,
        meaning: |values| squared(values.first()?),
    },
    // "640x".
    Rule {
        parts: &[A(C::Number), Word(&["x"])],
        gives: C::Measure,
        meaning: |values| match values {
            [Value::Number(width)] if *width >= SIDE_MIN => {
                Some(Value::Measure("width", Amount::new(*width, Unit::Pixels)))
            }
            _ => None,
        },
    },
    Rule {
        parts: &[KEEP, THE, OLD, Maybe(&["aspect"]), SHAPE],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("keep shape")),
    },
    Rule {
        parts: &[IGNORE, THE, OLD, Maybe(&["aspect"]), SHAPE],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("any shape")),
    },
    // "and the height follows".
    Rule {
        parts: &[
            Word(&["height", "width"]),
            Maybe(&["should", "can", "may"]),
            Word(&[
                "follows",
                "follow",
                "auto",
                "automatic",
                "automatically",
                "adjusts",
                "proportional",
                "proportionally",
                "accordingly",
            ]),
            Maybe(&["accordingly", "automatically", "proportionally"]),
        ],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("keep shape")),
    },
    // "keeping the full width if possible": whichever fits stays whole anyway.
    Rule {
        parts: &[
            KEEP,
            THE,
            Word(&["full", "whole", "entire"]),
            Word(&["width", "height"]),
            Maybe(&["if"]),
            Maybe(&["possible", "you"]),
            Maybe(&["can"]),
        ],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("ratio")),
    },
    Rule {
        parts: &[
            Word(&["classic", "standard", "regular", "typical", "usual", "normal"]),
            A(C::Ratio),
        ],
        gives: C::Ratio,
        meaning: first,
    },
    // "with the image in the top left".
    Rule {
        parts: &[
            Word(&["with", "keeping", "and"]),
            Maybe(&["the", "my"]),
            A(C::Noun),
            Maybe(&["is", "goes", "sits", "stays", "placed", "kept", "sitting"]),
            Word(&["in", "at", "on"]),
        ],
        gives: C::Preposition,
        meaning: |_| Some(Value::Word("image_at")),
    },
    // "white outside the circle".
    Rule {
        parts: &[
            A(C::Color),
            Word(&["outside"]),
            Maybe(&["of", "the"]),
            Maybe(&["circle", "it", "that"]),
        ],
        gives: C::Color,
        meaning: first,
    },
    // "a blurred version of the same photo".
    Rule {
        parts: &[
            Word(&["blurred", "blurry"]),
            Word(&["version", "copy"]),
            Word(&["of"]),
            Maybe(&["the", "this", "that"]),
            Maybe(&["same"]),
            A(C::Image),
        ],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("blurred")),
    },
    // "the banner needs to be 1920x600".
    Rule {
        parts: &[
            Is(C::Occasion, "use"),
            Word(&[
                "need", "needs", "should", "must", "has", "is", "requires", "wants", "size", ":",
            ]),
            Maybe(&["to"]),
            Maybe(&["be", "have", "size"]),
        ],
        gives: C::Occasion,
        meaning: first,
    },
    // "png -> jpg".
    Rule {
        parts: &[A(C::File), Maybe(&["-", "="]), Word(&[">", "->", "→", "=>", "to"]), A(C::File)],
        gives: C::File,
        meaning: |values| converted(values.first()?.word(), values.get(1)?),
    },
    Rule {
        parts: &[
            A(C::Elsewhere),
            Maybe(&["-", "="]),
            Word(&[">", "->", "→", "=>", "to"]),
            A(C::File),
        ],
        gives: C::File,
        meaning: |values| match values.first()?.word() {
            "other format" => converted("png", values.get(1)?),
            _ => None,
        },
    },
    // "the rest white".
    Rule {
        parts: &[
            Word(&["rest", "remainder"]),
            Maybe(&["is", "in", "filled", "stays"]),
            Maybe(&["with"]),
            A(C::Color),
        ],
        gives: C::Color,
        meaning: first,
    },
];

fn first(values: &[&Value]) -> Option<Value> {
    values.first().map(|value| (*value).clone())
}

/// How far an image leans, in degrees clockwise.
fn leans(amount: &Value, turn: &Value) -> Option<Value> {
    let amount = amount.amount().filter(|amount| {
        !amount.signed && matches!(amount.unit, Unit::Degrees) && amount.value < 45.0
    })?;
    let sign = if turn.word() == "clockwise" { 1.0 } else { -1.0 };
    Some(Value::Measure("leans", Amount::new(amount.value * sign, Unit::Degrees)))
}

/// The format behind an arrow, if one is before it, too.
fn converted(from: &str, to: &Value) -> Option<Value> {
    let format = |word: &str| matches!(word, "jpeg" | "png" | "webp");
    (format(from) && format(to.word())).then(|| to.clone())
}

fn cut_corners(_: &[&Value]) -> Option<Value> {
    Some(Value::Word("cut corners"))
}

/// The side that stays, if the two lie opposite.
fn rather_than(values: &[&Value]) -> Option<Value> {
    let [Value::Place(lost), Value::Place(kept)] = values else { return None };
    (opposite(*lost)? == *kept).then_some(Value::Place(*kept))
}

/// The side across.
const fn opposite(place: Place) -> Option<Place> {
    match place {
        Place::Left => Some(Place::Right),
        Place::Right => Some(Place::Left),
        Place::Top => Some(Place::Bottom),
        Place::Bottom => Some(Place::Top),
        _ => None,
    }
}

fn nothing_off(values: &[&Value]) -> Option<Value> {
    let Value::Sides(sides) = values.first()? else { return None };
    Some(Value::Cut(sides.map(|side| side.then_some(Length::ZERO))))
}

fn squared(side: &Value) -> Option<Value> {
    let side = side.amount().filter(|side| {
        !side.signed && matches!(side.unit, Unit::None | Unit::Pixels) && side.value >= SQUARE_MIN
    })?;
    Some(Value::Size(side.value, side.value))
}
