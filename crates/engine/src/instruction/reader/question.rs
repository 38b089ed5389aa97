//! Questions: what is asked gets no answer from an editor, whatever words stopped its reading.

use super::super::token::{Kind, Token};
use crate::{Refusal, RefusalKind};

/// How a question begins.
const ASKING: &[&str] = &[
    "how", "who", "whose", "what", "whats", "whos", "why", "when", "where", "which", "should",
    "is", "are", "does", "did", "do", "was", "has", "can", "could", "will", "would",
];
/// Those of them that ask without a question mark too.
const ALWAYS: &[&str] = &["how", "who", "whose", "what", "whats", "whos", "why"];

/// The refusal, or a better one where the words that it quotes stand in a question.
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
    // "could you remove the dog?" is polite, not curious.
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
