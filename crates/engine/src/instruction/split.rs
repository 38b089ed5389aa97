//! Cuts the tokens of an instruction into the shortest pieces that could be clauses.

use super::common_words;
use super::token::{Kind, Token};
use crate::operations::capabilities;

/// A piece between separators, given by the positions of its tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    /// First token.
    pub(super) start: usize,
    /// One after the last token.
    pub(super) end: usize,
    /// Whether the separator before it ("then", a full stop) ends a clause for good.
    pub(super) strong: bool,
}

/// Cuts at separators, except inside a known phrase ("black and white"). The words in `also` are
/// further weak separators.
pub(super) fn pieces(tokens: &[Token], also: &[&str]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut start, mut at, mut strong) = (0, 0, true);
    while at < tokens.len() {
        let Some((length, is_strong)) = separator(tokens, at, also) else {
            at += 1;
            continue;
        };
        if at > start {
            pieces.push(Piece { start, end: at, strong });
            strong = false;
        }
        strong |= is_strong;
        let word = tokens.get(at).map_or("", Token::word);
        let stays = common_words::LEADING_SEPARATORS.contains(&word)
            || (also.contains(&word) && word != "with");
        start = if stays { at } else { at + length };
        at += length;
    }
    if tokens.len() > start {
        pieces.push(Piece { start, end: tokens.len(), strong });
    }
    pieces
}

/// The length of the separator at a position and whether it is strong.
fn separator(tokens: &[Token], at: usize, also: &[&str]) -> Option<(usize, bool)> {
    match tokens.get(at)?.kind {
        Kind::Mark(',') if !in_coordinates(tokens, at) => return Some((1, false)),
        Kind::Mark('.' | '!' | '?' | ';') => return Some((1, true)),
        // "crop to 16:9 (keep the top)". Brackets around a number belong to the number.
        Kind::Mark('(') if tokens.get(at + 1).is_some_and(|next| !next.word().is_empty()) => {
            return Some((1, false));
        }
        Kind::Mark(')') if opened_by_word(tokens, at) => return Some((1, false)),
        _ => {}
    }
    if says_how_much(tokens, at) {
        return None;
    }
    // This phrase contains the filler "as well".
    let joins = stands(tokens, at, "as well as").is_some();
    if !joins && protected(tokens, at) {
        return None;
    }
    let longest =
        |phrases: &[&str]| phrases.iter().filter_map(|phrase| stands(tokens, at, phrase)).max();
    if let Some(length) = longest(common_words::STRONG_SEPARATORS) {
        return Some((length, true));
    }
    let weak = longest(common_words::WEAK_SEPARATORS)
        .or_else(|| longest(common_words::LEADING_SEPARATORS));
    weak.or_else(|| longest(also)).map(|length| (length, false))
}

/// Whether "so" means "very" here: "it's so grainy".
fn says_how_much(tokens: &[Token], at: usize) -> bool {
    const STATES: &[&str] = &[
        "is", "its", "are", "theyre", "was", "were", "looks", "look", "looked", "seems", "seem",
        "feels",
    ];
    // "that is how it is, so please brighten it"
    const GOES_ON: &[&str] = &[
        "i", "we", "you", "it", "that", "this", "please", "can", "could", "would", "the", "make",
        "just", "lets", "my",
    ];
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", Token::word);
    let next = word(Some(at + 1));
    let came_out = word(at.checked_sub(1)) == "out" && word(at.checked_sub(2)) == "came";
    word(Some(at)) == "so"
        && (STATES.contains(&word(at.checked_sub(1))) || came_out)
        && !next.is_empty()
        && !GOES_ON.contains(&next)
}

/// Whether the bracket that closes here contains words.
fn opened_by_word(tokens: &[Token], at: usize) -> bool {
    let before = tokens.get(..at).unwrap_or_default();
    let open = before.iter().rposition(|token| token.kind == Kind::Mark('('));
    open.and_then(|open| tokens.get(open + 1)).is_some_and(|next| !next.word().is_empty())
}

/// Whether a comma touches numbers on both sides: "100,50".
pub(super) fn in_coordinates(tokens: &[Token], at: usize) -> bool {
    let neighbor = |at: Option<usize>| at.and_then(|at| tokens.get(at));
    let (Some(before), Some(comma)) = (neighbor(at.checked_sub(1)), tokens.get(at)) else {
        return false;
    };
    let counts = before.number().is_some() || ["px", "%"].contains(&before.word());
    let follows = neighbor(Some(at + 1))
        .is_some_and(|after| after.number().is_some() && after.start == comma.end);
    counts && before.end == comma.start && follows
}

/// Whether the separator is part of a phrase of an operation.
fn protected(tokens: &[Token], at: usize) -> bool {
    let lists = capabilities().iter().flat_map(|entry| [entry.heads, entry.details]);
    let phrases = lists.flatten().copied().chain(common_words::FILLERS.iter().copied());
    let across = phrases.filter(|phrase| phrase.contains(' '));
    across.into_iter().any(|phrase| {
        phrase.split(' ').enumerate().any(|(offset, word)| {
            tokens.get(at).is_some_and(|token| token.word() == word)
                && at.checked_sub(offset).is_some_and(|from| stands(tokens, from, phrase).is_some())
        })
    })
}

/// The length of a phrase, if the tokens from a position on begin with it.
pub(super) fn stands(tokens: &[Token], at: usize, phrase: &str) -> Option<usize> {
    let mut length = 0;
    for word in phrase.split(' ') {
        if tokens.get(at + length)?.word() != word {
            return None;
        }
        length += 1;
    }
    Some(length)
}
