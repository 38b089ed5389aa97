//! Statements next to edits: which of them a plan may ignore, and which would change its meaning.

use super::super::observations::{self, PICTURES, REASONS, Statement};
use super::super::token::Token;
use super::super::{common_words, reasons};
use super::clauses::Found;
use super::{Meaning, Part, Reader};

/// Verbs that say how the image should be. After them, "there is a moon" may be a wish.
const RESULTS: &[&str] = &[
    "make", "turn", "let", "have", "want", "need", "give", "add", "put", "like", "create", "show",
];
/// Words that may refer to a thing that was named before.
const PRONOUNS: &[&str] = &[
    "it", "its", "this", "that", "these", "those", "them", "they", "their", "one", "ones", "him",
    "her", "his", "she", "he",
];
/// Words for the whole image, other than "picture" and similar nouns.
const WHOLE: &[&str] = &["everything", "whole", "entire", "overall"];
/// What an edit may change, in addition to the subjects of reasons. An edit that names one of these
/// applies to the image.
const CHANGED: &[&str] = &[
    "vibrance",
    "warmth",
    "temperature",
    "balance",
    "levels",
    "sharpness",
    "clarity",
    "gamma",
    "hue",
    "color",
    "vignette",
    "tone",
];
/// Edits that change the shape, orientation or size of the image.
const CUTTING: &[&str] = &["crop", "rotate", "flip", "resize", "trim"];
/// Edits that hide something: "blur it, the number is too clear" means a part of the image.
const HIDING: &[&str] = &["blur", "box_blur", "pixelate", "median", "motion_blur"];

impl<'t> Reader<'t> {
    /// Reads a piece with unknown words as a statement, if it can be one after the clauses before
    /// it.
    pub(super) fn statement(
        &self,
        (start, end): (usize, usize),
        before: &[Part<'t>],
    ) -> Option<Statement> {
        let asked = self.tokens.get(end).is_some_and(|token| token.kind == super::ASKS);
        let statement = observations::read(self.tokens.get(start..end)?)?;
        // "can you make it sepia so it matches the others?" asks for the edit, not for the match.
        if asked && !(statement.is_aim && self.joint(start) == "so") {
            return None;
        }
        let reason = before
            .last()
            .is_some_and(|part| matches!(part.meaning, Meaning::Reason | Meaning::Statement(_)));
        let joined = match self.joint(start) {
            "" => true,
            "and" | "but" => reason,
            "so" => {
                let nothing = |part: &Part<'_>| matches!(part.meaning, Meaning::Nothing);
                statement.is_aim || before.iter().all(nothing)
            }
            _ => false,
        };
        let step = before.iter().rev().find(|part| part.is_step());
        let no_wish = step.is_none_or(|step| {
            let results = step.tokens.iter().any(|token| RESULTS.contains(&token.word()));
            statement.is_fact && !(statement.is_there && results)
        });
        let own = self.tokens.get(start).is_some_and(|token| REASONS.contains(&token.word()));
        // In "add the text "Hi", the letters are very thin", the statement describes the text.
        if statement.names_thing && !own && step.is_some_and(adds) {
            return None;
        }
        (joined && no_wish).then_some(statement)
    }

    /// Whether a clause only continues the statement before it: "the sky is blue and brighter".
    pub(super) fn goes_on(&self, start: usize, before: &[Part<'t>]) -> bool {
        let stated =
            before.last().is_some_and(|part| matches!(part.meaning, Meaning::Statement(_)));
        stated && !["", "so", "then", "but"].contains(&self.joint(start))
    }

    /// The word that joins the piece at a position with the previous one, or nothing.
    fn joint(&self, start: usize) -> &'t str {
        let own = self.tokens.get(start).map_or("", Token::word);
        if common_words::LEADING_SEPARATORS.contains(&own) {
            return "";
        }
        self.word_before(start)
    }
}

/// Whether an edit puts something on the image, which a statement after it may describe.
fn adds(part: &Part<'_>) -> bool {
    matches!(&part.meaning, Meaning::Step(found)
        if !found.step.operation().regional() && !CUTTING.contains(&found.step.capability().name))
}

/// Whether statements make it unclear what the edits of an instruction apply to.
pub(super) fn leave_open(parts: &[Part<'_>]) -> bool {
    parts.iter().enumerate().any(|(number, part)| {
        let Meaning::Statement(statement) = part.meaning else { return false };
        let (before, after) = parts.split_at(number);
        limits(part, parts)
            || (statement.names_thing
                && (after.iter().any(|later| may_mean(later, part))
                    || before
                        .iter()
                        .any(|step| hides(step) || (statement.complains && tones(step)))))
    })
}

/// Whether a statement names a place or an amount that no edit names.
fn limits(part: &Part<'_>, parts: &[Part<'_>]) -> bool {
    let steps = parts.iter().filter(|part| part.is_step()).flat_map(|part| &part.tokens);
    observations::limits(&part.tokens)
        .any(|limit| !steps.clone().any(|token| token.kind == limit.kind))
}

/// Whether a later edit, or a "leave it alone", may refer to the thing that a statement names.
fn may_mean(later: &Part<'_>, stated: &Part<'_>) -> bool {
    let refers = refers(&later.tokens);
    match &later.meaning {
        Meaning::Step(found) => {
            refers
                || found.head.iter().any(|head| shared(head, stated))
                || is_elliptic(found, later)
        }
        Meaning::LeftAlone(_) => refers,
        _ => false,
    }
}

/// Whether the words contain a pronoun that refers to a thing, unlike "this picture".
fn refers(tokens: &[&Token]) -> bool {
    let words: Vec<&str> = tokens.iter().map(|token| token.word()).collect();
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        PRONOUNS.contains(word) && !is_object(next)
    })
}

/// Whether the statement mentions what the edit changes: "the contrast of the sky is low".
fn shared(head: &Token, stated: &Part<'_>) -> bool {
    stated.tokens.iter().any(|token| token.word() == head.word())
}

/// Whether an edit that could be limited to a thing doesn't say what it applies to.
fn is_elliptic(found: &Found<'_>, part: &Part<'_>) -> bool {
    let named = part.tokens.iter().any(|token| is_object(token.word()));
    found.step.operation().regional() && found.place.is_none() && !named
}

/// Whether a word names the image or a property of the whole image.
fn is_object(word: &str) -> bool {
    PICTURES.contains(&word)
        || WHOLE.contains(&word)
        || CHANGED.contains(&word)
        || reasons::SUBJECTS.contains(&word)
}

/// Whether an edit may apply to a thing that is only named later: "brighten it, the dog is dark".
fn tones(part: &Part<'_>) -> bool {
    matches!(&part.meaning, Meaning::Step(found)
        if found.step.operation().regional()
            && found.place.is_none()
            && (refers(&part.tokens) || is_elliptic(found, part)))
}

fn hides(part: &Part<'_>) -> bool {
    matches!(&part.meaning, Meaning::Step(found)
        if HIDING.contains(&found.step.capability().name) && found.place.is_none())
}
