//! Phrases for images: "this photo", "picture 2", "the second picture".

use crate::chart::{Part, Rule};
use crate::value::{Category, Value};
use Category as C;
use Part::{A, Maybe, Word};

const THE: &[&str] =
    &["the", "this", "that", "a", "my", "our", "your", "his", "her", "their", "an"];

/// The rules for images.
pub(super) const RULES: &[Rule] = &[
    Rule { parts: &[A(C::Noun)], gives: C::Image, meaning: singular },
    Rule { parts: &[A(C::Noun)], gives: C::Image, meaning: plural },
    Rule { parts: &[Word(THE), A(C::Noun)], gives: C::Image, meaning: singular },
    Rule {
        parts: &[Word(&["these", "those", "both", "all", "the", "my"]), A(C::Noun)],
        gives: C::Image,
        meaning: plural,
    },
    Rule {
        parts: &[Word(&["both", "all"]), Word(&["the", "these", "my", "of"]), A(C::Noun)],
        gives: C::Image,
        meaning: plural,
    },
    Rule { parts: &[A(C::Number), A(C::Noun)], gives: C::Image, meaning: plural },
    Rule {
        parts: &[Word(&["these", "those"]), A(C::Number)],
        gives: C::Image,
        meaning: |values| match values {
            [Value::Number(count)] if *count < 20.0 => Some(Value::Word("many")),
            _ => None,
        },
    },
    Rule {
        parts: &[
            Word(&["these", "those", "the", "all", "my"]),
            Maybe(&["the", "these", "my"]),
            A(C::Number),
            A(C::Noun),
        ],
        gives: C::Image,
        meaning: plural,
    },
    Rule {
        parts: &[
            A(C::Picture),
            Word(&["("]),
            Word(&["our", "my", "the"]),
            A(C::Noun),
            Word(&[")"]),
        ],
        gives: C::Picture,
        meaning: in_brackets,
    },
    Rule {
        parts: &[A(C::Picture), Word(&["("]), A(C::Picture), Word(&[")"])],
        gives: C::Picture,
        meaning: in_brackets,
    },
    Rule { parts: &[A(C::Noun), A(C::ImageNumber)], gives: C::Picture, meaning: numbered },
    Rule {
        parts: &[A(C::Noun), Word(&["#", "number", "no"]), A(C::ImageNumber)],
        gives: C::Picture,
        meaning: numbered,
    },
    Rule {
        parts: &[A(C::Noun), Word(&["one"])],
        gives: C::Picture,
        meaning: |values| in_words(values, 1),
    },
    Rule {
        parts: &[A(C::Noun), Word(&["one"])],
        gives: C::Image,
        meaning: |values| in_words(values, 1).map(|_| Value::Word("number one")),
    },
    Rule {
        parts: &[A(C::Noun), Word(&["two"])],
        gives: C::Picture,
        meaning: |values| in_words(values, 2),
    },
    Rule {
        parts: &[A(C::Noun), Word(&["three"])],
        gives: C::Picture,
        meaning: |values| in_words(values, 3),
    },
    Rule { parts: &[A(C::Ordinal), A(C::Noun)], gives: C::Picture, meaning: ordinal },
    Rule { parts: &[Word(&["the"]), A(C::Ordinal)], gives: C::Picture, meaning: ordinal },
    Rule {
        parts: &[A(C::Ordinal), Word(&["one", "file", "upload", "attachment"])],
        gives: C::Picture,
        meaning: ordinal,
    },
    // "I want that the picture is rotated": what is wished is said of the image.
    Rule {
        parts: &[
            Word(&["i", "we", "id", "wed"]),
            Maybe(&["would"]),
            Word(&["want", "need", "wish", "like", "prefer", "ask", "request"]),
            Maybe(&["that"]),
            A(C::Image),
            Word(&["is", "gets", "be", "are", "becomes", "was", "were"]),
        ],
        gives: C::Opening,
        meaning: nothing,
    },
    // "it would look better in black and white".
    Rule {
        parts: &[
            A(C::Image),
            Word(&["would", "might", "could", "will"]),
            Word(&["look", "be", "work"]),
            Maybe(&["much", "even", "really", "so"]),
            Word(&["better", "nicer", "great", "good", "best", "cooler", "nice", "lovely"]),
        ],
        gives: C::Opening,
        meaning: nothing,
    },
    Rule { parts: &[A(C::Noun), A(C::ImageNumber)], gives: C::Image, meaning: first_by_number },
    Rule { parts: &[A(C::Ordinal), A(C::Noun)], gives: C::Image, meaning: first_of_all },
    Rule { parts: &[Word(&["the"]), A(C::Ordinal)], gives: C::Image, meaning: first_of_all },
    Rule { parts: &[A(C::Ordinal), Word(&["one"])], gives: C::Image, meaning: first_of_all },
    Rule { parts: &[Word(&["each", "every"]), A(C::Noun)], gives: C::Image, meaning: each },
    Rule {
        parts: &[
            Word(&["each"]),
            Word(&["of"]),
            Word(&["these", "the", "my", "those"]),
            A(C::Noun),
        ],
        gives: C::Image,
        meaning: |_| Some(Value::Word("each")),
    },
    Rule {
        parts: &[
            Word(&["each"]),
            Word(&["of"]),
            Maybe(&["the", "these", "those", "my"]),
            A(C::Number),
            A(C::Noun),
        ],
        gives: C::Image,
        meaning: |_| Some(Value::Word("each")),
    },
    Rule {
        parts: &[Word(&["this", "that", "the"]), Word(&["one"])],
        gives: C::Image,
        meaning: |_| Some(Value::Word("described")),
    },
];

fn nothing(_: &[&Value]) -> Option<Value> {
    Some(Value::Word(""))
}

fn each(values: &[&Value]) -> Option<Value> {
    values.first().filter(|noun| noun.word() == "one").map(|_| Value::Word("each"))
}

fn singular(values: &[&Value]) -> Option<Value> {
    values.iter().find(|value| value.word() == "one").map(|_| Value::Word("one"))
}

fn plural(values: &[&Value]) -> Option<Value> {
    values.iter().find(|value| value.word() == "many").map(|_| Value::Word("many"))
}

/// The number of an image in whole numbers from 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be small")]
fn numbered(values: &[&Value]) -> Option<Value> {
    let [noun, Value::Number(number)] = values else { return None };
    let counts = noun.word() == "one" && number.fract() == 0.0 && (1.0..100.0).contains(number);
    counts.then_some(Value::Picture(*number as usize))
}

/// "Image two".
fn in_words(values: &[&Value], number: usize) -> Option<Value> {
    values.first().filter(|noun| noun.word() == "one").map(|_| Value::Picture(number))
}

fn ordinal(values: &[&Value]) -> Option<Value> {
    let Value::Picture(number) = values.first()? else { return None };
    values.get(1).is_none_or(|noun| noun.word() == "one").then_some(Value::Picture(*number))
}

/// "the second image (our logo)": two names of one image.
fn in_brackets(values: &[&Value]) -> Option<Value> {
    let [Value::Picture(number), other] = values else { return None };
    let same = match other {
        Value::Picture(other) => number == other,
        noun => noun.word() == "one",
    };
    same.then_some(Value::Picture(*number))
}

/// "picture 1" is the one that is edited, unless several are joined.
fn first_by_number(values: &[&Value]) -> Option<Value> {
    match numbered(values)? {
        Value::Picture(1) => Some(Value::Word("number one")),
        other => Some(other),
    }
}

/// "The first picture" of several is not always the one that should come out: see `sentence`.
fn first_of_all(values: &[&Value]) -> Option<Value> {
    match ordinal(values)? {
        Value::Picture(1) => Some(Value::Word("first")),
        other => Some(other),
    }
}
