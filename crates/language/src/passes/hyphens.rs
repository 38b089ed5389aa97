//! A hyphen inside a word is a space: "counter-clockwise". Before a word, it marks an option:
//! "resize --width 800".

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
    let dash = |at: usize| tokens.get(at).is_some_and(|token| token.text == "-");
    let option = |at: usize| {
        let first = if dash(at.wrapping_sub(1)) { at.wrapping_sub(1) } else { at };
        let last = if dash(at + 1) { at + 1 } else { at };
        let before =
            tokens.get(first.wrapping_sub(1)).is_some_and(|token| token.touches(&tokens[first]));
        let word = tokens
            .get(last + 1)
            .is_some_and(|next| next.kind == Kind::Word && tokens[last].touches(next));
        dash(at) && !before && word && first < last
    };
    let kept = (0..tokens.len()).filter(|at| !inside(*at) && !option(*at));
    words.tokens = kept.map(|at| tokens[at].clone()).collect();
}
