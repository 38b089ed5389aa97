//! Phrases with many forms that say one thing about an edit: "crop off the empty wedges", "nothing
//! must be cut off", "fill whatever is left".

use super::places::strip;
use crate::chart::{Part, Rule};
use crate::value::{Category, Value};
use Category as C;
use Part::{A, Maybe, Word};

const CUT: Part = Word(&[
    "crop", "cropping", "cut", "cutting", "trim", "trimming", "remove", "removing", "lose",
    "losing", "without",
]);
const OFF: Part = Maybe(&["off", "out", "away", "over"]);
const THE: Part = Maybe(&["the", "any", "all", "those", "these", "a", "my", "our", "this"]);
const EMPTY: Part = Word(&["empty", "blank", "transparent", "bare", "resulting"]);
const COLORED: Part = Word(&["black", "white", "leftover", "extra"]);
pub(super) const SPACES: Part = Word(&[
    "corners",
    "corner",
    "wedges",
    "triangles",
    "edges",
    "areas",
    "bits",
    "parts",
    "gaps",
    "space",
    "spots",
]);
const WEDGES: Part = Word(&["corners", "wedges", "triangles"]);
const FILL: Part = Word(&["fill", "filling", "letterbox", "pad", "color"]);
const NO: Part = Word(&["dont", "not", "without", "never", "no"]);
const LOSE: Part = Word(&[
    "cut", "cutting", "crop", "cropping", "chop", "chopping", "trim", "trimming", "lose", "losing",
]);
const LOST: Part = Word(&["cut", "cropped", "lost", "chopped", "trimmed", "missing"]);
const STRETCH: Part = Word(&[
    "stretch",
    "stretching",
    "distort",
    "distorting",
    "squash",
    "squashing",
    "squish",
    "squishing",
    "squeeze",
    "squeezing",
    "warp",
    "warping",
    "deform",
    "deforming",
]);
const SEEN: Part = Word(&["showing", "visible", "shown", "kept"]);

/// The rules for such phrases.
pub(super) const RULES: &[Rule] = &[
    // "crop away the empty wedges at the edges".
    Rule { parts: &[CUT, OFF, THE, EMPTY, SPACES], gives: C::Marker, meaning: cut_corners },
    Rule {
        parts: &[
            CUT,
            OFF,
            THE,
            EMPTY,
            SPACES,
            Word(&["at", "in", "on", "around"]),
            THE,
            Word(&["edges", "corners", "sides"]),
        ],
        gives: C::Marker,
        meaning: cut_corners,
    },
    Rule { parts: &[CUT, OFF, THE, COLORED, WEDGES], gives: C::Marker, meaning: cut_corners },
    Rule {
        parts: &[Word(&["no"]), EMPTY, Word(&["wedges", "triangles", "edges"])],
        gives: C::Marker,
        meaning: cut_corners,
    },
    // "fill the remaining bits", "letterbox the remainder", "fill whatever is left over".
    Rule {
        parts: &[
            FILL,
            Maybe(&["up", "in"]),
            THE,
            Maybe(&["empty", "blank", "remaining", "leftover", "extra", "missing"]),
            Word(&[
                "rest",
                "remainder",
                "gaps",
                "gap",
                "sides",
                "space",
                "bits",
                "areas",
                "area",
                "parts",
                "bars",
            ]),
        ],
        gives: C::Marker,
        meaning: leftover,
    },
    Rule {
        parts: &[
            FILL,
            Maybe(&["up", "in"]),
            Word(&["whatever", "what", "whats"]),
            Maybe(&["is", "gets"]),
            Word(&["left", "empty", "missing", "blank"]),
            OFF,
        ],
        gives: C::Marker,
        meaning: leftover,
    },
    Rule {
        parts: &[
            Word(&["where", "wherever", "if", "when"]),
            Word(&["it", "that"]),
            Maybe(&["does"]),
            Word(&["doesnt", "not", "cant"]),
            Word(&["fit", "fill", "reach"]),
            Maybe(&["the"]),
            Maybe(&["page", "sheet", "frame", "canvas", "format", "size"]),
        ],
        gives: C::Marker,
        meaning: leftover,
    },
    // "don't cut anything off", "without cutting".
    Rule {
        parts: &[
            NO,
            LOSE,
            Maybe(&["anything", "any", "nothing", "it"]),
            Maybe(&["of"]),
            Maybe(&["it"]),
            OFF,
        ],
        gives: C::Marker,
        meaning: whole,
    },
    // "nothing should be cut off", "none of it lost".
    Rule {
        parts: &[
            Word(&["nothing", "none"]),
            Maybe(&["of"]),
            Maybe(&["it"]),
            Maybe(&["should", "must", "may", "can", "is", "to"]),
            Maybe(&["be", "get", "gets"]),
            LOST,
            OFF,
        ],
        gives: C::Marker,
        meaning: whole,
    },
    // "the whole picture visible", "all of it showing".
    Rule {
        parts: &[Word(&["whole", "entire", "full", "complete"]), A(C::Noun), SEEN],
        gives: C::Marker,
        meaning: whole,
    },
    Rule {
        parts: &[Word(&["everything", "all"]), Maybe(&["of"]), Maybe(&["it"]), SEEN],
        gives: C::Marker,
        meaning: whole,
    },
    // "a strip along the bottom, 100px".
    Rule {
        parts: &[
            Word(&["strip", "band"]),
            Word(&["along", "at", "across", "on", "down"]),
            THE,
            A(C::Place),
            Maybe(&["edge", "side"]),
            Maybe(&[","]),
            Maybe(&["of"]),
            A(C::Amount),
        ],
        gives: C::Region,
        meaning: strip,
    },
    Rule {
        parts: &[
            A(C::Amount),
            Maybe(&["wide", "high", "tall"]),
            Word(&["strip", "band"]),
            Word(&["along", "at", "across", "on", "down"]),
            THE,
            A(C::Place),
            Maybe(&["edge", "side"]),
        ],
        gives: C::Region,
        meaning: |values| strip(&[values.get(1)?, values.first()?]),
    },
    // "image centered".
    Rule {
        parts: &[A(C::Noun), Word(&["centered"])],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("centered")),
    },
    Rule {
        parts: &[
            Word(&["transparent"]),
            Word(&["background", "bg", "backdrop", "canvas"]),
            Maybe(&["around"]),
            Maybe(&["it"]),
        ],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("clear outside")),
    },
    // "so the text isn't backwards".
    Rule {
        parts: &[
            Word(&["so", "because", "cause", "since", "as"]),
            Maybe(&["that"]),
            Maybe(&["the", "my", "all"]),
            Word(&["text", "writing", "letters", "words", "lettering", "sign", "numbers", "it"]),
            Word(&[
                "isnt", "is", "are", "arent", "reads", "read", "looks", "shows", "came", "goes",
            ]),
            Maybe(&["not", "the", "out", "no"]),
            Maybe(&["longer"]),
            Word(&[
                "backwards",
                "backward",
                "mirrored",
                "reversed",
                "right",
                "correctly",
                "properly",
                "readable",
                "legible",
            ]),
            Maybe(&["way"]),
            Maybe(&["round", "around"]),
        ],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("backwards")),
    },
    // "without squashing it".
    Rule {
        parts: &[NO, STRETCH, Maybe(&["it", "anything"])],
        gives: C::Marker,
        meaning: |_| Some(Value::Word("keep shape")),
    },
    // "behind my transparent logo".
    Rule {
        parts: &[
            Word(&["behind"]),
            THE,
            Maybe(&["transparent"]),
            Word(&["it", "logo", "icon", "part", "parts", "area", "areas", "bits", "cutout"]),
        ],
        gives: C::Marker,
        meaning: behind,
    },
    Rule {
        parts: &[Word(&["behind"]), Maybe(&["transparent"]), A(C::Image)],
        gives: C::Marker,
        meaning: behind,
    },
];

fn cut_corners(_: &[&Value]) -> Option<Value> {
    Some(Value::Word("cut corners"))
}

fn leftover(_: &[&Value]) -> Option<Value> {
    Some(Value::Word("leftover"))
}

fn whole(_: &[&Value]) -> Option<Value> {
    Some(Value::Word("whole"))
}

fn behind(_: &[&Value]) -> Option<Value> {
    Some(Value::Word("behind image"))
}
