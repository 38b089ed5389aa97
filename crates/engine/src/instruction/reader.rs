//! Divides an instruction into clauses and finds the step that each clause asks for.

mod belonging;
mod clauses;
mod making;
mod nearest;
mod opposites;
mod order;
mod placing;
mod question;
mod sharing;
mod stating;
mod vague;

use super::observations::{self, Statement};
use super::reasons::{self, LeftAlone};
use super::split::{self, Piece};
use super::token::{Kind, Token};
use super::{
    Context, budget, common_words, edit_lists, generative, idiom, image_labels, number,
    salutations, separators, spelling, token,
};
use crate::operations::Wanted;
use crate::{Plan, Refusal, RefusalKind, Step, Understood};
use order::Turn;
use std::collections::BTreeSet;

/// The most pieces (the text between separators) that one clause may span.
const CLAUSE_PIECES_MAX: usize = 6;
/// The mark that ends a question.
const ASKS: Kind = Kind::Mark('?');
/// The most pieces for the description of an image: four colors, a measure and a size.
const MAKING_PIECES_MAX: usize = 6;

/// Reads all steps of an instruction. Steps from other fields of the request are added later.
pub(super) fn steps(instruction: &str, context: &Context) -> Result<Plan, Refusal> {
    let body = salutations::without_names(&token::cut(instruction), instruction);
    let body = separators::joined(&body, instruction)?;
    let mut tokens = number::join_number_words(&edit_lists::separated(&body));
    let assumed = spelling::correct(&mut tokens);
    if context.inputs > 0 {
        tokens = idiom::plain(&tokens, context.inputs);
        if let Some(refusal) = idiom::exceptions::refused(&tokens, instruction) {
            return Err(refusal);
        }
    }
    let words = (instruction, tokens.as_slice());
    let read = read_words(words, context, assumed.clone(), false);
    let read = read.or_else(|refusal| read_stated(words, context, assumed.clone(), refusal));
    let read = match context.inputs {
        0 => read,
        _ => read_labels(words, context, (read, assumed)).and_then(|plan| {
            let ignored = idiom::exceptions::ignored(&plan, &tokens, instruction);
            ignored.map_or(Ok(plan), Err)
        }),
    };
    if budget::is_spent() {
        return Err(budget::refusal(instruction));
    }
    read.map_err(|refusal| {
        let refusal = separators::told(refusal, instruction);
        let refusal = opposites::told(refusal, &tokens, instruction);
        let refusal = question::told(refusal, &tokens, instruction);
        let refusal = match context.inputs {
            0 => refusal,
            _ => vague::told(refusal, &tokens, instruction),
        };
        nearest::told(refusal, &tokens, context)
    })
}

/// Reads existing tokens, for a plan that is only suggested.
fn read_tokens(tokens: &[Token], context: &Context) -> Result<Plan, Refusal> {
    read_words(("", tokens), context, Vec::new(), false)
}

/// Refuses a plan that edits a different image than its words name. A number that names the first
/// image is ignored, because that image is edited anyway.
fn read_labels(
    (instruction, tokens): (&str, &[Token]),
    context: &Context,
    (read, assumed): (Result<Plan, Refusal>, Vec<String>),
) -> Result<Plan, Refusal> {
    let said = (instruction, context.inputs);
    let refusal = match read {
        Ok(plan) => match image_labels::wrong(&plan, tokens, said) {
            None => return Ok(plan),
            Some(refusal) => refusal,
        },
        Err(refusal) => refusal,
    };
    let Some((rest, is_first)) = image_labels::without_numbers(tokens, instruction) else {
        return Err(refusal);
    };
    let Ok(plan) = read_words((instruction, &rest), context, assumed, false) else {
        return Err(refusal);
    };
    match image_labels::wrong(&plan, tokens, said) {
        Some(_) if is_first => Ok(plan),
        Some(refusal) => Err(refusal),
        None => Err(refusal),
    }
}

/// Reads refused words again, this time allowing statements with unknown words ("there's a bin
/// there"). If that fails too, the first refusal is kept.
fn read_stated(
    (instruction, tokens): (&str, &[Token]),
    context: &Context,
    assumed: Vec<String>,
    refusal: Refusal,
) -> Result<Plan, Refusal> {
    let unclear =
        matches!(refusal.kind, RefusalKind::NotUnderstood | RefusalKind::NeedsGenerativeModel);
    if !unclear || context.inputs == 0 {
        return Err(refusal);
    }
    let apart = observations::set_apart(tokens);
    read_words((instruction, &apart), context, assumed, true).map_err(|_| refusal)
}

fn read_words(
    (instruction, tokens): (&str, &[Token]),
    context: &Context,
    assumed: Vec<String>,
    stating: bool,
) -> Result<Plan, Refusal> {
    let making = making::wanted(context);
    let also = if making.is_some() { common_words::MADE_WITH } else { &[] };
    let pieces = split::pieces(tokens, also);
    let reader = Reader { instruction, tokens, pieces, making, stating };
    reader.known()?;
    reader.pronouns()?;
    let mut search = Search::default();
    if !reader.search(0, &mut search) {
        let refusal = search.refusal.map_or_else(|| reader.nothing(), |(_, refusal)| refusal);
        return Err(reader.without_picture(refusal));
    }
    reader.plan(&search.parts, (context, assumed))
}

/// An instruction that has been cut into pieces.
struct Reader<'t> {
    instruction: &'t str,
    tokens: &'t [Token],
    pieces: Vec<Piece>,
    /// The wanted size of the image that the first clause describes. `None` if images were sent.
    making: Option<Wanted>,
    /// Whether a clause may be a statement with words that are in no table.
    stating: bool,
}

/// One clause that was read.
#[derive(Debug, Clone)]
struct Part<'t> {
    /// The index of its first piece.
    at: usize,
    /// Whether a strong separator precedes it.
    strong: bool,
    /// Whether it says when it should happen.
    turn: Turn,
    /// Its tokens.
    tokens: Vec<&'t Token>,
    meaning: Meaning<'t>,
}

#[derive(Debug, Clone)]
enum Meaning<'t> {
    /// It asks for a step.
    Step(Box<clauses::Found<'t>>),
    /// It rules out these operations.
    LeftAlone(LeftAlone),
    /// It only gives a reason.
    Reason,
    /// It only describes something, with words that are in no table.
    Statement(Statement),
    /// It consists only of polite words or words of order.
    Nothing,
}

/// The state of the search for clauses.
#[derive(Default)]
struct Search<'t> {
    parts: Vec<Part<'t>>,
    /// Dead ends found earlier, as the positions of the previous clause and this one.
    dead: BTreeSet<(usize, usize)>,
    /// The refusal furthest into the instruction, because it explains the problem best.
    refusal: Option<(usize, Refusal)>,
}

impl<'t> Reader<'t> {
    /// Reads the pieces from `at` on. It tries the shortest clause first and longer ones if that
    /// fails. The description of an image is as long as possible, because more words make it exact.
    fn search(&self, at: usize, search: &mut Search<'t>) -> bool {
        if at >= self.pieces.len() {
            return true;
        }
        let before = search.parts.last().map_or(usize::MAX, |part| part.at);
        if search.dead.contains(&(before, at)) {
            return false;
        }
        let describes = self.making.is_some() && !search.parts.iter().any(Part::is_step);
        let mut lengths: Vec<usize> = (1..=CLAUSE_PIECES_MAX).collect();
        if describes {
            lengths = (1..=MAKING_PIECES_MAX).rev().collect();
        }
        for length in lengths {
            let Some(group) = self.pieces.get(at..at + length) else { continue };
            if group.iter().skip(1).any(|piece| piece.strong) {
                continue;
            }
            let parts = search.parts.clone();
            match self.part(at, group, &mut search.parts) {
                Ok(part) => {
                    search.parts.push(part);
                    if self.search(at + length, search) {
                        return true;
                    }
                }
                // For a description, the refusal of the longest reading is the most helpful.
                Err(_) if describes && search.refusal.is_some() => {}
                Err(refusal) => self.note(search, (at + length, refusal)),
            }
            search.parts = parts;
        }
        search.dead.insert((before, at));
        false
    }

    fn note(&self, search: &mut Search<'t>, (reached, refusal): (usize, Refusal)) {
        // The first refusal of the shortest reading quotes the words most precisely.
        let start = self.pieces.get(reached.saturating_sub(1)).map_or(0, |piece| piece.start);
        let better =
            search.refusal.as_ref().is_none_or(|(old, _)| refusal.span[0] > *old && start > *old);
        if better {
            search.refusal = Some((refusal.span[0].max(start), refusal));
        }
    }

    /// Refuses words that are in no table, and quotes from the first to the last in the same piece.
    fn known(&self) -> Result<(), Refusal> {
        if self.making.is_some() || self.stating {
            return Ok(());
        }
        let Some(from) = spelling::unknown(self.tokens, 0..self.tokens.len()).next() else {
            return Ok(());
        };
        let piece = self.pieces.iter().rev().find(|piece| piece.start <= from);
        let (start, end) = piece.map_or((0, from + 1), |piece| (piece.start, piece.end));
        let last = spelling::unknown(self.tokens, from..end.max(from + 1)).last().unwrap_or(from);
        Err(self.stopped(start, (from, last + 1)))
    }

    /// A refusal that quotes words without a meaning here.
    fn stopped(&self, start: usize, (from, to): (usize, usize)) -> Refusal {
        let piece = self.pieces.iter().find(|piece| piece.start < to && to <= piece.end);
        let end = piece.map_or(to, |piece| piece.end);
        let (kind, from) = match self.making {
            Some(_) => (RefusalKind::NeedsGenerativeModel, from),
            None => generative::class(self.tokens, (start, end), (from, to)),
        };
        let to = match kind {
            RefusalKind::NeedsGenerativeModel => end,
            _ => to,
        };
        let span = self.span(from, to);
        let quoted = Refusal::new(kind, "").quoting(self.instruction, span);
        let words = &quoted.words;
        let message = match kind {
            _ if self.making.is_some() => making::beyond(words),
            RefusalKind::NeedsGenerativeModel => format!(
                "\"{words}\" needs a generative model; the built-in editor makes exact edits only \
                 (tone, color, crop, size, rotation, blur, border, text)"
            ),
            _ => format!("\"{words}\" wasn't understood, so nothing was changed"),
        };
        Refusal { message, ..quoted }
    }

    fn nothing(&self) -> Refusal {
        let end = self.instruction.chars().count();
        Refusal::new(
            RefusalKind::AsksForNothing,
            "the instruction doesn't ask for an edit; say what to change, for example \
             \"make it brighter\"",
        )
        .quoting(self.instruction, [0, end])
    }

    /// The refusal of words that only describe a problem. The edit it suggests is a guess.
    fn complaint(&self, parts: &[Part<'t>]) -> Option<Refusal> {
        let reason = parts.iter().find(|part| matches!(part.meaning, Meaning::Reason))?;
        let words: Vec<&str> = reason.tokens.iter().map(|token| token.word()).collect();
        let remedy = reasons::remedy(&words.join(" ")).unwrap_or("make it brighter");
        let message = format!(
            "this describes a problem, not an edit; say what to change, for example \"{remedy}\""
        );
        Some(Refusal { message, ..self.nothing() })
    }

    fn span(&self, from: usize, to: usize) -> [usize; 2] {
        let start = self.tokens.get(from).map_or(0, |token| token.start);
        let end = to.checked_sub(1).and_then(|last| self.tokens.get(last));
        [start, end.map_or(start, |token| token.end)]
    }

    /// Makes a plan from the clauses, with the checks that need all of them.
    fn plan(
        &self,
        parts: &[Part<'t>],
        (context, assumed): (&Context, Vec<String>),
    ) -> Result<Plan, Refusal> {
        let parts = self.in_order(parts)?;
        let parts = parts.as_slice();
        let mut plan = Plan::new(Vec::new());
        plan.assumed = assumed;
        for part in parts {
            let understood = self.understood(part);
            let mut step = None;
            if let Meaning::Step(found) = &part.meaning {
                step = Some(plan.steps.len());
                let placed = found.placed();
                placed.operation().check().map_err(|message| {
                    Refusal::out_of_range(message).quoting(self.instruction, understood.span)
                })?;
                let last = plan.steps.last();
                let whole = last.and_then(|last| together(last, &found.step, part.strong));
                match (whole, plan.steps.last_mut()) {
                    (Some(whole), Some(last)) => {
                        plan.assumed.extend(whole_assumed(&whole));
                        *last = whole;
                        step = plan.steps.len().checked_sub(1);
                    }
                    _ => plan.steps.push(placed),
                }
                plan.steps.extend(found.more.iter().cloned());
                plan.assumed.extend(found.assumed.iter().cloned());
            }
            plan.understood.push(Understood { step, ..understood });
        }
        if plan.steps.is_empty() {
            return Err(self.complaint(parts).unwrap_or_else(|| self.nothing()));
        }
        if stating::leave_open(parts) {
            return Err(self.nothing());
        }
        self.agrees(parts)?;
        self.apart(&plan)?;
        self.enough_inputs(parts, context)?;
        Ok(plan)
    }

    fn understood(&self, part: &Part<'t>) -> Understood {
        let start = part.tokens.first().map_or(0, |token| token.start);
        let end = part.tokens.last().map_or(start, |token| token.end);
        let quoted =
            Refusal::new(RefusalKind::NotUnderstood, "").quoting(self.instruction, [start, end]);
        Understood { span: quoted.span, words: quoted.words, step: None }
    }

    /// Refuses clauses that contradict each other.
    fn agrees(&self, parts: &[Part<'t>]) -> Result<(), Refusal> {
        for (number, part) in parts.iter().enumerate() {
            let Meaning::Step(found) = &part.meaning else { continue };
            let name = found.step.capability().name;
            let refuse = |other: &Part<'t>| {
                let (first, second) = (self.understood(part), self.understood(other));
                Refusal::contradiction(format!(
                    "\"{}\" and \"{}\" contradict each other; choose one",
                    first.words, second.words
                ))
                .quoting(self.instruction, second.span)
            };
            for other in parts {
                if matches!(&other.meaning, Meaning::LeftAlone(left) if left.names.contains(&name))
                {
                    return Err(refuse(other));
                }
            }
            let later = parts.iter().skip(number + 1).take_while(|later| !later.strong);
            for other in later {
                if let Meaning::Step(next) = &other.meaning
                    && found.placed_alike(next)
                    && opposed(&found.step, &next.step)
                {
                    return Err(refuse(other));
                }
            }
        }
        Ok(())
    }

    /// Refuses to join a single image, or to use images that were not sent.
    fn enough_inputs(&self, parts: &[Part<'t>], context: &Context) -> Result<(), Refusal> {
        for part in parts {
            let Meaning::Step(found) = &part.meaning else { continue };
            let refuse = |message: String| {
                Err(Refusal::missing(message).quoting(self.instruction, self.understood(part).span))
            };
            let operation = found.step.operation();
            if operation.joins() && context.inputs < 2 {
                return refuse("this combines images; send at least two".to_owned());
            }
            let taken = operation.takes().unwrap_or(1);
            if taken > context.inputs.max(1) {
                let sent = context.inputs;
                return refuse(format!("image {taken} is missing; images sent: {sent}"));
            }
            let other = part.tokens.iter().any(|token| token.word() == "other");
            if other && operation.takes().is_some() && context.inputs > 2 {
                return refuse(format!(
                    "there are {} images; give the number of the one you mean",
                    context.inputs
                ));
            }
        }
        Ok(())
    }
}

/// Merges two steps into one. Two crops and the two ends of the levels are merged only within one
/// sentence. Two sides of a size, and two texts that look the same and share a place, are always
/// merged.
fn together(first: &Step, second: &Step, strong: bool) -> Option<Step> {
    match (first, second) {
        (Step::Crop(first), Step::Crop(second)) if !strong => {
            first.together(second).map(Step::Crop)
        }
        (Step::Levels(first), Step::Levels(second)) if !strong => {
            first.together(second).map(Step::Levels)
        }
        (Step::Resize(first), Step::Resize(second)) => first.together(second).map(Step::Resize),
        (Step::Text(first), Step::Text(second)) => first.together(second).map(Step::Text),
        _ => None,
    }
}

/// The assumption behind merging two sides into a size, or two texts into one.
fn whole_assumed(whole: &Step) -> Option<String> {
    match whole {
        Step::Resize(_) => Some("the image is stretched to exactly this size".to_owned()),
        Step::Text(_) => Some("the texts are put on separate lines".to_owned()),
        _ => None,
    }
}

/// Whether two steps contradict each other: opposite changes, or two sizes.
fn opposed(first: &Step, second: &Step) -> bool {
    let same = first.capability().name == second.capability().name
        && first.operation().subject() == second.operation().subject();
    let change = |step: &Step| step.operation().change().unwrap_or(0.0);
    let sizes = matches!((first, second), (Step::Resize(_), Step::Resize(_)));
    (sizes && together(first, second, false).is_none())
        || (same && change(first) * change(second) < 0.0)
}
