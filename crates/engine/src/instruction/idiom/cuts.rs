//! Cutting off a side in other words: "get rid of the left 20%", "remove 100 pixels from the right".

use super::{Replaced, kinds};
use crate::instruction::common_words::{PERCENT, PIXELS};
use crate::instruction::split::stands;
use crate::instruction::token::{Kind, Token};

/// What may be done to a side and its amount; with anything else it is another edit.
const VERBS: &[&str] = &[
    "remove",
    "slice",
    "snip",
    "shave",
    "lose",
    "take",
    "delete",
    "get rid of",
    "rid of",
    "crop out",
    "crop away",
    "cut away",
    "cut out",
    "trim away",
    "chop away",
    "take off",
    "take away",
    "lop",
    "lop off",
    "clip",
    "clip off",
    "snip off",
    "shave off",
    "slice off",
    "chop off",
    "cut off",
    "slice away",
];
const SIDES: &[&str] = &["left", "right", "top", "bottom"];
/// Words between that change nothing.
const BETWEEN: &[&str] = &[
    "the", "a", "off", "from", "of", "hand", "side", "edge", "and", "it", "picture", "image",
    "photo", "on", "at", "in", "full",
];
const PARTS: &[&str] = &["third", "quarter", "half", "thirds", "quarters"];

/// Every word of this manner of speech that others may lack.
pub(super) const WORDS: &[&str] = &[
    "remove", "slice", "snip", "shave", "lose", "take", "delete", "get", "rid", "away", "lop",
    "clip",
];

/// A verb at the front of the tokens that cuts off a side: "cut" is put in its place.
pub(super) fn at(tokens: &[Token]) -> Option<Replaced> {
    let length = VERBS.iter().filter_map(|verb| stands(tokens, 0, verb)).max()?;
    let rest = tokens.get(length..)?;
    let (mut side, mut amount, mut taken) = (false, false, 0_usize);
    for token in rest {
        let word = token.word();
        match &token.kind {
            Kind::Number { signed: false, .. } => {}
            // A number without its unit may count anything: "remove the top 3".
            Kind::Word(_) if [PARTS, PERCENT, PIXELS].iter().any(|list| list.contains(&word)) => {
                amount = true;
            }
            Kind::Word(_) if SIDES.contains(&word) => side = true,
            Kind::Word(_) if BETWEEN.contains(&word) => {}
            _ => break,
        }
        taken += 1;
    }
    let joined = taken.checked_sub(1).and_then(|last| rest.get(last));
    let ends = joined.is_some_and(|last| last.word() == "and")
        || rest.get(taken).is_none_or(|next| {
            matches!(next.kind, Kind::Mark(',' | '.' | ';' | '!'))
                || ["please", "then", "but"].contains(&next.word())
        });
    (side && amount && ends).then(|| (length, kinds(["cut", "off"])))
}
