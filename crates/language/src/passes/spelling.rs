//! Corrects typing errors: a word that nobody knows becomes the only word of the lexicon that is
//! close to it.

use super::Words;
use crate::lexicon::{is_english, lexicon};
use crate::token::Kind;
use retouch_engine::Color;
use std::collections::HashMap;
use std::sync::LazyLock;
use strsim::osa_distance;

/// Shorter words have too many neighbors.
const LETTERS_MIN: usize = 4;
/// From this length, two letters may be wrong.
const TWO_ERRORS_LETTERS_MIN: usize = 9;

/// Words with their letters as bits.
type Known = Vec<(&'static str, u32)>;

/// The words of the lexicon by their length.
fn words_by_length() -> &'static HashMap<usize, Known> {
    static WORDS: LazyLock<HashMap<usize, Known>> = LazyLock::new(|| {
        let mut by_length: HashMap<usize, Known> = HashMap::new();
        for word in lexicon().words().filter(|word| word.chars().all(char::is_alphabetic)) {
            by_length.entry(word.len()).or_default().push((word, letters(word)));
        }
        by_length.values_mut().for_each(|words| words.sort_unstable());
        by_length
    });
    &WORDS
}

/// The letters of a word as bits.
fn letters(word: &str) -> u32 {
    let bit = |letter: u8| if letter.is_ascii_lowercase() { letter - b'a' } else { 26 };
    word.bytes().fold(0, |bits, letter| bits | 1 << bit(letter))
}

/// Corrects words that have one close neighbor in the lexicon.
pub(super) fn correct(words: &mut Words) {
    let all = words.tokens.iter().filter(|token| token.kind == Kind::Word);
    let capitalized = all.clone().filter(|token| token.is_capitalized).count();
    // "INCREASE THE CONTARST" has no names.
    let names = 2 * capitalized <= all.count();
    for token in words.tokens.iter_mut().filter(|token| token.kind == Kind::Word) {
        let word = token.text.as_str();
        let is_name = names && token.is_capitalized && token.span[0] > 0;
        if word.len() < LETTERS_MIN || is_name || is_known(word) {
            continue;
        }
        if let Some(found) = nearest(word) {
            words.assumed.push(format!("\"{word}\" means \"{found}\""));
            token.text = found.to_owned();
        }
    }
}

fn is_known(word: &str) -> bool {
    lexicon().knows(word)
        || !lexicon().beginning_with(word).is_empty()
        || Color::named(word).is_some()
        || is_english(word)
}

/// The only closest word of the lexicon.
fn nearest(word: &str) -> Option<&'static str> {
    let errors_max = if word.len() >= TWO_ERRORS_LETTERS_MIN { 2 } else { 1 };
    let mut best: (usize, Vec<&str>) = (errors_max + 1, Vec::new());
    let bits = letters(word);
    for length in word.len().saturating_sub(errors_max)..=word.len() + errors_max {
        for (known, others) in words_by_length().get(&length).into_iter().flatten() {
            // An error takes one letter away and brings another one. This is quick to compare.
            if (bits ^ others).count_ones() as usize > 2 * errors_max {
                continue;
            }
            let distance = osa_distance(word, known);
            if distance < best.0 {
                best = (distance, vec![*known]);
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
