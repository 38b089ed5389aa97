//! Decides what a clause after a text or a mark refers to: "write "A" at the top, 50% transparent"
//! describes the text, but "make it 50% transparent" could also mean the image.

use super::super::clause::Clause;
use super::super::token::{Kind, Token};
use super::clauses::{Found, read};
use super::placing::{IT, WHOLE};
use super::{Meaning, Part, Reader};
use crate::operations::capabilities;
use crate::{Plan, Refusal, Step};

/// The operations that put something on the image.
const LAID: &[&str] = &["text", "watermark", "overlay", "mark", "shape"];
/// Verbs that rotate the image. For a text, they are read as [`TURNED`].
const TURNS: &[&str] = &["rotate", "turn", "tilt", "spin"];
const TURNED: &str = "rotated";
/// The most pieces that describe what is put on the image.
const PIECES_MAX: usize = 4;

/// Whether a clause only describes what the previous clause put on the image.
pub(super) fn describes(clause: &Clause<'_>, before: &[Part<'_>]) -> bool {
    let Some(Part { meaning: Meaning::Step(found), tokens, .. }) = before.last() else {
        return false;
    };
    is_laid(&found.step)
        && !clause.has(WHOLE)
        && !clause.has(IT)
        && with(tokens, clause.tokens()).is_some_and(|step| step != found.step)
}

fn is_laid(step: &Step) -> bool {
    LAID.contains(&step.capability().name)
}

/// The step that puts something on the image, with more words to describe it.
fn with(laid: &[&Token], more: &[&Token]) -> Option<Step> {
    let tokens: Vec<&Token> = laid.iter().chain(more).copied().collect();
    read(tokens).ok().map(|found| found.step).filter(is_laid)
}

impl<'t> Reader<'t> {
    /// Refuses a pronoun that could mean the image or what was just put on it.
    pub(super) fn pronouns(&self) -> Result<(), Refusal> {
        for (number, piece) in self.pieces.iter().enumerate().skip(1) {
            let tokens = self.tokens.get(piece.start..piece.end).unwrap_or_default();
            let clause = Clause::new(tokens.iter().collect());
            if !clause.has(IT) || clause.has(WHOLE) {
                continue;
            }
            let Some((laid, step)) = self.laid_before(number) else { continue };
            let is_edit = read(clause.tokens().to_vec()).is_ok_and(|found| !is_laid(&found.step));
            let told = bound(tokens);
            let more: Vec<&Token> = told.iter().collect();
            if is_edit && with(&laid, &more).is_some_and(|described| described != step) {
                let refusal = Refusal::missing(
                    "this could mean the image or what you just added to it; say \"the image\", or \
                     leave out \"it\" to describe the text: write \"Hello\" at the top, 50% \
                     transparent",
                );
                let span = self.span(piece.start, piece.end);
                return Err(refusal.quoting(self.instruction, span));
            }
        }
        Ok(())
    }

    /// The clause directly before a piece, if it puts something on the image, and its step.
    fn laid_before(&self, number: usize) -> Option<(Vec<&'t Token>, Step)> {
        let end = self.pieces.get(number.checked_sub(1)?)?.end;
        let first = number.saturating_sub(PIECES_MAX);
        (first..number).rev().find_map(|from| {
            let start = self.pieces.get(from)?.start;
            let tokens: Vec<&Token> = self.tokens.get(start..end)?.iter().collect();
            if !tokens.iter().any(|token| names_laid(token)) {
                return None;
            }
            let Found { step, .. } = read(tokens.clone()).ok()?;
            is_laid(&step).then_some((tokens, step))
        })
    }

    /// Refuses texts that would be put in the same place, unless the image changes in between.
    pub(super) fn apart(&self, plan: &Plan) -> Result<(), Refusal> {
        for (number, step) in plan.steps.iter().enumerate() {
            let Step::Text(text) = step else { continue };
            let before = plan.steps.get(..number).unwrap_or_default().iter().rev();
            let mut before = before.take_while(|step| step.operation().in_place());
            if before.any(|step| matches!(step, Step::Text(other) if text.covers(other))) {
                let part = plan.understood.iter().find(|part| part.step == Some(number));
                let refusal = Refusal::missing(
                    "two texts would be in the same place; say where each one goes: \
                     write \"Hello\" at the top and \"World\" at the bottom",
                );
                let span = part.map_or([0, 0], |part| part.span);
                return Err(refusal.quoting(self.instruction, span));
            }
        }
        Ok(())
    }
}

/// Whether a word names something that is put on the image.
fn names_laid(token: &Token) -> bool {
    let word = token.word();
    let heads = capabilities().iter().filter(|entry| LAID.contains(&entry.name));
    matches!(token.kind, Kind::Quoted(_))
        || (!word.is_empty() && heads.flat_map(|entry| entry.heads).any(|head| *head == word))
}

/// The words without the pronoun, as they would describe a text: "rotate it by 5 degrees" becomes
/// "rotated by 5 degrees".
fn bound(tokens: &[Token]) -> Vec<Token> {
    let rest = tokens.iter().filter(|token| !IT.contains(&token.word()));
    rest.map(|token| match TURNS.contains(&token.word()) {
        true => Token { kind: Kind::Word(TURNED.to_owned()), ..token.clone() },
        false => token.clone(),
    })
    .collect()
}
