//! Corrects typing errors: a word that nobody knows becomes the only word of the lexicon that is
//! close to it.

use super::Words;
use crate::lexicon::{Lexicon, is_english, letters};
use crate::token::Kind;
use retouch_engine::Color;
use strsim::osa_distance;

/// Shorter words have too many neighbors.
const LETTERS_MIN: usize = 4;
/// From this length, two letters may be wrong.
const TWO_ERRORS_LETTERS_MIN: usize = 9;

/// Corrects words that have one close neighbor in the lexicon.
pub(super) fn correct(words: &mut Words) {
    let lexicon = words.lexicon;
    for token in words.tokens.iter_mut().filter(|token| token.kind == Kind::Word) {
        let word = token.text.as_str();
        let is_name = token.is_capitalized && token.span[0] > 0;
        if word.len() < LETTERS_MIN || is_name || is_known(lexicon, word) {
            continue;
        }
        if let Some(found) = nearest(lexicon, word) {
            words.assumed.push(format!("\"{word}\" means \"{found}\""));
            token.text = found.to_owned();
        }
    }
}

fn is_known(lexicon: &Lexicon, word: &str) -> bool {
    lexicon.knows(word)
        || !lexicon.beginning_with(word).is_empty()
        || Color::named(word).is_some()
        || is_english(word)
}

/// The only closest word of the lexicon.
fn nearest<'a>(lexicon: &'a Lexicon, word: &str) -> Option<&'a str> {
    let errors_max = if word.len() >= TWO_ERRORS_LETTERS_MIN { 2 } else { 1 };
    let mut best: (usize, Vec<&str>) = (errors_max + 1, Vec::new());
    let bits = letters(word);
    for length in word.len().saturating_sub(errors_max)..=word.len() + errors_max {
        for (known, others) in lexicon.of_length(length) {
            // An error takes one letter away and brings another one. This is quick to compare.
            if (bits ^ others).count_ones() as usize > 2 * errors_max {
                continue;
            }
            let distance = osa_distance(word, known);
            if distance < best.0 {
                best = (distance, vec![known]);
            } else if distance == best.0 && distance <= errors_max {
                best.1.push(known);
            }
        }
    }
    let longest = best.1.iter().max_by_key(|found| found.len()).copied()?;
    // "horizontaly" is as close to "horizontal" as to "horizontally"; the longer one contains both.
    let one = best.1.iter().all(|found| longest.starts_with(found));
    (one && longest.len() >= LETTERS_MIN && best.0 <= errors_max).then_some(longest)
}
