//! What becomes of the edits: "so the page loads quickly", "so the text isn't backwards".

use super::behind::says_what;
use super::scene::is_plain;
use super::statements::asks;
use super::{has, unfinished};
use crate::chart::{Chart, is_article};
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
/// What metadata tell.
const METADATA: &[&str] =
    &["gps", "location", "exif", "metadata", "data", "address", "coordinates"];
/// Persons who can do more with the result.
const PEOPLE: &[&str] = &["people", "everyone", "everybody", "anyone", "you", "they", "we", "i"];

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

/// The operations that make true what is said: "so the text isn't backwards" follows a flip.
pub(super) fn given(chart: &Chart<'_>, from: usize, end: usize) -> Option<&'static str> {
    let verb = (from + 1..end.min(from + SUBJECT_WORDS_MAX + 1)).find(|at| {
        let states = ["is", "are", "isnt", "arent", "goes", "go", "stay", "stays", "turns"];
        states.contains(&chart.tokens[*at].text.as_str())
    });
    // "Everythings alien colored": the subject contains the verb.
    let contracted = chart.tokens.get(from)?.text.starts_with("everything") && verb.is_none();
    let state = if contracted { from + 1 } else { verb? + 1 };
    // In "so the sky is pure white", a thing is what should change.
    let thing = (from..state).any(|at| {
        let thing = chart.at(at).iter().any(|edge| edge.category == Category::Thing);
        thing && chart.tokens[at].text != "background"
    });
    let mut rows = chart.at(state).iter().filter(|edge| edge.category == Category::Outcome);
    let row = rows.find(|edge| edge.end == end)?;
    // "So the location isn't in there": no result has metadata.
    if row.value.word() == "metadata" {
        let hidden = (from..state).any(|at| METADATA.contains(&chart.tokens[at].text.as_str()));
        return hidden.then_some("");
    }
    (!thing).then_some(row.value.word())
}

/// What makes more of an image visible.
const SHOWS: &str = "brightness exposure gamma contrast shadows highlights midtones blacks whites \
    clarity sharpen auto levels dehaze denoise saturation vibrance invert crop border text";

/// "So you can see the wood grain": what makes more of the image visible does that.
pub(super) fn seen(chart: &Chart<'_>, from: usize, end: usize) -> Option<&'static str> {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let mut at = from + 1;
    if !PEOPLE.contains(&word(from)) {
        return None;
    }
    while matches!(
        word(at),
        "can" | "could" | "will" | "may" | "actually" | "really" | "better" | "still"
    ) {
        at += 1;
    }
    let sees =
        at > from + 1 && matches!(word(at), "see" | "read" | "recognize" | "notice" | "tell");
    at += 1;
    let short = at < end && end - from <= OUTCOME_WORDS_MAX;
    while at < end {
        let things = chart.at(at).iter().filter(|edge| edge.category == Category::Thing);
        let thing = things.map(|edge| edge.end).max().filter(|thing| *thing <= end);
        match thing {
            Some(thing) => at = thing,
            None if is_plain(chart, at) => at += 1,
            None => return None,
        }
    }
    (sees && short && !unfinished(chart, end)).then_some(SHOWS)
}

/// "So people can read it": a person does something with the result.
pub(super) fn enables(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    let from = from + usize::from(is_article(&chart.tokens[from].text));
    if from + 2 >= end {
        return false;
    }
    // "So you see both".
    let sees = matches!(chart.tokens[from].text.as_str(), "you" | "u" | "we" | "people");
    let seen = chart.tokens.get(from + 2).is_some_and(|token| {
        matches!(token.text.as_str(), "both" | "everything" | "it" | "all" | "them")
    });
    if sees && seen && chart.tokens[from + 1].text == "see" && end - from <= 6 {
        return !asks(chart, from + 1, end);
    }
    let agent = chart.at(from).iter().any(|edge| edge.category == Category::Agent);
    let people =
        agent || matches!(chart.tokens[from].text.as_str(), "people" | "they" | "everyone");
    let can = |at: usize| {
        let text = chart.tokens[at].text.as_str();
        matches!(text, "can" | "could" | "will" | "may")
            || people && matches!(text, "cant" | "dont" | "wont" | "stop" | "quit")
    };
    (agent || PEOPLE.contains(&chart.tokens[from].text.as_str()))
        && end > from + 2
        && end - from <= OUTCOME_WORDS_MAX
        && can(from + 1)
        && !matches!(chart.tokens[from + 2].text.as_str(), "be" | "see" | "not")
        && !(from + 1..end).any(|at| says_what(chart, at))
        && !asks(chart, from + 1, end)
        && !unfinished(chart, end)
}
