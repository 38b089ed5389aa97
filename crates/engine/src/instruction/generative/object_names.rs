//! Recognizes things in images by the position of their names in a sentence. "Brighten the
//! chandelier" names a thing although the word is in no table; "brighten it every day" doesn't.

use crate::Color;
use crate::instruction::token::Token;
use crate::instruction::{budget, spelling};
use crate::operations::capabilities;

/// Words that come before the name of a thing.
const ARTICLES: &[&str] = &[
    "the", "a", "an", "my", "his", "her", "their", "our", "your", "some", "all", "those", "these",
    "every", "another",
];
/// Words that may not come before those, because they start a comparison, time or purpose.
const COMPARING: &[&str] = &[
    "than", "like", "as", "of", "for", "is", "are", "was", "were", "until", "till", "per", "write",
    "print", "send", "since", "ignore", "forget",
];
/// Nouns that are not things in an image.
const ABSTRACT: &[&str] = &[
    "best",
    "way",
    "time",
    "times",
    "day",
    "days",
    "week",
    "thing",
    "things",
    "stuff",
    "quality",
    "file",
    "files",
    "format",
    "job",
    "magic",
    "result",
    "results",
    "poem",
    "story",
    "rest",
    "other",
    "others",
    "last",
    "next",
    "previous",
    "same",
    "imagination",
    "most",
    "request",
    "requests",
    "difference",
    "metadata",
    "range",
    "dynamic",
    "pdf",
    "jpg",
    "jpeg",
    "png",
    "gif",
    "bmp",
    "webp",
    "tiff",
    "svg",
    "zip",
    "doc",
    "psd",
    "limit",
    "limits",
    "server",
    "link",
];
/// The most words between an article and its noun.
const ADJECTIVES_MAX: usize = 3;
/// The shortest word that is compared with the names of operations.
const COMPARED_CHARS_MIN: usize = 5;
/// The shortest word in which two letters may be wrong.
const LONG_CHARS_MIN: usize = 8;

/// Whether one of the refused words of a clause names a thing in the image: an ordinary word that
/// is in no table, after an article and a verb, or in a scene that begins with "a".
pub(super) fn is_named(clause: &[Token], stopping: &[Token]) -> bool {
    if stopping.iter().any(|token| is_mistyped(token.word())) {
        return false;
    }
    stopping.iter().filter(|token| is_unknown(token.word())).any(|name| {
        let at = clause.iter().position(|token| token.start == name.start).unwrap_or(0);
        let before = clause.get(at.saturating_sub(ADJECTIVES_MAX + 1)..at).unwrap_or_default();
        let article = before.iter().rposition(|token| ARTICLES.contains(&token.word()));
        let Some(article) = article.map(|article| at - before.len() + article) else {
            return false;
        };
        let between = clause.get(article + 1..at).unwrap_or_default();
        let asked = clause.get(..article).unwrap_or_default();
        let is_read = |token: &Token| token.word().is_empty() || spelling::is_known(token.word());
        if !between.iter().all(is_adjective) || !asked.iter().all(is_read) {
            return false;
        }
        match article.checked_sub(1).and_then(|at| clause.get(at)) {
            Some(verb) => !verb.word().is_empty() && !COMPARING.contains(&verb.word()),
            // "a dragon over a castle" is a scene, "the file is too large" is not.
            None => clause.first().is_some_and(|token| ["a", "an"].contains(&token.word())),
        }
    })
}

/// Whether a word may come between an article and a noun: a color, or a word that is in no table.
fn is_adjective(token: &Token) -> bool {
    let word = token.word();
    !word.is_empty() && (!spelling::is_known(word) || Color::named(word).is_some())
}

/// Whether it is an ordinary word that is in no table.
fn is_unknown(word: &str) -> bool {
    let ordinary = word.len() < COMPARED_CHARS_MIN || spelling::is_english(word);
    ordinary && word.len() > 2 && !spelling::is_known(word) && !ABSTRACT.contains(&word)
}

/// Whether it is almost the name of an operation: "contract", "brightens".
fn is_mistyped(word: &str) -> bool {
    let most = if word.len() >= LONG_CHARS_MIN { 2 } else { 1 };
    let near = |head: &str| {
        head.len() >= COMPARED_CHARS_MIN
            && head.len().abs_diff(word.len()) <= most
            && budget::spend(budget::SPELLING)
            && strsim::damerau_levenshtein(head, word) <= most
    };
    let heads =
        capabilities().iter().flat_map(|entry| entry.heads).flat_map(|head| head.split(' '));
    word.len() >= COMPARED_CHARS_MIN && heads.into_iter().any(near)
}
