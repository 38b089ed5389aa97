//! Knows the words of all tables, and corrects typing mistakes that can mean only one word.

use super::token::{Kind, Token};
use super::{budget, common_words, idiom, number, reasons};
use crate::Color;
use crate::operations::{capabilities, makings};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

/// Words with at least three letters from the SCOWL lists (size 60, and 70 for five and six letters;
/// American and British), sorted.
const ENGLISH: &str = include_str!("../../words/english.txt");

/// The shortest word that is corrected.
const CORRECTED_CHARS_MIN: usize = 5;

static ENGLISH_WORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| ENGLISH.lines().collect());

static KNOWN: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let shared = [
        common_words::FILLERS,
        common_words::ORDER,
        common_words::STRONG_SEPARATORS,
        common_words::WEAK_SEPARATORS,
        common_words::LEADING_SEPARATORS,
        common_words::NEGATIONS,
        common_words::CHANGES,
        common_words::KEEPS,
        common_words::UNCHANGED,
        common_words::KEPT_THINGS,
        common_words::MORE,
        common_words::LESS,
        common_words::SET,
        common_words::PERCENT,
        common_words::PIXELS,
        common_words::DEGREE_UNITS,
        common_words::TIMES,
        common_words::STOPS,
        common_words::KELVINS,
        common_words::NUMBER_GRAMMAR,
        common_words::PLACE_WORDS,
        number::NUMBER_WORDS,
        &reasons::STARTS,
        reasons::COMPLAINTS,
        reasons::SUBJECTS,
        reasons::PURPOSES,
        common_words::PARTICLE_VERBS,
        common_words::ABOUT,
    ];
    let operations = capabilities().iter().flat_map(|entry| [entry.heads, entry.details]);
    let lists = shared.into_iter().chain(operations).chain(common_words::DEGREES);
    let phrases = lists.flat_map(|list| list.iter().copied()).chain(Color::names());
    let parted =
        common_words::PARTED_LESS.iter().flat_map(|(verbs, particles)| [*verbs, *particles]);
    let phrases = phrases.chain(parted.flatten().copied()).chain(idiom::words());
    phrases.flat_map(|phrase| phrase.split(' ')).collect()
});

/// Words that are only used to describe an image to create.
static MAKING: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let lists = makings().iter().flat_map(|entry| [entry.heads, entry.details]);
    lists.flatten().flat_map(|phrase| phrase.split(' ')).collect()
});

/// Whether the word is in a table.
pub(super) fn is_known(word: &str) -> bool {
    KNOWN.contains(word) || reasons::is_purpose(word)
}

/// Whether it is an ordinary English word, which is never taken for a typing mistake.
pub(super) fn is_english(word: &str) -> bool {
    ENGLISH_WORDS.binary_search(&word).is_ok()
}

/// Corrects typing mistakes where possible, and returns a note about each correction.
pub(super) fn correct(tokens: &mut [Token]) -> Vec<String> {
    let mut assumed = Vec::new();
    for token in tokens {
        let Kind::Word(word) = &token.kind else { continue };
        if is_known(word) || MAKING.contains(word.as_str()) || is_english(word) {
            continue;
        }
        if let Some(meant) = meant(word) {
            assumed.push(format!("\"{word}\" was read as \"{meant}\""));
            token.kind = Kind::Word(meant.to_owned());
        }
    }
    assumed
}

/// Positions, within a range, of the words that are in no table.
pub(super) fn unknown(tokens: &[Token], range: Range<usize>) -> impl Iterator<Item = usize> {
    range.filter(|at| tokens.get(*at).is_some_and(|token| !fits(tokens, *at, token)))
}

/// The known word at a Damerau-Levenshtein distance of 1, if there is exactly one. "Horizontal" and
/// "horizontally" count as one.
fn meant(word: &str) -> Option<&'static str> {
    if word.chars().count() < CORRECTED_CHARS_MIN {
        return None;
    }
    let near = |known: &&'static str| {
        known.len() >= 4
            && known.len().abs_diff(word.len()) <= 2
            && budget::spend(budget::SPELLING)
            && strsim::damerau_levenshtein(known, word) == 1
    };
    let spellings = common_words::SPELLINGS.iter().map(|(other, _)| *other);
    let candidates = KNOWN.iter().copied().chain(spellings);
    let found: BTreeSet<&'static str> =
        candidates.filter(near).map(common_words::canonical).collect();
    let longest = found.iter().copied().max_by_key(|known| known.len())?;
    let adverb = |known: &str| longest.strip_suffix("ly") == Some(known);
    found.iter().all(|known| *known == longest || adverb(known)).then_some(longest)
}

/// Whether a token is known, alone or as part of the name of a color ("hot pink").
fn fits(tokens: &[Token], at: usize, token: &Token) -> bool {
    let Kind::Word(word) = &token.kind else { return true };
    let neighbor = |other: Option<&Token>| other.map(Token::word).unwrap_or_default().to_owned();
    let after = neighbor(tokens.get(at + 1));
    let before = neighbor(at.checked_sub(1).and_then(|at| tokens.get(at)));
    is_known(word)
        || (!after.is_empty() && Color::named(&format!("{word}{after}")).is_some())
        || (!before.is_empty() && Color::named(&format!("{before}{word}")).is_some())
}
