//! British spelling becomes American.

use super::Words;
use crate::token::Kind;

/// Endings and stems that differ, British first.
const ENDINGS: [(&str, &str); 10] = [
    ("ise", "ize"),
    ("ised", "ized"),
    ("ising", "izing"),
    ("isation", "ization"),
    ("our", "or"),
    ("ours", "ors"),
    ("oured", "ored"),
    ("ouring", "oring"),
    ("ourful", "orful"),
    ("tre", "ter"),
];

/// Writes each word as the lexicon does.
pub(super) fn unify(words: &mut Words) {
    let lexicon = words.lexicon;
    for token in words.tokens.iter_mut().filter(|token| token.kind == Kind::Word) {
        if token.text.contains("grey") {
            token.text = token.text.replace("grey", "gray");
        }
        if token.text.contains("olour") {
            token.text = token.text.replace("olour", "olor");
        }
        if lexicon.knows(&token.text) {
            continue;
        }
        let american = ENDINGS.iter().find_map(|(british, american)| {
            let word = format!("{}{american}", token.text.strip_suffix(british)?);
            lexicon.knows(&word).then_some(word)
        });
        if let Some(word) = american {
            token.text = word;
        }
    }
}
