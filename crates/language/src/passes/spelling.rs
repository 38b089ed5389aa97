//! Corrects typing errors: a word that nobody knows becomes the word of the lexicon that is closest
//! to it. If several are as close, [`crate::read()`] tries each of them.

use super::Words;
use crate::lexicon::{Lexicon, is_english};
use crate::token::{Kind, Token};
use retouch_engine::Color;
use std::collections::HashMap;
use strsim::osa_distance;

/// Shorter words are too close to many others.
const LETTERS_MIN: usize = 3;
/// A word must be shorter than this, in letters, to be a name where all words are capitalized.
const NAME_LETTERS_MAX: usize = 6;
/// Below this, a word is only corrected if nothing can be read without that.
const SURE_LETTERS_MIN: usize = 4;
/// From this length, the first letter may be wrong: "xray" is no "gray".
const WRONG_START_LETTERS_MIN: usize = 5;
/// From this length, two letters may be wrong.
const TWO_ERRORS_LETTERS_MIN: usize = 9;
/// With more words as close, nobody could tell.
const CANDIDATES_MAX: usize = 8;
/// British spellings of what the lexicon has in American spelling.
const BRITISH: [(&str, &str); 3] = [("gray", "grey"), ("color", "colour"), ("center", "centre")];

/// A spelling, its letters as bits, and the word of the lexicon.
pub(crate) type Spelling = (String, u32, String);

/// The spellings of words by their length.
pub(crate) fn by_length<'a>(words: impl Iterator<Item = &'a str>) -> HashMap<usize, Vec<Spelling>> {
    let mut by_length: HashMap<usize, Vec<Spelling>> = HashMap::new();
    let mut add = |spelling: &str, word: &str| {
        let known = (spelling.to_owned(), letters(spelling), word.to_owned());
        by_length.entry(spelling.len()).or_default().push(known);
    };
    for word in words.filter(|word| word.chars().all(char::is_alphabetic)) {
        add(word, word);
        for (american, british) in BRITISH.iter().filter(|(american, _)| word.contains(american)) {
            add(&word.replace(american, british), word);
        }
    }
    by_length.values_mut().for_each(|words| words.sort_unstable());
    by_length
}

/// The letters of a word as bits.
fn letters(word: &str) -> u32 {
    let bit = |letter: u8| if letter.is_ascii_lowercase() { letter - b'a' } else { 26 };
    word.bytes().fold(0, |bits, letter| bits | 1 << bit(letter))
}

/// Corrects words that have one close neighbor in the lexicon, and lists those that have several.
pub(super) fn correct(words: &mut Words) {
    let lexicon = words.lexicon;
    let all = words.tokens.iter().filter(|token| token.kind == Kind::Word);
    let is_loud = |token: &&Token| !token.written.chars().any(char::is_lowercase);
    // "INCREASE THE CONTARST" has no names.
    let loud = 2 * all.clone().filter(is_loud).count() > all.clone().count();
    let titled = all.clone().all(|token| token.is_capitalized);
    // In "Add A Vignete. Cheers, Dave", only short words may be names; "Make It Blakc" has none.
    let signed = words.tokens.iter().any(|token| token.kind == Kind::Sign);
    for token in &mut words.tokens {
        let word = token.text.as_str();
        let may_be_name = !loud && (!titled || signed && word.len() < NAME_LETTERS_MAX);
        let is_name = may_be_name && token.is_capitalized && token.span[0] > 0;
        if token.kind != Kind::Word
            || word.len() < LETTERS_MIN
            || is_name
            || is_known(lexicon, word)
        {
            continue;
        }
        match nearest(lexicon, word).as_slice() {
            [found] if word.len() >= SURE_LETTERS_MIN => {
                words.assumed.push(means(word, found));
                (*found).clone_into(&mut token.text);
            }
            [] => {}
            several => words.unsure.push((token.span, several.to_vec())),
        }
    }
}

/// What a correction assumes.
pub(crate) fn means(word: &str, found: &str) -> String {
    format!("\"{word}\" means \"{found}\"")
}

fn is_known(lexicon: &Lexicon, word: &str) -> bool {
    lexicon.knows(word)
        || !lexicon.beginning_with(word).is_empty()
        || Color::named(word).is_some()
        || is_english(word)
}

/// Whether a word may be a misspelling of another that begins differently. In a short word, the first
/// letter may only be missing, or have changed places with the second.
fn may_begin(word: &str, spelling: &str) -> bool {
    let (mut written, mut known) = (word.chars(), spelling.chars());
    let (written, known) = ([written.next(), written.next()], [known.next(), known.next()]);
    word.len() >= WRONG_START_LETTERS_MIN
        || spelling.strip_prefix(|_: char| true) == Some(word)
        || written[0] == known[0]
        || written[0] == known[1] && written[1] == known[0]
}

/// The closest words of the lexicon.
fn nearest<'a>(lexicon: &'a Lexicon, word: &str) -> Vec<&'a str> {
    let errors_max = if word.len() >= TWO_ERRORS_LETTERS_MIN { 2 } else { 1 };
    let (mut least, mut best) = (errors_max, Vec::new());
    let bits = letters(word);
    let shortest = (word.len() - errors_max).max(SURE_LETTERS_MIN);
    for length in shortest..=word.len() + errors_max {
        for (spelling, others, known) in lexicon.of_length(length) {
            // An error takes one letter away and brings another one. This is quick to compare.
            if (bits ^ others).count_ones() as usize > 2 * least {
                continue;
            }
            if !may_begin(word, spelling) {
                continue;
            }
            let distance = osa_distance(word, spelling);
            if distance < least {
                (least, best) = (distance, vec![known.as_str()]);
            } else if distance == least && !best.contains(&known.as_str()) {
                best.push(known.as_str());
            }
        }
    }
    // "Widee" is "wide" with its last letter twice, and not "wider".
    let twice = |found: &&&str| {
        let last = found.chars().next_back();
        word.strip_prefix(**found).is_some_and(|rest| rest.chars().eq(last))
    };
    if let Some(found) = best.iter().find(twice) {
        return vec![*found];
    }
    let longest = best.iter().max_by_key(|found| found.len()).copied().unwrap_or_default();
    // Two wrong letters of several words are too far to tell.
    let too_many = if least > 1 { 1 } else { CANDIDATES_MAX };
    match best.len() {
        // "horizontaly" is as close to "horizontal" as to "horizontally"; the longer one contains both.
        _ if best.iter().all(|found| {
            *found == longest || longest.starts_with(found) && word.starts_with(found)
        }) =>
        {
            best.retain(|found| *found == longest);
        }
        count if count > too_many => best.clear(),
        _ => {}
    }
    best
}
