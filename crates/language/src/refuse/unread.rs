//! Explains why words could not be read: which of them, and what to say instead.

use super::span;
use crate::chart::{Chart, Edge};
use crate::rules::numbers;
use crate::sentence::Stuck;
use crate::token::Kind;
use crate::value::Category;
use retouch_engine::{Refusal, RefusalKind};

/// Why the words from where the reading is stuck to the end of their clause are no edit.
pub(super) fn unread(instruction: &str, chart: &Chart<'_>, stuck: Stuck) -> Refusal {
    let end = (stuck.at..chart.tokens.len())
        .find(|at| {
            *at > stuck.at
                && matches!(
                    chart.tokens[*at].text.as_str(),
                    "," | "." | ";" | "!" | "?" | "\n" | "then"
                )
        })
        .unwrap_or(chart.tokens.len());
    let whole = span(chart, [stuck.at, end]);
    let unclear = (stuck.at..end).find_map(|at| Some([at, numbers::unclear(chart.tokens, at)?]));
    if let Some(tokens) = unclear {
        let refusal = Refusal::missing("").quoting(instruction, span(chart, tokens));
        let message =
            format!("\"{}\" may be two numbers; write it without a point or comma", refusal.words);
        return Refusal { message, ..refusal };
    }
    let refused =
        stuck.refused.into_iter().filter(|(tokens, _)| tokens[0] >= stuck.at && tokens[1] <= end);
    if let Some((tokens, refusal)) = refused.max_by_key(|(tokens, _)| tokens[1] - tokens[0]) {
        let covers = (tokens[1]..end)
            .all(|at| chart.at(at).iter().any(|edge| edge.category == Category::Filler));
        if covers {
            return refusal.quoting(instruction, span(chart, tokens));
        }
    }
    if let Some(refusal) = known(instruction, chart, [stuck.at, end]) {
        return refusal;
    }
    let unknown =
        (stuck.at..end).find(|at| chart.at(*at).is_empty() && chart.tokens[*at].kind == Kind::Word);
    let words = unknown.map_or(whole, |at| span(chart, [at, at + 1]));
    let refusal = Refusal::new(RefusalKind::NotUnderstood, "").quoting(instruction, words);
    let message = format!("\"{}\" wasn't understood, so nothing was changed", refusal.words);
    Refusal { message, ..refusal }
}

/// Why words from `start` to before `end` can't be read, if they are of a known kind.
fn known(instruction: &str, chart: &Chart<'_>, [start, end]: [usize; 2]) -> Option<Refusal> {
    let whole = span(chart, [start, end]);
    let foreign = foreign(instruction, chart);
    if foreign.is_some() {
        return foreign;
    }
    let unit = |at: usize| chart.at(at).iter().find(|edge| edge.category == Category::Unit);
    let physical = |at: usize| {
        unit(at).is_some_and(|edge| matches!(edge.value.word(), "mm" | "cm" | "inches"))
    };
    if (start..end).any(physical) {
        let message = "say how many pixels an inch has, for example \"10 cm at 300 dpi\"";
        return Some(Refusal::missing(message).quoting(instruction, whole));
    }
    if (start..end).any(|at| chart.tokens[at].says_text()) {
        let message = "put the text in quotation marks: write \"Hello\" at the bottom";
        return Some(Refusal::missing(message).quoting(instruction, whole));
    }
    let vague = (start..end).find_map(|at| {
        let edge = chart.at(at).iter().find(|edge| edge.category == Category::Vague)?;
        Some([at, edge.end])
    });
    if let Some(tokens) = vague {
        let message =
            "this can mean many things; say what to change, for example \"more contrast\"";
        return Some(Refusal::missing(message).quoting(instruction, span(chart, tokens)));
    }
    let thing = |edge: &Edge| {
        matches!(edge.category, Category::Thing | Category::Model) && edge.value.word() != "time"
    };
    let things = (start..end).any(|at| chart.at(at).iter().any(thing));
    let time = (start..end)
        .find(|at| chart.at(*at).iter().any(|edge| edge.value.word() == "time"))
        .filter(|_| !things);
    if let Some(at) = time {
        let message = "the editor can't wait for a time or check a condition; say what to change";
        let refusal = Refusal::new(RefusalKind::NotUnderstood, message);
        return Some(refusal.quoting(instruction, span(chart, [at, end])));
    }
    let message = "this needs a generative model; the built-in editor makes exact edits only \
        (tone, color, crop, size, rotation, blur, border, text)";
    let refusal = Refusal::new(RefusalKind::NeedsGenerativeModel, message);
    things.then(|| refusal.quoting(instruction, whole))
}

/// An instruction in another language: words of it, or letters that English does not have.
fn foreign(instruction: &str, chart: &Chart<'_>) -> Option<Refusal> {
    let foreign = |at: &usize| {
        let token = &chart.tokens[*at];
        let word = token.kind == Kind::Word;
        word && (chart.at(*at).iter().any(|edge| edge.category == Category::Foreign)
            || token.text.chars().any(|letter| !letter.is_ascii() && !is_latin(letter)))
    };
    let words: Vec<usize> = (0..chart.tokens.len()).filter(foreign).collect();
    let whole = words.len() >= 2 || chart.tokens.len() <= 2 && !words.is_empty();
    let message = "the built-in editor reads English only; say it in English, for example \"make it \
        brighter\"";
    let span = span(chart, [*words.first()?, words.last()? + 1]);
    let refusal = Refusal::new(RefusalKind::NotUnderstood, message);
    whole.then(|| refusal.quoting(instruction, span))
}

/// Whether a letter belongs to the alphabets of western Europe.
const fn is_latin(letter: char) -> bool {
    (letter as u32) < 0x250
}
