//! Statements beside edits: which of them may be left out of a plan, and which would change it.

use super::super::statement::{self, PICTURES, REASONS, Statement};
use super::super::token::Token;
use super::super::{remarks, words};
use super::clauses::Found;
use super::{Meaning, Part, Reader};

/// Verbs of an edit that says how the picture should be; "there is a moon" behind it may be a wish.
const RESULTS: &[&str] = &[
    "make", "turn", "let", "have", "want", "need", "give", "add", "put", "like", "create", "show",
];
/// What may stand for a thing that was named before.
const PRONOUNS: &[&str] = &[
    "it", "its", "this", "that", "these", "those", "them", "they", "their", "one", "ones", "him",
    "her", "his", "she", "he",
];
/// Words for the picture as a whole besides its names.
const WHOLE: &[&str] = &["everything", "whole", "entire", "overall"];
/// What an edit changes, besides what a reason may be about: with one of these, it is of the picture.
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
/// Edits of the picture's edges, sides and size.
const CUTTING: &[&str] = &["crop", "rotate", "flip", "resize", "trim"];
/// Edits by which something is hidden: "blur it, the number is too clear" means a part of it.
const HIDING: &[&str] = &["blur", "box_blur", "pixelate", "median", "motion_blur"];

impl<'t> Reader<'t> {
    /// Reads pieces that no table explains as a statement, where it can be one behind the clauses
    /// before.
    pub(super) fn statement(
        &self,
        (start, end): (usize, usize),
        before: &[Part<'t>],
    ) -> Option<Statement> {
        let asked = self.tokens.get(end).is_some_and(|token| token.kind == super::ASKS);
        let statement = statement::read(self.tokens.get(start..end)?)?;
        // "can you make it sepia so it matches the others?" asks for the edit, not for that.
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
        // "add the text "Hi", the letters are very thin" says what the text is like.
        if statement.names_thing && !own && step.is_some_and(adds) {
            return None;
        }
        (joined && no_wish).then_some(statement)
    }

    /// Whether a clause only goes on with what a statement before it says: "the sky is blue and
    /// brighter".
    pub(super) fn goes_on(&self, start: usize, before: &[Part<'t>]) -> bool {
        let stated =
            before.last().is_some_and(|part| matches!(part.meaning, Meaning::Statement(_)));
        stated && !["", "so", "then", "but"].contains(&self.joint(start))
    }

    /// The word that joins the piece at a position with the one before, if it is one.
    fn joint(&self, start: usize) -> &'t str {
        let own = self.tokens.get(start).map_or("", Token::word);
        if words::LEADING_SEPARATORS.contains(&own) {
            return "";
        }
        self.word_before(start)
    }
}

/// Whether an edit puts something on the picture, which a statement behind it may describe.
fn adds(part: &Part<'_>) -> bool {
    matches!(&part.meaning, Meaning::Step(found)
        if !found.step.operation().regional() && !CUTTING.contains(&found.step.capability().name))
}

/// Whether the statements of an instruction leave it open what its edits are done to.
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

/// Whether a statement has a place or an amount that no edit has.
fn limits(part: &Part<'_>, parts: &[Part<'_>]) -> bool {
    let steps = parts.iter().filter(|part| part.is_step()).flat_map(|part| &part.tokens);
    statement::limits(&part.tokens)
        .any(|limit| !steps.clone().any(|token| token.kind == limit.kind))
}

/// Whether an edit, or what is left alone, may mean the thing that a statement names.
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

/// Whether a pronoun stands among the words, and not "this picture".
fn refers(tokens: &[&Token]) -> bool {
    let words: Vec<&str> = tokens.iter().map(|token| token.word()).collect();
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        PRONOUNS.contains(word) && !is_object(next)
    })
}

/// Whether the statement is about what the edit changes: "the contrast of the sky is low".
fn shared(head: &Token, stated: &Part<'_>) -> bool {
    stated.tokens.iter().any(|token| token.word() == head.word())
}

/// Whether an edit that could be limited to a thing does not say to what it is done.
fn is_elliptic(found: &Found<'_>, part: &Part<'_>) -> bool {
    let named = part.tokens.iter().any(|token| is_object(token.word()));
    found.step.operation().regional() && found.place.is_none() && !named
}

/// Whether a word names the picture or what there is all over it.
fn is_object(word: &str) -> bool {
    PICTURES.contains(&word)
        || WHOLE.contains(&word)
        || CHANGED.contains(&word)
        || remarks::SUBJECTS.contains(&word)
}

/// Whether an edit that could be limited to a thing names nothing else: "brighten it, the dog is dark".
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
