//! Suggests what can be done instead of a refused instruction.

use super::super::token::{Kind, Token};
use super::super::{budget, generative, spelling};
use super::{Context, read_tokens};
use crate::operations::capabilities;
use crate::{Plan, Refusal, RefusalKind};
use std::ops::Range;

/// The largest spelling distance between a word and the one that may have been meant.
const DISTANCE_MAX: usize = 2;
/// The shortest word whose spelling is compared.
const COMPARED_CHARS_MIN: usize = 5;

/// Offered because the editor can't find objects in an image.
const PARTS: &str =
    ". You can limit it to an area, such as \"the top half\" or \"a 200x100 box at 50,80\"";
const PLAIN_WORDS: &str = ". Describe each edit in plain words, for example \
     \"make it brighter, crop to 16:9 and add a white border\"";

/// Adds the closest possible edit to a refusal, if there is one and the budget of the instruction
/// is enough to find it.
pub(super) fn told(refusal: Refusal, tokens: &[Token], context: &Context) -> Refusal {
    let plain = refusal.clone();
    let told = searched(refusal, tokens, context);
    if budget::is_spent() { plain } else { told }
}

fn searched(refusal: Refusal, tokens: &[Token], context: &Context) -> Refusal {
    let missing = refusal.kind == RefusalKind::MissingDetail;
    let unclear =
        matches!(refusal.kind, RefusalKind::NotUnderstood | RefusalKind::NeedsGenerativeModel);
    let helps = unclear || missing;
    if !helps || context.inputs == 0 {
        return refusal;
    }
    let stopped = positions(tokens, refusal.span);
    let without = |range: Range<usize>| {
        let rest: Vec<Token> = tokens
            .iter()
            .enumerate()
            .filter(|(at, _)| !range.contains(at))
            .map(|(_, token)| token.clone())
            .collect();
        read_tokens(&rest, context).ok()
    };
    let clause = clause_around(tokens, &stopped);
    if let Some(rest) = without(clause.clone()) {
        return refusal.with_nearest(&rest.render(), "Without these words, this can be done:");
    }
    if missing {
        return refusal;
    }
    if let Some(plan) = plain(tokens, &clause, context) {
        let mut told = refusal.with_nearest(&plan.render(), "The closest possible edit is");
        if plan.steps.iter().all(|step| step.operation().regional()) {
            told.message.push_str(PARTS);
        }
        return told;
    }
    let is_word = refusal.kind == RefusalKind::NotUnderstood;
    match similar(tokens, clause).filter(|_| is_word) {
        Some(example) => refusal.with_nearest(example, "The closest possible edit is"),
        None if is_word => {
            Refusal { message: format!("{}{PLAIN_WORDS}", refusal.message), ..refusal }
        }
        None => refusal,
    }
}

/// The tokens within a span of the instruction.
fn positions(tokens: &[Token], span: [usize; 2]) -> Range<usize> {
    let start = tokens.iter().position(|token| token.end > span[0]).unwrap_or(tokens.len());
    let end = tokens.iter().rposition(|token| token.start < span[1]).map_or(start, |last| last + 1);
    start..end.max(start)
}

/// The words around a range up to the next comma, full stop, "and" or "then" on each side.
fn clause_around(tokens: &[Token], stopped: &Range<usize>) -> Range<usize> {
    let ends = |token: &Token| {
        matches!(token.kind, Kind::Mark(',' | '.' | ';' | '!' | '?'))
            || ["and", "then", "also", "but"].contains(&token.word())
    };
    let before = tokens.get(..stopped.start).unwrap_or_default();
    let start = before.iter().rposition(ends).map_or(0, |at| at + 1);
    let after = tokens.get(stopped.end..).unwrap_or_default();
    let end = after.iter().position(ends).map_or(tokens.len(), |at| stopped.end + at);
    start..end
}

/// The plan of the clause alone, without unknown words and without things seen in images.
fn plain(tokens: &[Token], clause: &Range<usize>, context: &Context) -> Option<Plan> {
    let words = tokens.get(clause.clone())?;
    let known = |token: &&Token| {
        let word = token.word();
        word.is_empty() || (spelling::is_known(word) && !generative::is_seen(word))
    };
    let rest: Vec<Token> = words.iter().filter(known).cloned().collect();
    read_tokens(&rest, context).ok()
}

/// An example of the operation whose name is spelled most like a word of the clause.
fn similar(tokens: &[Token], clause: Range<usize>) -> Option<&'static str> {
    let words = tokens.get(clause)?.iter().map(Token::word);
    let words = words.filter(|word| word.len() >= COMPARED_CHARS_MIN && !spelling::is_known(word));
    let found = words.flat_map(|word| {
        capabilities().iter().flat_map(move |entry| {
            let heads = entry.heads.iter().filter(|head| !head.contains(' '));
            let near = heads.map(|head| difference(head, word)).min();
            near.filter(|distance| *distance <= DISTANCE_MAX).map(|distance| (distance, entry))
        })
    });
    let (_, entry) = found.min_by_key(|(distance, _)| *distance)?;
    entry.examples.first().copied()
}

/// How different two words are. A word that begins with the other's stem is close.
fn difference(head: &str, word: &str) -> usize {
    let stem = head.get(..COMPARED_CHARS_MIN);
    if stem.is_some_and(|stem| word.starts_with(stem)) {
        return 1;
    }
    match budget::spend(budget::SPELLING) {
        true => strsim::damerau_levenshtein(head, word),
        false => usize::MAX,
    }
}
