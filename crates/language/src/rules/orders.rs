//! The order of several images: "swap the two", "the second one first", "in reverse order".

use crate::chart::{Part, Rule};
use crate::value::{Category, Value};
use Category as C;
use Part::{A, Maybe, Word};
use retouch_engine::Place;

const SWAP: Part = Word(&["swap", "switch", "exchange", "reverse"]);
const IN: Part = Word(&["in", "into"]);
const THE: Part = Maybe(&["the", "this", "that"]);
const COMMA: Part = Maybe(&[",", "."]);
const AND: Part = Maybe(&["and"]);
const THEN: Part = Maybe(&["then"]);
/// What stands for the other images in an order.
pub(crate) const OTHERS: usize = 0;

/// The rules for orders.
pub(super) const RULES: &[Rule] = &[
    Rule {
        parts: &[IN, THE, Word(&["reverse", "reversed", "opposite"]), Word(&["order", "sequence"])],
        gives: C::Order,
        meaning: reversed,
    },
    Rule {
        parts: &[Word(&["the"]), Word(&["other"]), Word(&["way"]), Word(&["round", "around"])],
        gives: C::Order,
        meaning: reversed,
    },
    Rule { parts: &[Word(&["swapped", "reversed"])], gives: C::Order, meaning: reversed },
    // "Swap the two, then put them side by side".
    Rule {
        parts: &[SWAP, A(C::Image), Maybe(&["around", "round", "over"]), COMMA, AND, THEN],
        gives: C::Order,
        meaning: of_many,
    },
    Rule {
        parts: &[
            SWAP,
            Maybe(&["their", "the"]),
            Word(&["order", "places", "positions"]),
            COMMA,
            AND,
            THEN,
        ],
        gives: C::Order,
        meaning: reversed,
    },
    Rule { parts: &[SWAP, AND, THEN], gives: C::Order, meaning: reversed },
    // "First the second and after that the first".
    Rule {
        parts: &[
            Word(&["first"]),
            Maybe(&["the"]),
            A(C::Ordinal),
            Maybe(&[","]),
            AND,
            Word(&["then", "after", "next"]),
            Maybe(&["that"]),
            Maybe(&["the"]),
            A(C::Ordinal),
        ],
        gives: C::Order,
        meaning: numbers,
    },
    Rule {
        parts: &[
            A(C::Picture),
            Maybe(&["first"]),
            Maybe(&[","]),
            AND,
            Word(&["then"]),
            A(C::Picture),
        ],
        gives: C::Order,
        meaning: numbers,
    },
    Rule {
        parts: &[
            A(C::Picture),
            Maybe(&["goes", "comes", "should"]),
            Maybe(&["go", "come", "be"]),
            Word(&["first"]),
        ],
        gives: C::Order,
        meaning: leading,
    },
    Rule {
        parts: &[
            A(C::Picture),
            Maybe(&["goes", "comes", "should"]),
            Maybe(&["go", "come", "be"]),
            Maybe(&["on", "at", "to"]),
            Maybe(&["the"]),
            A(C::Place),
        ],
        gives: C::Order,
        meaning: at_side,
    },
];

fn reversed(_: &[&Value]) -> Option<Value> {
    Some(Value::Order(Vec::new()))
}

fn of_many(values: &[&Value]) -> Option<Value> {
    let image = values.first()?;
    let many = matches!(image.word(), "many" | "them") || **image == Value::Number(2.0);
    many.then(|| Value::Order(Vec::new()))
}

fn numbers(values: &[&Value]) -> Option<Value> {
    let numbers: Option<Vec<usize>> = values.iter().map(|value| value.picture()).collect();
    numbers.map(Value::Order)
}

fn leading(values: &[&Value]) -> Option<Value> {
    Some(Value::Order(vec![values.first()?.picture()?, OTHERS]))
}

/// "The second one on the left".
fn at_side(values: &[&Value]) -> Option<Value> {
    let [picture, Value::Place(place)] = values else { return None };
    let picture = picture.picture()?;
    match place {
        Place::Left | Place::Top => Some(Value::Order(vec![picture, OTHERS])),
        Place::Right | Place::Bottom => Some(Value::Order(vec![OTHERS, picture])),
        _ => None,
    }
}
