//! Excuses for asking, which have many forms: "I hope it is no bother", "forgive me for asking".

use crate::chart::{Part, Rule};
use crate::value::{Category, Value};
use Category as C;
use Part::{Maybe, Word};

const NO: Part = Word(&["no", "not", "isnt", "wont", "wouldnt"]);
const BE: Part = Maybe(&["be", "being"]);
const TOO: Part = Maybe(&["too", "any"]);
const MUCH: Part = Maybe(&["much", "great", "big"]);
const OF: Part = Maybe(&["of"]);
const A: Part = Maybe(&["a", "an"]);
const BOTHER: Part = Word(&[
    "bother",
    "bothering",
    "trouble",
    "troubling",
    "imposing",
    "imposition",
    "inconvenience",
    "nuisance",
    "burden",
]);
const YOU: Part = Maybe(&["you", "anyone"]);

/// The rules for excuses.
pub(super) const RULES: &[Rule] = &[
    Rule {
        parts: &[
            Word(&["i", "we", "hope", "trust"]),
            Maybe(&["do", "really"]),
            Maybe(&["hope", "trust"]),
            Maybe(&["that"]),
            Word(&["it", "this", "i", "im", "its"]),
            Maybe(&["is", "am", "will"]),
            BE,
            NO,
            BE,
            TOO,
            MUCH,
            OF,
            A,
            BOTHER,
            YOU,
        ],
        gives: C::Social,
        meaning: nothing,
    },
    Rule {
        parts: &[
            Word(&["if"]),
            Maybe(&["it", "this", "that"]),
            Maybe(&["is", "its", "thats", "would"]),
            BE,
            NO,
            BE,
            TOO,
            MUCH,
            OF,
            A,
            BOTHER,
            YOU,
        ],
        gives: C::Social,
        meaning: nothing,
    },
    Rule {
        parts: &[
            Word(&["forgive", "pardon", "excuse"]),
            Word(&["me", "my"]),
            Maybe(&["for"]),
            Word(&["asking", "bothering", "troubling", "disturbing", "question", "ignorance"]),
            YOU,
        ],
        gives: C::Social,
        meaning: nothing,
    },
];

fn nothing(_: &[&Value]) -> Option<Value> {
    Some(Value::Word(""))
}
