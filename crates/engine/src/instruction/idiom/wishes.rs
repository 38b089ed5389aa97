//! Somebody else's wishes, which are the caller's: "my boss wants it", "the client asked for".

use super::{Replaced, kinds};
use crate::instruction::reasons::PURPOSES;
use crate::instruction::split::stands;
use crate::instruction::token::{Kind, Token};

/// Who wishes, besides those that a picture may be for.
const PEOPLE: &[&str] = &["teacher", "printer", "professor", "lecturer", "publisher", "they"];
/// How they wish for a thing, or for the picture to be so.
const WANTS: &[&str] = &[
    "wants",
    "needs",
    "likes",
    "prefers",
    "requires",
    "want",
    "need",
    "require",
    "asked for",
    "asks for",
    "is asking for",
];
const WANTS_IT: &[&str] = &[
    "said it must be",
    "said it should be",
    "said it has to be",
    "says it must be",
    "says it should be",
    "says it has to be",
    "asked for it to be",
    "wants it to be",
    "want it to be",
    "needs it to be",
    "need it to be",
];

/// Every word of this manner of speech that others may lack.
pub(super) const WORDS: &[&str] = &[
    "teacher",
    "printer",
    "professor",
    "lecturer",
    "publisher",
    "they",
    "wants",
    "needs",
    "likes",
    "prefers",
    "requires",
    "want",
    "need",
    "require",
    "asked",
    "asks",
    "asking",
    "said",
    "says",
];

/// A wish at the front of a sentence. Behind another edit it says the same once more: "brighten it, my
/// boss wants it 15% lighter".
pub(super) fn at(tokens: &[Token], before: Option<&Token>) -> Option<Replaced> {
    let starts = before.is_none_or(|token| matches!(token.kind, Kind::Mark(_)));
    let counts = tokens.get(1).is_some_and(|next| next.number().is_some());
    // "maybe brighten it"; "20%, maybe 30%" is a choice.
    if starts && !counts && ["maybe", "perhaps"].contains(&tokens.first()?.word()) {
        return Some((1, Vec::new()));
    }
    if before.is_none() && tokens.first()?.word() == "need" {
        return Some((1, kinds(["i", "need"])));
    }
    if before.is_some() {
        return None;
    }
    let article = ["my", "our", "the"].contains(&tokens.first()?.word());
    let who = tokens.get(usize::from(article))?.word();
    let alone = ["they", "client", "teacher", "boss", "customer"].contains(&who);
    if !(alone || article && (PURPOSES.contains(&who) || PEOPLE.contains(&who))) {
        return None;
    }
    let from = usize::from(article) + 1;
    let longest =
        |phrases: &[&str]| phrases.iter().filter_map(|said| stands(tokens, from, said)).max();
    if let Some(length) = longest(WANTS_IT) {
        return Some((from + length, kinds(["make", "it"])));
    }
    let length = longest(WANTS)?;
    Some((from + length, kinds(["i", "need"])))
}
