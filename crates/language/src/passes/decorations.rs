//! Drops emoji, other symbols that only decorate, and repeated punctuation.

use super::Words;
use crate::token::Kind;

/// Signs that have a meaning.
const MEANING: &str = ",.;:!?()[]{}+-—=*/%&#@$€£©|<>→~°^_\n'\"\\x";

/// Drops what only decorates.
pub(super) fn drop(words: &mut Words) {
    let mut last = String::new();
    words.tokens.retain(|token| {
        let repeated =
            token.kind == Kind::Sign && token.text == last && "!?.,\n".contains(&token.text);
        last.clone_from(&token.text);
        token.kind != Kind::Sign || !repeated && MEANING.contains(&token.text)
    });
}
