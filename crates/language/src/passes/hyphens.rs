//! A hyphen inside a word is a space: "counter-clockwise".

use super::Words;
use crate::token::{Kind, Token};

/// Drops hyphens between two words.
pub(super) fn drop(words: &mut Words) {
    let tokens = std::mem::take(&mut words.tokens);
    let inside = |at: usize| match tokens.get(at.wrapping_sub(1)..at + 2) {
        Some([before, hyphen, after]) => {
            let word = |token: &Token| token.kind == Kind::Word;
            hyphen.text == "-"
                && word(before)
                && word(after)
                && before.touches(hyphen)
                && hyphen.touches(after)
        }
        _ => false,
    };
    let kept = (0..tokens.len()).filter(|at| !inside(*at));
    words.tokens = kept.map(|at| tokens[at].clone()).collect();
}
