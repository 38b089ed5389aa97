//! Texts that are called by what they say: "add the date "12/05/2024"", "white on red".

use super::{Replaced, kinds};
use crate::Color;
use crate::instruction::token::{Kind, Token};

/// What a text may be called; only where the text itself follows.
pub(super) const NOUNS: &[&str] = &[
    "name",
    "names",
    "copyright",
    "date",
    "quote",
    "slogan",
    "signature",
    "headline",
    "subtitle",
    "subheading",
    "tagline",
    "hashtag",
    "address",
    "credit",
    "message",
    "greeting",
    "sentence",
    "phrase",
    "line",
];

/// The name of a text, or its two colors, at the front of the tokens.
pub(super) fn at(tokens: &[Token], before: &[Token]) -> Option<Replaced> {
    match tokens {
        [noun, text, ..]
            if NOUNS.contains(&noun.word()) && matches!(text.kind, Kind::Quoted(_)) =>
        {
            Some((1, kinds(["text"])))
        }
        [color, on, ground, ..] if on.word() == "on" && behind_text(before) => {
            let named = |token: &Token| Color::named(token.word()).is_some();
            (named(color) && named(ground)).then(|| {
                let words = ["in", color.word(), "on", "a", ground.word(), "background"];
                (3, kinds(words))
            })
        }
        _ => None,
    }
}

/// Whether a text stands in the sentence before.
fn behind_text(before: &[Token]) -> bool {
    let ends = |token: &&Token| !matches!(token.kind, Kind::Mark('.' | '!' | '?' | ';'));
    before.iter().rev().take_while(ends).any(|token| matches!(token.kind, Kind::Quoted(_)))
}
