//! Clauses that say when they happen: "before cropping it, make it brighter", "sharpen it after
//! resizing".

use super::super::clause::Clause;
use super::super::token::Token;
use super::{Meaning, Part, Reader};
use crate::Refusal;

/// When the step of a clause happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// In the order of the instruction.
    AsSaid,
    /// After the next clause: "before cropping it".
    BeforeIt,
    /// Before the previous clause: "after resizing it".
    AfterIt,
}

impl Turn {
    /// Removes the "before" or "after" at the front of a clause.
    pub(super) fn taken(tokens: &mut Vec<&Token>) -> Self {
        let turn = match tokens.first().map(|token| token.word()) {
            Some("before") => Self::BeforeIt,
            Some("after") => Self::AfterIt,
            _ => return Self::AsSaid,
        };
        // "like before" names no edit, so the word stays and the clause is refused.
        let rest: Vec<&Token> = tokens.iter().skip(1).copied().collect();
        if Clause::new(rest.clone()).leftover().is_none() {
            return Self::AsSaid;
        }
        *tokens = rest;
        turn
    }
}

impl<'t> Reader<'t> {
    /// The clauses in the order in which their steps happen.
    ///
    /// # Errors
    /// A [`Refusal`] if "after" follows several edits, because it isn't clear which one it means.
    pub(super) fn in_order(&self, parts: &[Part<'t>]) -> Result<Vec<Part<'t>>, Refusal> {
        let mut ordered: Vec<Part<'t>> = Vec::with_capacity(parts.len());
        let mut last: Vec<Part<'t>> = Vec::new();
        let mut sentence = 0;
        for part in parts {
            if part.strong {
                ordered.append(&mut last);
                sentence = ordered.len();
            }
            let steps = |parts: &[Part<'t>]| {
                parts.iter().filter(|part| matches!(part.meaning, Meaning::Step(_))).count()
            };
            let before = steps(ordered.get(sentence..).unwrap_or_default()) + steps(&last);
            match (part.turn, before) {
                (Turn::BeforeIt, 0) => last.push(part.clone()),
                (Turn::AfterIt, 1) => ordered.insert(sentence, part.clone()),
                (Turn::AfterIt, 2..) => {
                    let message =
                        "it isn't clear which edits this comes after; list the edits in order";
                    let span = self.understood(part).span;
                    return Err(Refusal::missing(message).quoting(self.instruction, span));
                }
                _ => ordered.push(part.clone()),
            }
        }
        ordered.append(&mut last);
        Ok(ordered)
    }
}
