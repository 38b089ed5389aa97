//! Finds the meaning of one clause.

use super::super::clause::Clause;
use super::super::region::Where;
use super::super::split::Piece;
use super::super::token::{Kind, Token};
use super::super::{budget, common_words, reasons};
use super::order::Turn;
use super::{Meaning, Part, Reader, belonging, placing, sharing};
use crate::operations::{
    MAKING_READINGS, READINGS, Reading, SHAPE_READING, Wanted, Within, described,
};
use crate::{Refusal, RefusalKind, Step};

/// A step and the words that it came from.
#[derive(Debug, Clone)]
pub(super) struct Found<'t> {
    pub(super) step: Step,
    /// Further steps from the same words, such as a shape on a background that is created.
    pub(super) more: Vec<Step>,
    pub(super) assumed: Vec<String>,
    /// The part of the image that it is limited to.
    pub(super) place: Option<Where>,
    /// Words that say more, less or set.
    pub(super) direction: Vec<&'t Token>,
    /// Words that say how much.
    pub(super) amount: Vec<&'t Token>,
    /// Words that name the operation.
    pub(super) head: Vec<&'t Token>,
}

impl<'t> Reader<'t> {
    /// Reads a group of pieces as one clause, given the clauses before it.
    pub(super) fn part(
        &self,
        at: usize,
        group: &[Piece],
        before: &mut [Part<'t>],
    ) -> Result<Part<'t>, Refusal> {
        let read = self.plain_part(at, group, before);
        match (group, read) {
            ([piece], Err(refusal)) if self.stating => {
                let Some(statement) = self.statement((piece.start, piece.end), before) else {
                    return Err(refusal);
                };
                let tokens = self.tokens.get(piece.start..piece.end).unwrap_or_default();
                let (tokens, meaning) = (tokens.iter().collect(), Meaning::Statement(statement));
                Ok(Part { at, strong: piece.strong, turn: Turn::AsSaid, tokens, meaning })
            }
            (_, read) => read,
        }
    }

    /// Reads a group of pieces as one clause in which the tables contain every word.
    fn plain_part(
        &self,
        at: usize,
        group: &[Piece],
        before: &mut [Part<'t>],
    ) -> Result<Part<'t>, Refusal> {
        let start = group.first().map_or(0, |piece| piece.start);
        let end = group.last().map_or(start, |piece| piece.end);
        let mut tokens = self.ordered(start, end);
        let turn = Turn::taken(&mut tokens);
        let strong = group.first().is_some_and(|piece| piece.strong);
        let part = |meaning| Part { at, strong, turn, tokens: tokens.clone(), meaning };
        let clause = Clause::new(tokens.clone());
        if clause.leftover().is_none() && !asks_for_more(&clause, before) {
            return Ok(part(Meaning::Nothing));
        }
        if !strong && (belongs(&clause, before) || belonging::describes(&clause, before)) {
            return Err(self.stopped(start, (start, end)));
        }
        if let Some(left) = reasons::left_alone(&clause) {
            return Ok(part(Meaning::LeftAlone(left)));
        }
        if reasons::is_reason(&clause) {
            return Ok(part(Meaning::Reason));
        }
        if self.goes_on(start, before) {
            return Err(self.stopped(start, (start, end)));
        }
        self.joined_clearly(start, before).map_err(|refusal| {
            refusal.quoting(self.instruction, self.span(start.saturating_sub(1), end))
        })?;
        let referring = referring(&tokens, before);
        let shared = match referring {
            Some(Ok(found)) => Some(found),
            Some(Err(stop)) => return Err(self.explained(stop, start, &tokens)),
            None if strong => None,
            None => sharing::read(&tokens, before),
        };
        let found = match self.making {
            _ if shared.is_some() => shared.ok_or(Stop::Words(0, 0)),
            Some(wanted) if !before.iter().any(Part::is_step) => made(&tokens, wanted),
            Some(_) => read_with(tokens.clone(), &[READINGS, MAKING_READINGS, &[SHAPE_READING]]),
            None => read(tokens.clone()),
        };
        let mut found = found.map_err(|stop| self.explained(stop, start, &tokens))?;
        if matches!(found.step, Step::Text(_)) && self.word_before(start) == "and" {
            let look = group.get(1).map_or(end, |piece| piece.start);
            sharing::give_look(
                &self.tokens.get(look..end).unwrap_or_default().iter().collect::<Vec<_>>(),
                before,
            );
        }
        if !strong {
            placing::settle(&mut found, &clause, before)
                .map_err(|refusal| refusal.quoting(self.instruction, self.span(start, end)))?;
        }
        Ok(part(Meaning::Step(Box::new(found))))
    }

    /// Refuses a choice ("rotate or flip") and a "not" that may cover two edits ("don't crop and
    /// rotate").
    fn joined_clearly(&self, start: usize, before: &[Part<'t>]) -> Result<(), Refusal> {
        let joint = self.word_before(start);
        let negated = matches!(
            before.last().map(|part| &part.meaning),
            Some(Meaning::LeftAlone(left)) if left.negated
        );
        match joint {
            "or" => Err(Refusal::missing("\"or\" doesn't say which edit you want; choose one")),
            "and" if negated => Err(Refusal::missing(
                "it isn't clear what the \"not\" applies to; say first what to \
                 change, then what to keep",
            )),
            _ => Ok(()),
        }
    }

    /// The word before a position.
    pub(super) fn word_before(&self, start: usize) -> &'t str {
        start.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or("", Token::word)
    }

    /// The tokens of a clause without its leading words of order, such as "first".
    fn ordered(&self, start: usize, end: usize) -> Vec<&'t Token> {
        let mut tokens: Vec<&Token> =
            self.tokens.get(start..end).unwrap_or_default().iter().collect();
        loop {
            let clause = Clause::new(tokens.clone());
            let first = clause.find(common_words::ORDER).filter(|(_, at, _)| *at == 0);
            match first {
                Some((_, _, length)) if !pictures_follow(&tokens, length) => {
                    drop(tokens.drain(..length));
                }
                _ => return tokens,
            }
        }
    }

    /// Turns the reason why reading stopped into a refusal that quotes the words.
    fn explained(&self, stop: Stop, start: usize, tokens: &[&'t Token]) -> Refusal {
        let offset = tokens
            .first()
            .and_then(|first| self.tokens.iter().position(|token| token.start == first.start));
        let offset = offset.unwrap_or(start);
        match stop {
            Stop::Words(from, to) => self.stopped(start, (offset + from, offset + to)),
            Stop::Refused(refusal, _) => {
                refusal.quoting(self.instruction, self.span(offset, offset + tokens.len()))
            }
        }
    }
}

/// Whether a clause is like "add some" and the reason before it says what: "not enough contrast,
/// add some".
fn asks_for_more(clause: &Clause<'_>, before: &[Part<'_>]) -> bool {
    let reason = before.last().filter(|part| matches!(part.meaning, Meaning::Reason));
    reason.is_some_and(|part| reasons::subject(&part.tokens).is_some())
        && clause.clone().direction().is_some()
}

/// Reads a clause whose pronoun refers to the subject of the reason before it: "the contrast is too
/// low, bump it up".
fn referring<'t>(tokens: &[&'t Token], before: &[Part<'t>]) -> Option<Result<Found<'t>, Stop>> {
    const ONE: &[&str] = &["it", "that"];
    const SEVERAL: &[&str] = &["them", "those", "these"];
    let Some(Part { meaning: Meaning::Reason, tokens: reason, .. }) = before.last() else {
        return None;
    };
    let subject = reasons::subject(reason)?;
    let several = subject.word().ends_with('s') && !subject.word().ends_with("ss");
    let pronouns = if several { SEVERAL } else { ONE };
    let at = tokens.iter().position(|token| pronouns.contains(&token.word()));
    let mut bound = tokens.to_vec();
    match at.and_then(|at| bound.get_mut(at)) {
        Some(pronoun) => *pronoun = subject,
        // "too much red, take 10% off": only if the clause has no meaning alone.
        None if read(tokens.to_vec()).is_ok() => return None,
        None => bound.push(subject),
    }
    match read(bound) {
        Ok(found) if found.head.contains(&subject) => Some(Ok(found)),
        // The colors of an image make up the whole image.
        Ok(found) if subject.word() == "colors" && at.is_some() => Some(Ok(found)),
        // "the shadows are too dark, crop them" does not mean the whole image.
        Ok(_) | Err(Stop::Words(..)) if several && at.is_some() => {
            Some(Err(Stop::Words(0, tokens.len())))
        }
        _ => None,
    }
}

/// Whether a clause only adds details to the step before it.
fn belongs(clause: &Clause<'_>, before: &[Part<'_>]) -> bool {
    match before.last().map(|part| &part.meaning) {
        Some(Meaning::Step(found)) => clause.has(found.step.operation().belongings()),
        _ => false,
    }
}

/// Whether an image follows a word such as "first", which then doesn't order steps.
fn pictures_follow(tokens: &[&Token], at: usize) -> bool {
    let pictures = ["picture", "image", "photo", "pictures", "images", "photos", "one"];
    tokens.get(at).is_some_and(|token| {
        pictures.contains(&token.word()) || matches!(token.kind, Kind::Number { .. })
    })
}

/// Why a clause is no step.
pub(super) enum Stop {
    /// Words that no operation understood, as positions in the clause.
    Words(usize, usize),
    /// The operation that the clause names refuses it.
    Refused(Refusal, Taken),
}

/// How many words of a clause an operation understood before it refused.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    All,
    Some,
}

/// Reads the description of an image to create.
fn made<'t>(tokens: &[&'t Token], wanted: Wanted) -> Result<Found<'t>, Stop> {
    let mut clause = Clause::new(tokens.to_vec());
    let described = described(&mut clause, wanted);
    match (described, clause.leftover()) {
        // A missing detail may be among the words that were not understood.
        (Err(refusal), left) if left.is_none() || refusal.kind != RefusalKind::MissingDetail => {
            Err(Stop::Refused(refusal, Taken::All))
        }
        (Ok(Some((make, more))), None) => Ok(Found { more, ..Found::new(make.into(), &clause) }),
        (_, left) => {
            let (from, to) = left.unwrap_or((0, tokens.len()));
            Err(Stop::Words(from, to))
        }
    }
}

/// Reads a clause with every operation on images. Exactly one must understand all of its words.
pub(super) fn read(tokens: Vec<&Token>) -> Result<Found<'_>, Stop> {
    read_with(tokens, &[READINGS])
}

fn read_with<'t>(tokens: Vec<&'t Token>, tables: &[&[Reading]]) -> Result<Found<'t>, Stop> {
    let clause = Clause::new(tokens);
    match read_clause(&clause, tables) {
        // If an operation understood all words and refused them, they have no other meaning.
        Err(stop) if !matches!(stop, Stop::Refused(_, Taken::All)) => {
            read_part(clause, tables).unwrap_or(Err(stop))
        }
        whole => whole,
    }
}

/// Reads a clause that names a part of the image, after setting those words aside.
fn read_part<'t>(mut clause: Clause<'t>, tables: &[&[Reading]]) -> Option<Result<Found<'t>, Stop>> {
    let place = clause.region()?;
    let found = read_clause(&clause, tables).ok()?;
    if found.step.operation().regional() {
        return Some(Ok(Found { place: Some(place), ..found }));
    }
    let words = found.step.operation().words();
    let refusal = Refusal::missing(format!(
        "\"{words}\" can only be applied to the whole image; leave out the part, or ask for a \
         change of its tone, color or sharpness"
    ));
    Some(Err(Stop::Refused(refusal, Taken::All)))
}

/// Reads a clause as one operation.
fn read_clause<'t>(clause: &Clause<'t>, tables: &[&[Reading]]) -> Result<Found<'t>, Stop> {
    let mut found: Option<(Step, Clause<'_>)> = None;
    let mut refused: Option<(usize, Taken, Refusal)> = None;
    let mut least: Option<(usize, Clause<'_>)> = None;
    for reading in tables.iter().copied().flatten() {
        // Pays for the copy and for what the reading looks at other than phrases.
        budget::spend(clause.tokens().len() as u64);
        let mut trial = clause.clone();
        match reading(&mut trial) {
            Ok(None) => {}
            Ok(Some(step)) if trial.leftover().is_none() => match &found {
                Some((other, _)) if *other != step => {
                    return Err(Stop::Refused(ambiguous(other, &step), Taken::All));
                }
                _ => found = Some((step, trial)),
            },
            Ok(Some(_)) if least.as_ref().is_none_or(|(open, _)| trial.open_count() < *open) => {
                least = Some((trial.open_count(), trial));
            }
            Ok(Some(_)) => {}
            Err(refusal)
                if refused.as_ref().is_none_or(|(open, ..)| trial.open_count() < *open) =>
            {
                let taken = if trial.leftover().is_none() { Taken::All } else { Taken::Some };
                refused = Some((trial.open_count(), taken, refusal));
            }
            Err(_) => {}
        }
    }
    if let Some((step, clause)) = found {
        return Ok(Found::new(step, &clause));
    }
    match (refused, least) {
        (Some((open, taken, refusal)), least)
            if least.as_ref().is_none_or(|(other, _)| open <= *other + 1) =>
        {
            Err(Stop::Refused(refusal, taken))
        }
        (_, least) => {
            let clause = least.map_or_else(|| clause.clone(), |(_, clause)| clause);
            let (from, to) = clause.leftover().unwrap_or((0, clause.tokens().len()));
            Err(Stop::Words(from, to))
        }
    }
}

impl<'t> Found<'t> {
    fn new(step: Step, clause: &Clause<'t>) -> Self {
        let pick = |positions: &[usize]| {
            let tokens = clause.tokens();
            positions.iter().filter_map(|at| tokens.get(*at).copied()).collect()
        };
        Self {
            step,
            more: Vec::new(),
            assumed: clause.assumed.clone(),
            place: None,
            direction: pick(&clause.direction_at),
            amount: pick(&clause.amount_at),
            head: pick(&clause.head_at),
        }
    }
}

impl Found<'_> {
    /// Whether both are limited to the same part of the image, or neither is.
    pub(super) fn placed_alike(&self, other: &Self) -> bool {
        let region = |found: &Self| found.place.as_ref().map(|place| place.region);
        region(self) == region(other)
    }

    /// The step, limited to its part of the image.
    pub(super) fn placed(&self) -> Step {
        match &self.place {
            Some(Where { region, .. }) => {
                Within { region: *region, step: Box::new(self.step.clone()) }.into()
            }
            None => self.step.clone(),
        }
    }
}

fn ambiguous(first: &Step, second: &Step) -> Refusal {
    let (first, second) = (first.operation().words(), second.operation().words());
    Refusal::new(
        RefusalKind::MissingDetail,
        format!("this could mean \"{first}\" or \"{second}\"; choose one"),
    )
}
