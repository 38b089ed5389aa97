//! Explains contradictions such as "increase and decrease the contrast", "bigger but also smaller".

use super::super::token::Token;
use crate::{Refusal, RefusalKind};

/// Words that contradict each other when they are about one thing.
const OPPOSITES: &[(&[&str], &[&str])] = &[
    (&["increase", "raise", "boost", "more"], &["decrease", "reduce", "lower", "less"]),
    (&["bigger", "larger", "enlarge"], &["smaller", "shrink"]),
    (&["up"], &["down"]),
];
/// Directions that contradict each other when something is rotated.
const WAYS: &[(&[&str], &[&str])] = &[(&["left", "counterclockwise"], &["right", "clockwise"])];
const TURNS: &[&str] = &["rotate", "turn", "spin", "tilt"];
const JOINTS: &[&str] = &["and", "but", "also"];

/// The refusal, or a better one if the instruction has opposites next to each other.
pub(super) fn told(refusal: Refusal, tokens: &[Token], instruction: &str) -> Refusal {
    let unclear = matches!(refusal.kind, RefusalKind::NotUnderstood | RefusalKind::MissingDetail);
    let turns = tokens.iter().any(|token| TURNS.contains(&token.word()));
    let found = (0..tokens.len()).find_map(|at| {
        let ways = WAYS.iter().filter(|_| turns);
        OPPOSITES.iter().chain(ways).find_map(|pair| opposed(tokens.get(at..)?, pair))
    });
    let Some(span) = found.filter(|_| unclear) else { return refusal };
    let words = Refusal::new(RefusalKind::Contradiction, "").quoting(instruction, span);
    let message = format!("\"{}\" contradicts itself; choose one", words.words);
    Refusal { message, ..words }
}

/// The span of a word at the front and its opposite, if only joining words are between them.
fn opposed(tokens: &[Token], (one, other): &(&[&str], &[&str])) -> Option<[usize; 2]> {
    let (first, rest) = tokens.split_first()?;
    let joints = rest.iter().take_while(|token| JOINTS.contains(&token.word())).count();
    let second = rest.get(joints).filter(|_| joints > 0)?;
    let is = |token: &Token, words: &[&str]| words.contains(&token.word());
    let both = (is(first, one) && is(second, other)) || (is(first, other) && is(second, one));
    both.then_some([first.start, second.end])
}
