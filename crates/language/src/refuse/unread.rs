//! Explains why words could not be read: which of them, and what to say instead.

use super::span;
use super::wanted::{mentions_thing, wants_thing};
use crate::chart::{Chart, Edge};
use crate::rules::numbers;
use crate::sentence::{Meaning, Part, Stuck};
use crate::social;
use crate::token::Kind;
use crate::value::Category;
use retouch_engine::{Refusal, RefusalKind};

/// Words that begin a question, which no edit answers.
const QUESTIONS: &[&str] = &[
    "who", "whose", "what", "whats", "why", "when", "where", "which", "how", "is", "are", "was",
    "does", "did", "should",
];
/// Why a condition is refused.
pub(super) const CONDITION: &str =
    "the editor can't wait for a time or check a condition; say what to change";
/// Why an instruction without an edit is refused.
const NOTHING: &str = "the instruction doesn't ask for an edit";

/// Why the words from where the reading is stuck to the end of their clause are no edit.
pub(super) fn unread(instruction: &str, chart: &Chart<'_>, stuck: &Stuck) -> Refusal {
    let clause = [stuck.at, clause_end(chart, stuck.at)];
    let refusal = reason(instruction, chart, stuck, clause);
    Refusal { mentions_thing: mentions_thing(chart, clause), ..refusal }
}

fn reason(instruction: &str, chart: &Chart<'_>, stuck: &Stuck, clause: [usize; 2]) -> Refusal {
    let end = clause[1];
    if is_question(chart, stuck.at) {
        return question(instruction, chart, clause);
    }
    if let Some(refusal) = refused(instruction, chart, stuck, end) {
        return refusal;
    }
    if let Some(refusal) = unclear_number(instruction, chart, clause) {
        return refusal;
    }
    // "Don't remove the people" asks for nothing, whatever it is about.
    let forbids = chart.at(stuck.at).iter().any(|edge| {
        let verb = |edge: &Edge| matches!(edge.category, Category::Verb | Category::Model);
        edge.category == Category::Negation
            && edge.value.word() == "not"
            && chart.at(edge.end).iter().any(verb)
    });
    if forbids && stuck.parts.is_empty() && end == chart.tokens.len() {
        return asks_for_nothing(instruction, NOTHING);
    }
    if let Some(refusal) = known(instruction, chart, clause) {
        return refusal;
    }
    let words = unknown(chart, clause).unwrap_or(clause);
    // What no camera does is motion inside the image.
    if chart.lexicon.films() {
        return needs_model(instruction, chart, words);
    }
    let refusal =
        Refusal::new(RefusalKind::NotUnderstood, "").quoting(instruction, span(chart, words));
    let message = format!("\"{}\" wasn't understood, so nothing was changed", refusal.words);
    Refusal { message, ..refusal }
}

/// A complete reading that changes nothing.
pub(super) fn no_edit(instruction: &str, chart: &Chart<'_>, parts: &[Part]) -> Refusal {
    let whole = [0, chart.tokens.len()];
    if is_question(chart, 0) {
        return question(instruction, chart, whole);
    }
    // "The sky is too bright" wishes for something, "this is for the village hall" doesn't.
    let is_remark =
        |part: &&Part| matches!(&part.meaning, Meaning::Aside(aside) if aside.complains);
    let things = parts.iter().filter(is_remark).find(|part| {
        matches!(&part.meaning, Meaning::Aside(aside) if aside.about_thing)
            || (part.tokens[0]..part.tokens[1]).any(|at| chart.at(at).iter().any(is_thing))
    });
    let given = parts.iter().find_map(|part| match &part.meaning {
        Meaning::Edit { edit, .. } => edit.assumed.first(),
        _ => None,
    });
    match (given, things) {
        (None, Some(part)) => needs_model(instruction, chart, part.tokens),
        (given, _) => asks_for_nothing(instruction, given.map_or(NOTHING, String::as_str)),
    }
}

fn asks_for_nothing(instruction: &str, why: &str) -> Refusal {
    let message = format!("{why}; say what to change, for example \"make it brighter\"");
    let refusal = Refusal::new(RefusalKind::AsksForNothing, message);
    refusal.quoting(instruction, [0, instruction.chars().count()])
}

fn question(instruction: &str, chart: &Chart<'_>, tokens: [usize; 2]) -> Refusal {
    let message = "the editor can't answer questions; say what to change, for example \"make it \
        brighter\"";
    let refusal = Refusal::new(RefusalKind::NotUnderstood, message);
    refusal.quoting(instruction, span(chart, tokens))
}

fn needs_model(instruction: &str, chart: &Chart<'_>, tokens: [usize; 2]) -> Refusal {
    let refusal = Refusal::new(RefusalKind::NeedsGenerativeModel, "");
    let refusal = refusal.quoting(instruction, span(chart, tokens));
    let why = match chart.lexicon.films() {
        true => {
            "needs a model that can generate video; the built-in editor edits the image and moves \
            a camera over it (zoom, pan, rotate, fade): \"zoom in slowly, then fade out\""
        }
        false => {
            "needs a generative model; the built-in editor makes exact edits only (tone, color, \
            crop, size, rotation, blur, border, text)"
        }
    };
    Refusal { message: format!("\"{}\" {why}", refusal.words), ..refusal }
}

fn clause_end(chart: &Chart<'_>, start: usize) -> usize {
    let ends = |at: &usize| {
        matches!(chart.tokens[*at].text.as_str(), "," | "." | ";" | "!" | "?" | "\n" | "then")
    };
    (start + 1..chart.tokens.len()).find(ends).unwrap_or(chart.tokens.len())
}

/// Whether a question begins at a position.
fn is_question(chart: &Chart<'_>, at: usize) -> bool {
    let begins = at == 0 || chart.at(at - 1).iter().any(|edge| edge.category == Category::Joint);
    begins && chart.tokens.get(at).is_some_and(|token| QUESTIONS.contains(&token.text.as_str()))
}

/// A reading that covers the words, and what is wrong with it.
fn refused(instruction: &str, chart: &Chart<'_>, stuck: &Stuck, end: usize) -> Option<Refusal> {
    let covers = |[_, last]: [usize; 2]| {
        let and = chart.tokens.get(last).is_some_and(|token| token.text == "and");
        let joins = and && !(last..end).any(|at| chart.at(at).iter().any(is_thing));
        let plain = |at| chart.at(at).iter().any(|edge| edge.category == Category::Filler);
        last > stuck.at && (joins || (last..end).all(plain))
    };
    let refused = stuck.refused.iter().filter(|(tokens, _)| covers(*tokens));
    let (tokens, refusal) = refused.max_by_key(|(tokens, _)| tokens[1] - tokens[0])?;
    Some(refusal.clone().quoting(instruction, span(chart, *tokens)))
}

/// A number with two readings in the words, or right before them: "1.000", "2,5".
fn unclear_number(
    instruction: &str,
    chart: &Chart<'_>,
    [start, end]: [usize; 2],
) -> Option<Refusal> {
    let mut numbers = start.saturating_sub(2)..end;
    let tokens = numbers.find_map(|at| Some([at, numbers::unclear(chart.tokens, at)?]))?;
    if tokens[1] <= start {
        return None;
    }
    let refusal = Refusal::missing("").quoting(instruction, span(chart, tokens));
    let message =
        format!("\"{}\" may be two numbers; write it without a point or comma", refusal.words);
    Some(Refusal { message, ..refusal })
}

/// Why words from `start` to before `end` can't be read, if they are of a known kind.
fn known(instruction: &str, chart: &Chart<'_>, clause: [usize; 2]) -> Option<Refusal> {
    let [start, end] = clause;
    let foreign = foreign(instruction, chart);
    if foreign.is_some() {
        return foreign;
    }
    let quoted = |refusal: Refusal| Some(refusal.quoting(instruction, span(chart, clause)));
    let unit = |at: usize| chart.at(at).iter().find(|edge| edge.category == Category::Unit);
    let physical = |at: usize| {
        unit(at).is_some_and(|edge| matches!(edge.value.word(), "mm" | "cm" | "inches"))
    };
    if (start..end).any(physical) {
        let message = "say how many pixels an inch has, for example \"10 cm at 300 dpi\"";
        return quoted(Refusal::missing(message));
    }
    if (start..end).any(|at| chart.tokens[at].says_text()) {
        let message = "put the text in quotation marks: write \"Hello\" at the bottom";
        return quoted(Refusal::missing(message));
    }
    if social::is_talk(chart, start, end) {
        return None;
    }
    if wants_thing(chart, clause) {
        return Some(needs_model(instruction, chart, clause));
    }
    if (start..end).any(|at| chart.tokens[at].text == "or") {
        return quoted(Refusal::missing("choose one of them"));
    }
    let time = (start..end).find(|at| chart.at(*at).iter().any(|edge| edge.value.word() == "time"));
    if let Some(at) = time {
        let refusal = Refusal::new(RefusalKind::NotUnderstood, CONDITION);
        return Some(refusal.quoting(instruction, span(chart, [at, end])));
    }
    let vague = |at| chart.at(at).iter().any(|edge| edge.category == Category::Vague);
    let message = "this can mean many things; say what to change, for example \"more contrast\"";
    if (start..end).any(vague) { quoted(Refusal::missing(message)) } else { None }
}

/// Whether a phrase is about what only a model can find or make.
pub(super) fn is_thing(edge: &Edge) -> bool {
    matches!(edge.category, Category::Thing | Category::Model) && edge.value.word() != "time"
}

/// Whether words name what may be a thing in the image: "the chandelier", but not "the frame".
pub(super) fn names_thing(chart: &Chart<'_>, [start, end]: [usize; 2]) -> bool {
    let unknown = |at: usize| chart.is_unknown(at);
    (start..end).any(|at| unknown(at) || chart.at(at).iter().any(is_thing))
}

/// The first words that nobody knows, with what touches them: "3D".
fn unknown(chart: &Chart<'_>, [start, end]: [usize; 2]) -> Option<[usize; 2]> {
    let unknown = |at: &usize| chart.is_unknown(*at);
    let first = (start..end).find(unknown)?;
    let glued = first > start && chart.tokens[first - 1].touches(&chart.tokens[first]);
    let words = (first..end).take_while(unknown).count();
    Some([first - usize::from(glued), first + words])
}

/// An instruction in another language: words of it, or letters that English does not have.
fn foreign(instruction: &str, chart: &Chart<'_>) -> Option<Refusal> {
    let foreign = |at: &usize| {
        let token = &chart.tokens[*at];
        let word = token.kind == Kind::Word;
        word && (chart.at(*at).iter().any(|edge| edge.category == Category::Foreign)
            || token.text.chars().any(|letter| !letter.is_ascii() && !is_latin(letter)))
    };
    let words = (0..chart.tokens.len()).filter(foreign).count();
    let whole = words >= 2 || chart.tokens.len() <= 2 && words > 0;
    let message = "the built-in editor reads English only; say it in English, for example \"make it \
        brighter\"";
    let refusal = Refusal::new(RefusalKind::OtherLanguage, message);
    whole.then(|| refusal.quoting(instruction, span(chart, [0, chart.tokens.len()])))
}

/// Whether a letter belongs to the alphabets of western Europe.
const fn is_latin(letter: char) -> bool {
    (letter as u32) < 0x250
}
