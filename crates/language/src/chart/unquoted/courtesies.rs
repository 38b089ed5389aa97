//! What follows a text politely and is no part of it: "saying thanks everyone please".

use crate::token::Token;

/// As they are written, because "NO SMOKING PLEASE" is all text.
const COURTESIES: &[&[&str]] = &[
    &["please"],
    &["pls"],
    &["plz"],
    &["if", "you", "could"],
    &["if", "you", "can"],
    &["if", "you", "would"],
    &["if", "possible"],
];

/// How many words at the end of a text are courtesies. At least one word is text.
pub(super) fn behind(text: &[Token]) -> usize {
    let mut rest = text;
    let ends = |text: &[Token], words: &[&str]| {
        let last = text.iter().rev().map(|token| token.written.as_str());
        words.len() < text.len() && last.zip(words.iter().rev()).all(|(one, other)| one == *other)
    };
    while let Some(words) = COURTESIES.iter().find(|words| ends(rest, words)) {
        rest = &rest[..rest.len() - words.len()];
    }
    text.len() - rest.len()
}
