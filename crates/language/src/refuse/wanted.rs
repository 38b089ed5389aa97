//! Whether words that could not be read ask for what only a model can find or make.
//!
//! That sends people to a model, so it is said only of a command and its object: "remove the wires",
//! "brighten the chandelier". A thing that is merely mentioned asks for nothing.

use super::unread::is_thing;
use crate::chart::{Chart, Edge, is_article};
use crate::social;
use crate::value::Category;

/// The most words between an article and a thing: "the big red fire truck".
const ADJECTIVES_MAX: usize = 4;
/// Verbs that put something on the image. A thing that is known comes from another image: "put the
/// crest at the top", but not "put a hat on him".
const PLACING: &[&str] =
    &["add", "overlay", "join", "blend", "mask", "draw", "stack", "watermark", "write", "tile"];
/// Verbs that change what is in the image, wherever in the clause it is named: "fix the light on her
/// face".
const CHANGING: &[&str] = &["remove", "change", "fix"];
/// Words and signs between clauses.
const SEPARATING: &[&str] = &[",", ".", ";", "!", "?", "\n", "then", "and", "but"];
/// Verbs of any edit, so that an unknown word behind them may be the whole image: "make the poster bigger".
const MAKING: &[&str] = &["make", "turn", "convert", "change", "cut", "take"];
/// Prepositions behind which a thing is a place in the image: "put a circle around the boat".
const PLACES: &[&str] = &["on", "onto", "to", "in", "into", "around", "behind", "over", "under"];
/// Words behind which a clause tells why, or what for.
const TELLING: &[&str] = &["where", "till", "until", "so", "because", "as", "like", "which", "for"];
/// Words for a part of the image, not of a thing: "the outer part".
const PARTS: &[&str] = &["part", "parts", "area", "areas", "zone", "ring", "pixels"];

/// Whether a clause is a command whose object is a thing.
pub(super) fn wants_thing(chart: &Chart<'_>, [start, clause]: [usize; 2]) -> bool {
    let is = |at: usize, category| chart.at(at).iter().any(|edge| edge.category == category);
    let end = told_from(chart, [start, clause]);
    let separates = |at: &usize| SEPARATING.contains(&chart.tokens[*at].text.as_str());
    let from = (0..start).rev().find(separates).map_or(0, |at| at + 1);
    // "So I get dark stars" tells what will come of it.
    let told = (start.saturating_sub(2)..start)
        .any(|at| is(at, Category::Goal) || is(at, Category::Because));
    let forbids = (from..=start).any(|at| {
        let not = |edge: &Edge| edge.category == Category::Negation && edge.value.word() == "not";
        chart.at(at).iter().any(not)
    });
    // "Blur the number plate, it is at 512,700 to 780,765": nobody has to find it.
    let exact =
        (start..chart.tokens.len()).any(|at| is(at, Category::Hex) || is(at, Category::Box));
    // "For a little display in the village hall" says what for, "for the sky use a sunset" doesn't.
    let purpose = chart.tokens.get(start).is_some_and(|token| token.text == "for");
    let commands = |(at, _): (usize, usize)| {
        let noun = |edge: &Edge| matches!(edge.category, Category::Thing | Category::Possessive);
        at > start && chart.at(at - 1).iter().any(noun)
    };
    let told = told || purpose && !verb(chart, start, clause).is_some_and(commands);
    if told || forbids || exact {
        return false;
    }
    let object = |at: usize, edge: &Edge| match (edge.category, edge.value.word()) {
        (Category::Model, _) => true,
        (Category::Thing, "style" | "time") => false,
        (Category::Thing, _) => is_object(chart, [at, edge.end], from, true),
        _ => false,
    };
    let style = |at: usize| {
        let style = |edge: &Edge| edge.category == Category::Thing && edge.value.word() == "style";
        chart.at(at).iter().any(style) && verb(chart, from, at).is_some()
    };
    (start..clause).any(style)
        || (start..end).any(|at| {
            chart.at(at).iter().any(|edge| object(at, edge))
                || chart.is_unknown(at) && is_object(chart, [at, at + 1], from, false)
        })
}

/// Whether a clause may be about a thing, so that no one should guess what else it asks for.
pub(super) fn mentions_thing(chart: &Chart<'_>, [start, end]: [usize; 2]) -> bool {
    let end = told_from(chart, [start, end]);
    !social::is_talk(chart, start, end)
        && (start..end).any(|at| {
            let object = || {
                let phrase = noun_phrase(chart, at, start);
                let changing = |at: usize| {
                    let changes = |edge: &Edge| CHANGING.contains(&edge.value.word());
                    chart.at(at).iter().any(changes)
                };
                let direct = |[first, _]: [usize; 2]| {
                    verb(chart, start, first).is_some_and(|(at, end)| end == first && changing(at))
                };
                chart.is_unknown(at) && phrase.is_some_and(direct)
            };
            chart.at(at).iter().any(is_thing) || object()
        })
}

/// Where a clause begins to tell why or what for, or else its end.
fn told_from(chart: &Chart<'_>, [start, end]: [usize; 2]) -> usize {
    let tells = |at: &usize| TELLING.contains(&chart.tokens[*at].text.as_str());
    (start + 1..end).find(tells).unwrap_or(end)
}

/// Whether the thing between two positions is the object of a command of the clause. One that is not
/// `known` may be anything.
fn is_object(chart: &Chart<'_>, [at, behind]: [usize; 2], start: usize, known: bool) -> bool {
    // "The sky glow" is no sky, but "make the sky blue" is about one.
    let is = |category| chart.at(behind).iter().any(|edge| edge.category == category);
    let describes = is(Category::Op) && !is(Category::Color);
    if describes || shows_it(chart, behind) || at == start || !known && chart.is_unknown(start) {
        return false;
    }
    let Some([phrase, first]) = noun_phrase(chart, at, start) else { return false };
    // "A hair" is little.
    let little = |edge: &Edge| edge.category == Category::Degree && edge.end == behind;
    if chart.at(phrase).iter().any(little) {
        return false;
    }
    let determined = phrase < first;
    if !determined && !known {
        return false;
    }
    // "Whiten the teeth": whatever the word before means, it is a command.
    let command = |at: usize| chart.is_unknown(at) || chart.lexicon.is_verb(&chart.tokens[at].text);
    let Some((from, end)) = verb(chart, start, phrase) else {
        return known && determined && phrase == start + 1 && command(start);
    };
    let (text, before) = (&*chart.tokens[from].text, &*chart.tokens[phrase - 1].text);
    let is = |verbs: &[&str]| {
        let means =
            |edge: &Edge| edge.category == Category::Verb && verbs.contains(&edge.value.word());
        chart.at(from).iter().any(means)
    };
    let edits = |edge: &Edge| {
        edge.category != Category::Verb && edge.end <= phrase && is_edit(chart, from, edge)
    };
    let changes = is(CHANGING) || chart.at(from).iter().any(edits);
    let places = is(PLACING) && text != "give" && !is(CHANGING);
    let definite =
        determined && !matches!(chart.tokens[first - 1].text.as_str(), "a" | "an" | "some");
    match end == phrase {
        true if !known => changes && !MAKING.contains(&text),
        true if places => !definite,
        true => !is(&["straighten"]),
        false => known && (changes && text != "make" || PLACES.contains(&before)),
    }
}

/// Where the article and where the first word begin of the phrase that ends with a noun: "the big red
/// fire truck".
fn noun_phrase(chart: &Chart<'_>, noun: usize, start: usize) -> Option<[usize; 2]> {
    let describes = |edge: &Edge| {
        matches!(edge.category, Category::Color | Category::Trait | Category::Complaint)
    };
    let adjective = |at: &usize| {
        let adjective = chart.is_unknown(*at) || chart.at(*at).iter().any(describes);
        adjective && !determines(chart, *at)
    };
    let words = (start + 1..noun).rev().take_while(adjective).count();
    let first = noun - words;
    let before = first.checked_sub(1)?;
    let phrase = if determines(chart, before) { before } else { first };
    (words <= ADJECTIVES_MAX && noun > start).then_some([phrase, first])
}

/// The last verb of an edit between two positions, and where it ends.
fn verb(chart: &Chart<'_>, start: usize, end: usize) -> Option<(usize, usize)> {
    (start..end).rev().find_map(|at| {
        let edits = chart.at(at).iter().filter(|edge| is_edit(chart, at, edge));
        edits.map(|edge| edge.end).filter(|last| *last <= end).max().map(|last| (at, last))
    })
}

/// Whether a word at a position is a verb of an edit.
fn is_edit(chart: &Chart<'_>, at: usize, edge: &Edge) -> bool {
    match edge.category {
        Category::Verb | Category::Act | Category::Model => true,
        Category::Op => chart.lexicon.is_verb(&chart.tokens[at].text),
        _ => false,
    }
}

/// Whether the words before a position only tell what an image shows: "the living room photo", "the
/// outer part".
fn shows_it(chart: &Chart<'_>, at: usize) -> bool {
    let thing = |at: &usize| {
        chart.is_unknown(*at) || chart.at(*at).iter().any(|edge| edge.category == Category::Thing)
    };
    let last = at + (at..chart.tokens.len()).take_while(thing).count();
    (at..=last).any(|at| {
        let image = |edge: &Edge| matches!(edge.category, Category::Noun | Category::Image);
        let thing = |edge: &Edge| edge.category == Category::Thing;
        chart.at(at).iter().any(image) && !chart.at(at).iter().any(thing)
            || chart.tokens.get(at).is_some_and(|token| PARTS.contains(&token.text.as_str()))
    })
}

/// Whether a word says which thing is meant: "the", "my", "all". "Your imagination" is not in the
/// image.
fn determines(chart: &Chart<'_>, at: usize) -> bool {
    let word = chart.tokens[at].text.as_str();
    let owned = |edge: &Edge| edge.category == Category::Possessive;
    is_article(word)
        || matches!(word, "this" | "these" | "all" | "some")
        || word != "your" && chart.at(at).iter().any(owned)
}
