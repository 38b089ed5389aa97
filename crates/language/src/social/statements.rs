//! Statements that are recognized by how they begin: what the edit is for, when it is needed, and
//! complaints without a subject or a comma.

use super::{Aside, Why, ends, has, says_what, unfinished};
use crate::chart::{Chart, Edge};
use crate::token::Kind;
use crate::value::Category;

/// Verbs that say what becomes possible. What is before them is the subject.
const MODAL: &[&str] = &["will", "can", "would", "could", "may", "might", "wont", "cant", "should"];
/// Words for what only a part of the image should become.
const HIDES: &[&str] = &[
    "hidden",
    "gone",
    "disappear",
    "disappears",
    "vanishes",
    "invisible",
    "unreadable",
    "removed",
    "away",
    "cant",
    "wont",
    "doesnt",
    "isnt",
    "not",
    "say",
    "says",
    "reads",
    "only",
];
/// The most words of what becomes of an edit.
const OUTCOME_WORDS_MAX: usize = 10;
/// The most words before such a verb.
const SUBJECT_WORDS_MAX: usize = 4;
/// The most words of a statement about time.
const TIME_WORDS_MAX: usize = 8;

/// "So white text will be readable on it", "so the page loads quickly": it says what becomes of the
/// edit, and nothing of what to change.
pub(super) fn is_outcome(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    let subject = from + 1..end.min(from + SUBJECT_WORDS_MAX + 1);
    let modal = |at: &usize| MODAL.contains(&chart.tokens[*at].text.as_str());
    let Some(verb) = subject
        .clone()
        .find(modal)
        .or_else(|| subject.into_iter().find(|at| is_finite(chart, *at)))
    else {
        return false;
    };
    let placed = [Category::Thing, Category::Region, Category::Place, Category::Sides];
    verb + 1 < end + usize::from(!modal(&verb))
        && end - from <= OUTCOME_WORDS_MAX
        && !placed.iter().any(|category| has(chart, from, end, *category))
        && !(verb + 1..end).any(|at| says_what(chart, at))
        && !(from..end).any(|at| HIDES.contains(&chart.tokens[at].text.as_str()))
        && !asks(chart, from, end)
        && !unfinished(chart, end)
}

/// Whether a word may be the verb of the third person: "loads", "is".
fn is_finite(chart: &Chart<'_>, at: usize) -> bool {
    let text = chart.tokens[at].text.as_str();
    let known = chart.at(at).iter().any(|edge| edge.category == Category::Finite);
    known
        || chart.tokens[at].kind == Kind::Word
            && text.len() > 3
            && text.ends_with('s')
            && !text.ends_with("ss")
            && chart.at(at).iter().all(|edge| edge.category == Category::Degree)
}

/// "Before I post it on facebook": when it is needed.
pub(super) fn of_time(chart: &Chart<'_>, at: usize) -> Vec<(usize, Aside)> {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let person = matches!(word(at + 1), "i" | "we" | "you" | "they" | "she" | "he");
    // In a video, it says when something should move.
    let when = matches!(word(at), "before" | "when" | "until" | "once");
    if !when || !person || chart.lexicon.films() {
        return Vec::new();
    }
    let ends = ends(chart, at + 1).into_iter().filter(|end| {
        *end > at + 3
            && *end - at <= TIME_WORDS_MAX
            && !(at + 1..*end).any(|at| says_what(chart, at))
            && !asks(chart, at + 1, *end)
            && !unfinished(chart, *end)
    });
    ends.map(|end| (end, aside(Why::Purpose))).collect()
}

/// "Nothing interesting there": what is cut off or blurred is not missed.
pub(super) fn of_nothing(chart: &Chart<'_>, at: usize) -> Vec<(usize, Aside)> {
    let token = &chart.tokens[at];
    if token.text != "nothing"
        || chart.lexicon.films()
        || chart.tokens.get(at + 1).is_none_or(|next| next.text == "but")
    {
        return Vec::new();
    }
    let ends = ends(chart, at).into_iter().filter(|end| {
        (3..=5).contains(&(end - at))
            && !(at..*end).any(|at| says_what(chart, at))
            && !asks(chart, at, *end)
            && matches!(chart.tokens[end - 1].text.as_str(), "there" | "here" | "it")
    });
    ends.map(|end| (end, aside(Why::Remark))).collect()
}

const fn aside(why: Why) -> Aside {
    Aside { why, about_thing: false, complains: false, about: None }
}

/// Whether words between two positions name an edit.
pub(super) fn asks(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    // A verb that many sentences have asks for nothing by itself.
    let plain = |edge: &Edge| {
        matches!(
            edge.value.word(),
            "make"
                | "add"
                | "write"
                | "join"
                | "overlay"
                | "keep"
                | "convert"
                | "set"
                | "touch"
                | "change"
        )
    };
    (from..end).any(|at| {
        chart.at(at).iter().filter(|edge| edge.end <= end).any(|edge| match edge.category {
            Category::Op | Category::Act | Category::Quality | Category::Band | Category::Size => {
                true
            }
            Category::Direction => matches!(edge.value.word(), "+" | "-"),
            Category::Verb => chart.lexicon.is_verb(&chart.tokens[at].text) && !plain(edge),
            _ => false,
        })
    })
}

/// Whether a statement begins that needs no comma before it: "it is backwards", "its hurting my eyes".
pub(super) fn begins_at_once(chart: &Chart<'_>, at: usize) -> bool {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let complains = |from: usize, words: usize| {
        has(chart, from, (from + words).min(chart.tokens.len()), Category::Complaint)
    };
    match (word(at), word(at + 1)) {
        // "Brighten its face" has no verb.
        ("its" | "im" | "ive" | "theres" | "thats" | "theyre", next) => {
            next.ends_with("ing") || complains(at + 1, 3)
        }
        ("it" | "they" | "this", "is" | "are" | "looks" | "look") => complains(at + 2, 3),
        _ => false,
    }
}

/// "Is a bit dark": a complaint without a subject, and no question.
pub(super) fn has_no_subject(chart: &Chart<'_>, at: usize) -> bool {
    let next = chart.tokens.get(at + 1);
    matches!(chart.tokens[at].text.as_str(), "is" | "are" | "was")
        && next.is_some_and(|next| {
            next.kind == Kind::Word
                && !chart.at(at + 1).iter().any(|edge| {
                    matches!(
                        edge.category,
                        Category::Subject | Category::Image | Category::Possessive | Category::Noun
                    )
                })
        })
        && (at + 1..chart.tokens.len().min(at + 5))
            .any(|at| chart.at(at).iter().any(|edge| edge.category == Category::Complaint))
}

/// Whether "so" is before a statement and follows an edit: "hey so" only greets.
pub(super) fn follows_so(chart: &Chart<'_>, from: usize) -> bool {
    let so = from.checked_sub(1).filter(|at| chart.tokens[*at].text == "so");
    let said = so.and_then(|at| at.checked_sub(1));
    said.is_some_and(|at| {
        !chart.at(at).iter().any(|edge| matches!(edge.category, Category::Social | Category::Joint))
    })
}

/// Whether a word asks for something about the file: "for a png" is no purpose.
pub(super) fn is_of_file(edge: &Edge) -> bool {
    !matches!(edge.value.word(), "upright" | "lengthwise" | "passport")
}
