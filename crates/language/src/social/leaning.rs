//! What is told about a thing in the image: "the wardrobe leans to the left", "the horizon slopes by two
//! degrees". Only the edit that follows says what to do about it.

use super::scene::{Who, is_plain, subject};
use super::statements::asks;
use super::wishes::wishes;
use super::{Aside, Why, has, unfinished};
use crate::chart::{Chart, Edge, is_article};
use crate::lexicon::is_english;
use crate::token::Kind;
use crate::value::Category;

/// The most words of a statement, and of the noun that it is about.
const WORDS_MAX: usize = 16;
const NOUN_WORDS_MAX: usize = 4;
/// Verbs of what is not upright, so that numbers and places behind them ask for nothing.
const LEANING: &[&str] = &[
    "leans",
    "lean",
    "slopes",
    "slope",
    "tilts",
    "tilt",
    "slants",
    "slant",
    "sags",
    "sag",
    "dips",
    "bows",
    "bends",
    "tips",
    "hangs",
    "drifts",
    "falls",
    "veers",
    "converge",
    "converges",
    "leaning",
    "sloping",
    "tilting",
    "tilted",
    "slanted",
];

/// Whether a verb says that something is not upright.
pub(crate) fn is_leaning(word: &str) -> bool {
    LEANING.contains(&word)
}

/// A noun with a verb, of which no edit has a use for.
pub(super) fn leans(chart: &Chart<'_>, from: usize, end: usize) -> Option<Aside> {
    let verb = verb(chart, from, end)?;
    let leans = is_leaning(&chart.tokens[verb].text);
    let rest = verb + 1..end;
    // "You can see my feet at the bottom", "the answers are printed there".
    let sees = chart.tokens[verb].text == "see";
    let there = matches!(chart.tokens[end - 1].text.as_str(), "there" | "here");
    let leans = leans || sees;
    let placed = |at: usize| {
        leans
            && (matches!(chart.tokens[at].kind, Kind::Number(_))
                || chart.at(at).iter().any(is_measure))
    };
    let plain = rest.clone().all(|at| is_plain(chart, at) || placed(at));
    let wished = wishes(chart, verb, end) || has(chart, from, end, Category::Negation);
    let asks = asks(chart, verb + 1, end);
    (end - from <= WORDS_MAX && !rest.is_empty() && plain && !wished && !asks)
        .then_some(())
        .filter(|()| !unfinished(chart, end))?;
    // "It" is the image.
    let image = chart.tokens[from].text == "it";
    Some(Aside { about_thing: !there && !image, complains: leans, ..Aside::new(Why::Remark) })
}

/// Whether a phrase says where or by how much something leans.
const fn is_measure(edge: &Edge) -> bool {
    matches!(
        edge.category,
        Category::Amount
            | Category::Unit
            | Category::Place
            | Category::Direction
            | Category::Turn
            | Category::Way
            | Category::Degree
            | Category::Dose
            | Category::Region
            | Category::Sides
            | Category::Axis
    )
}

/// The position of the verb behind a noun: "the wardrobe leans", "the horizon in this one slopes".
fn verb(chart: &Chart<'_>, from: usize, end: usize) -> Option<usize> {
    // "It leans to the right."
    let pronoun = matches!(chart.tokens[from].text.as_str(), "it" | "everything" | "this" | "that");
    if pronoun && from + 1 < end && is_leaning(&chart.tokens[from + 1].text) {
        return Some(from + 1);
    }
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    if matches!(word(from), "you" | "u" | "we" | "one") {
        let sees = (from + 1..end.min(from + 4)).find(|at| word(*at) == "see")?;
        let can = |at: usize| matches!(word(at), "can" | "still" | "clearly" | "even" | "just");
        return (from + 1..sees).all(can).then_some(sees);
    }
    let noun = noun_end(chart, from, end)?;
    // "The answers are printed there".
    let printed = matches!(word(noun), "is" | "are" | "was" | "were")
        && (word(noun + 1).ends_with("ed") || word(noun + 1).ends_with("ing"))
        && matches!(word(end - 1), "there" | "here");
    if printed {
        return Some(noun);
    }
    let preposition = matches!(
        chart.tokens.get(noun)?.text.as_str(),
        "in" | "of" | "on" | "at" | "behind" | "from" | "with" | "near"
    );
    let verb = if preposition { noun_end(chart, noun + 1, end)? } else { noun };
    let text = chart.tokens.get(verb).filter(|_| verb < end)?.text.as_str();
    let done = |edge: &Edge| edge.category == Category::Finite && edge.value.word() == "do";
    let regular = chart.is_unknown(verb)
        && is_english(text)
        && (text.ends_with('s') && !text.ends_with("ss") || text.ends_with("ed"));
    (is_leaning(text) || regular || chart.at(verb).iter().any(done)).then_some(verb)
}

/// The end of a noun with its article.
fn noun_end(chart: &Chart<'_>, from: usize, end: usize) -> Option<usize> {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    if matches!(word(from), "this" | "that") && word(from + 1) == "one" {
        return Some(from + 2);
    }
    let determined = is_article(word(from))
        || matches!(word(from), "this" | "that" | "these" | "those")
        || chart.at(from).iter().any(|edge| edge.category == Category::Possessive);
    let start = from + usize::from(determined);
    let named = |at: &usize| {
        let noun = |edge: &Edge| {
            matches!(edge.category, Category::Thing | Category::Noun | Category::Image)
                || edge.category == Category::Marker && edge.value.word() == "horizon"
                || edge.category.is_of_talk()
        };
        let leans = is_leaning(word(*at));
        !leans && (chart.is_unknown(*at) || chart.at(*at).iter().all(noun))
    };
    let most = end.min(start + NOUN_WORDS_MAX);
    let words = (start..most).take_while(named).count();
    // The last of them may be the verb: "the wardrobe stands crooked".
    let stops = (1..=words).find(|words| {
        let text = word(start + words);
        text.ends_with('s') && !text.ends_with("ss") || text.ends_with("ed")
    });
    let words = stops.filter(|stop| *stop < words && determined).unwrap_or(words);
    (determined && words > 0).then_some(start + words)
}

/// "Buyers need to see the fabric": what somebody will do with the result.
pub(super) fn needs_to(chart: &Chart<'_>, from: usize, end: usize) -> Option<Aside> {
    const NEEDS: &[&str] = &["need", "needs", "want", "wants", "have", "has", "like", "likes"];
    const DOES: &[&str] =
        &["see", "read", "know", "check", "find", "print", "upload", "show", "use", "post"];
    let (who, verb) = subject(chart, from)?;
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let does = verb + 2;
    let able = NEEDS.contains(&word(verb)) && word(verb + 1) == "to" && DOES.contains(&word(does));
    let plain = able && does + 1 < end && (does + 1..end).all(|at| is_plain(chart, at));
    (plain && who == Who::Agent && !asks(chart, does + 1, end) && !unfinished(chart, end))
        .then(|| Aside::new(Why::Remark))
}

/// Whether a position is inside the name of a thing.
pub(super) fn splits(chart: &Chart<'_>, at: usize) -> bool {
    let longer = |edge: &Edge| edge.category == Category::Thing && edge.end > at;
    (at.saturating_sub(3)..at).any(|start| chart.at(start).iter().any(longer))
}

/// "We made it black and white" does not end before the color.
pub(super) fn goes_on(chart: &Chart<'_>, end: usize) -> bool {
    let word = |back: usize| end.checked_sub(back).map_or("", |at| chart.tokens[at].text.as_str());
    word(1) == "it"
        && matches!(word(2), "made" | "makes" | "make" | "turned")
        && chart.at(end).iter().any(|edge| edge.category == Category::Op)
}
