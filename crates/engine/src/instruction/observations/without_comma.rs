//! Statements without a comma before them: "make it darker its hurting my eyes".

use super::allowed_words::BARRED;
use crate::instruction::token::{Kind, Token};

/// Words that may begin a statement in the middle of a clause.
const STARTS: &[&str] = &[
    "for", "its", "it", "there", "theres", "im", "ive", "i", "we", "my", "our", "the", "as",
    "since",
];
/// Words after which no statement begins, because the words belong together: "so that the sky is
/// light".
const NOT_BEHIND: &[&str] = &[
    "that", "so", "and", "or", "but", "of", "in", "on", "at", "to", "for", "by", "from", "with",
    "the", "a", "an", "make", "making", "because", "cause", "cos", "while", "before", "after",
    "without", "know", "think", "say", "see", "like", "as", "since", "not", "no", "than", "turn",
    "have", "get", "put", "give",
];

/// Inserts a separator before every statement that has none.
pub(in crate::instruction) fn set_apart(tokens: &[Token]) -> Vec<Token> {
    let mut apart = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        if STARTS.contains(&token.word()) && before.is_some_and(may_end) && states(tokens, at) {
            apart.push(Token { kind: Kind::Mark(','), start: token.start, end: token.start });
        }
        apart.push(token.clone());
    }
    apart
}

/// Whether a clause may end with this token.
fn may_end(token: &Token) -> bool {
    let word = token.word();
    !matches!(token.kind, Kind::Mark(_)) && !NOT_BEHIND.contains(&word) && !BARRED.contains(&word)
}

/// Whether the words from a position to the next separator are a statement of fact.
fn states(tokens: &[Token], at: usize) -> bool {
    let rest = tokens.get(at..).unwrap_or_default();
    let ends = |token: &Token| {
        matches!(token.kind, Kind::Mark(_)) || ["and", "but", "so", "or"].contains(&token.word())
    };
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    let words = rest.get(..end).unwrap_or_default();
    super::read(words).is_some_and(|statement| statement.is_fact)
}
