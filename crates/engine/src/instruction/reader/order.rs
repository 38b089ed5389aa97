//! Clauses that say when they are done: "before cropping it, make it brighter", "sharpen it after resizing".

use super::super::clause::Clause;
use super::super::token::Token;
use super::{Meaning, Part, Reader};
use crate::Refusal;

/// When a clause is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Where it stands.
    AsSaid,
    /// Behind what comes next: "before cropping it".
    BeforeIt,
    /// Ahead of what came last: "after resizing it".
    AfterIt,
}

impl Turn {
    /// Takes the word that says so from the front of a clause.
    pub(super) fn taken(tokens: &mut Vec<&Token>) -> Self {
        let turn = match tokens.first().map(|token| token.word()) {
            Some("before") => Self::BeforeIt,
            Some("after") => Self::AfterIt,
            _ => return Self::AsSaid,
        };
        // "like before" names no edit; the word stays and stops the reading.
        let rest: Vec<&Token> = tokens.iter().skip(1).copied().collect();
        if Clause::new(rest.clone()).leftover().is_none() {
            return Self::AsSaid;
        }
        *tokens = rest;
        turn
    }
}

impl<'t> Reader<'t> {
    /// The clauses in the order in which they are done.
    ///
    /// # Errors
    /// A [`Refusal`] where a clause stands among several and only one of them can be meant.
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
