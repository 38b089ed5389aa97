//! Explains that questions are not edits, whichever of their words was refused first.

use super::super::token::{Kind, Token};
use crate::{Refusal, RefusalKind};

/// Words that begin a question.
const ASKING: &[&str] = &[
    "how", "who", "whose", "what", "whats", "whos", "why", "when", "where", "which", "should",
    "is", "are", "does", "did", "do", "was", "has", "can", "could", "will", "would",
];
/// Those of them that begin a question even without a question mark.
const ALWAYS: &[&str] = &["how", "who", "whose", "what", "whats", "whos", "why"];

/// The refusal, or a better one if the words that it quotes are part of a question.
pub(super) fn told(refusal: Refusal, tokens: &[Token], instruction: &str) -> Refusal {
    let ends = |token: &Token| matches!(token.kind, Kind::Mark('.' | '!' | '?' | ';'));
    let at = tokens.iter().position(|token| token.end > refusal.span[0]).unwrap_or(tokens.len());
    let before = tokens.get(..at).unwrap_or_default();
    let start = before.iter().rposition(ends).map_or(0, |end| end + 1);
    let sentence = tokens.get(start..).unwrap_or_default();
    let end = sentence.iter().position(ends);
    let asked =
        end.and_then(|end| sentence.get(end)).is_some_and(|end| end.kind == Kind::Mark('?'));
    let first = sentence.first().map_or("", Token::word);
    let unclear = matches!(
        refusal.kind,
        RefusalKind::NotUnderstood | RefusalKind::NeedsGenerativeModel | RefusalKind::MissingDetail
    );
    let words = sentence.get(..end.unwrap_or(sentence.len())).unwrap_or_default();
    let (true, true, Some(last)) =
        (unclear, ALWAYS.contains(&first) || (asked && ASKING.contains(&first)), words.last())
    else {
        return refusal;
    };
    // "could you remove the dog?" is a polite request, not a question.
    if words.get(1).is_some_and(|next| ["you", "we", "i"].contains(&next.word()))
        && first != "should"
    {
        return refusal;
    }
    let span = [sentence.first().map_or(0, |token| token.start), last.end];
    let refusal = Refusal::new(RefusalKind::NotUnderstood, "").quoting(instruction, span);
    let message = format!(
        "\"{}\" is a question, not an edit; say what to change, for example \"make it brighter\"",
        refusal.words
    );
    Refusal { message, ..refusal }
}
