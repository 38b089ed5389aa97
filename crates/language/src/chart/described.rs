//! Images by what they show or what they are: "this photo of my daughter", "the interior shot", "my cat
//! photo", "our spring newsletter banner".

use super::{Chart, Edge, is_article};
use crate::token::{Kind, Token};
use crate::value::{Category, Value};
use std::ops::{Range, RangeInclusive};

/// The most words that tell what an image shows, behind "of my".
const DESCRIPTION_WORDS_MAX: usize = 5;
/// The most words between an article and an image: "the old family photo".
const ADJECTIVES_MAX: usize = 3;
/// Numbers that are years, behind "in".
const YEARS: RangeInclusive<f64> = 1800.0..=2100.0;
/// Words before the name of something other than the image: "like my painting", "the lamp behind my portrait".
const ELSEWHERE: &[&str] = &[
    "like", "as", "than", "from", "in", "inside", "into", "behind", "beside", "above", "below",
    "under", "it", "this", "be",
];
/// Prepositions behind a name that tell where a thing is, before an article.
const BESIDE: &[&str] =
    &["on", "in", "at", "to", "under", "over", "inside", "behind", "beside", "above", "below"];
/// Words behind a name that tell where a thing is in the image, or something about it: "my card is visible".
const THERE: &[&str] = &["is", "are", "only", "next"];
/// Words between a determiner and a name that change nothing.
const WHOLE: &[&str] = &["whole", "entire", "full"];
/// Words that suggest a thing in the image is meant: "blur my card", "zoom in on my map".
const CLOSER: &[&str] = &[
    "blur",
    "blurry",
    "blurred",
    "pixelate",
    "pixelated",
    "censor",
    "mosaic",
    "obscure",
    "redact",
    "only",
    "just",
    "rest",
    "else",
    "background",
    "here",
    "me",
    "tight",
    "tighter",
    "tightly",
    "zoom",
];
/// What is drawn around the whole image.
const FRAMES: &[&str] = &["border", "borders", "frame", "framed", "margin", "margins", "padding"];
/// Edits of the file or its size, which apply to the whole image.
const SHAPING: &[&str] = &[
    "crop",
    "cut",
    "resize",
    "scale",
    "export",
    "save",
    "convert",
    "pad",
    "fit",
    "compress",
    "shrink",
    "enlarge",
    "upscale",
    "downscale",
    "letterbox",
    "trim",
    "square",
];
/// Parts of the image: "the top half of my poster".
const PARTS: &[&str] = &[
    "half", "third", "quarter", "top", "bottom", "side", "sides", "edge", "edges", "corner",
    "corners", "out",
];

/// Adds images named by what they show or are. Runs after the rules, because it uses their edges.
pub(super) fn add(chart: &mut Chart<'_>, start: usize) {
    if let Some(edge) = named(chart, start) {
        chart.add(start, edge);
    }
    let shown: Vec<Edge> = of_somebody(chart, start).collect();
    shown.into_iter().for_each(|edge| chart.add(start, edge));
}

/// "This photo" with what it shows, if that is somebody's: "this photo of my daughter".
fn of_somebody<'b>(chart: &'b Chart<'_>, start: usize) -> impl Iterator<Item = Edge> + 'b {
    let images = chart.edges[start].iter().filter(|edge| {
        edge.category == Category::Image && chart.is_noun(edge.end - 1) && is_owned(chart, edge.end)
    });
    images.flat_map(|edge| {
        // "Of us" is complete, "of my" is not.
        let least = if is_person(&chart.tokens[edge.end + 1].text) { 2 } else { 3 };
        let ends = (edge.end + least)..=(edge.end + 2 + DESCRIPTION_WORDS_MAX);
        ends.take_while(|end| *end <= chart.tokens.len() && describes(chart, end - 1))
            .filter(|end| {
                is_person(&chart.tokens[end - 1].text) || !is_function_word(chart, end - 1)
            })
            .map(|end| Edge { end, value: described(&edge.value), ..edge.clone() })
    })
}

/// Whether "of my" begins at a position.
fn is_owned(chart: &Chart<'_>, at: usize) -> bool {
    chart.tokens.get(at).is_some_and(|token| token.text == "of")
        && (is_possessive(chart, at + 1)
            || chart.tokens.get(at + 1).is_some_and(|token| is_person(&token.text)))
}

/// The word before a name that says which image is meant.
#[derive(Clone, Copy, PartialEq)]
enum Determiner {
    /// "My", "this".
    Own,
    The,
    A,
}

/// An image behind an article and words that no edit has a use for: "the interior shot". Behind "my" and
/// "this", they may also be things, and it may be named by what it is: "my cat photo", "our poster".
fn named(chart: &Chart<'_>, start: usize) -> Option<Edge> {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let determiner = match word(start) {
        "the" => Determiner::The,
        "a" | "an" => Determiner::A,
        "this" => Determiner::Own,
        _ if is_possessive(chart, start) => Determiner::Own,
        _ => return None,
    };
    let definite = determiner != Determiner::A;
    let first = start + 1 + usize::from(definite && WHOLE.contains(&word(start + 1)));
    let plain = |at: usize| chart.is_unknown(at) || definite && is_made(chart, at);
    let shows = |at: usize| plain(at) || determiner == Determiner::Own && is_shown(chart, at);
    let words = (first..).take_while(|at| shows(*at)).take(ADJECTIVES_MAX).count();
    // The last noun says what it is: "our newsletter banner".
    let (at, is_piece) = (first..=first + words)
        .rev()
        .find_map(|at| Some((at, names_piece(chart, at, (start, first), determiner)?)))?;
    let end = at + 1;
    let is_plain = (first..at).all(plain);
    // "My wall map", "in this photo brighten my card".
    let placed = is_piece && (!is_plain || in_photo(chart, start, end));
    let doubtful = (is_piece || !is_plain)
        && (is_inside(chart, start, end) || is_sized_use(chart, first, end));
    let value = Value::Word("described");
    (!placed && !doubtful && !names_another(chart, first, end)).then_some(Edge {
        end,
        category: Category::Image,
        value,
    })
}

/// Whether the noun at a position says what the image is ("poster"), and not that it is one ("photo"). `None`
/// if it ends no name that begins at `start`, with `first` behind the determiner.
fn names_piece(
    chart: &Chart<'_>,
    at: usize,
    (start, first): (usize, usize),
    determiner: Determiner,
) -> Option<bool> {
    let mut edges = chart.at(at).iter().filter(|edge| edge.end == at + 1);
    if at > first && edges.clone().any(|edge| edge.category == Category::Noun) {
        return Some(false);
    }
    let piece = edges.find(|edge| edge.category == Category::Piece)?;
    let named = match (determiner, piece.value.word()) {
        (Determiner::Own, _) => true,
        (Determiner::The, "image") => at > first,
        (Determiner::The, "any") => {
            let clause = clause(chart, start);
            at > first && (has(chart, clause.clone(), SHAPING) || has(chart, clause, FRAMES))
        }
        _ => false,
    };
    named.then_some(true)
}

/// Whether an image is mentioned besides a name, so that this may be that of a thing in it.
fn in_photo(chart: &Chart<'_>, start: usize, end: usize) -> bool {
    let mut others = (0..start).chain(end..chart.tokens.len());
    others.any(|at| chart.tokens[at].kind == Kind::Word && chart.is_noun(at))
}

/// The words of the edit at a position: those up to the words and signs that join edits.
fn clause(chart: &Chart<'_>, at: usize) -> Range<usize> {
    let joins = |token: &Token| {
        matches!(token.text.as_str(), "and" | "then" | "," | "." | ";" | "\n" | "but")
    };
    let begin = chart.tokens[..at].iter().rposition(joins).map_or(0, |joint| joint + 1);
    let end = chart.tokens[at..].iter().position(joins).map_or(chart.tokens.len(), |it| at + it);
    begin..end
}

fn has(chart: &Chart<'_>, at: Range<usize>, words: &[&str]) -> bool {
    let said = |token: &Token| token.kind == Kind::Word && words.contains(&token.text.as_str());
    chart.tokens[at].iter().any(said)
}

/// Whether a name may be that of a thing in the image: "blur my card", "my portrait is on the left".
fn is_inside(chart: &Chart<'_>, start: usize, end: usize) -> bool {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let before = |back: usize| start.checked_sub(back).map_or("", word);
    let elsewhere = match before(1) {
        "around" | "round" => !has(chart, clause(chart, start), FRAMES),
        "of" => !PARTS.contains(&before(2)),
        before => ELSEWHERE.contains(&before),
    };
    let placed = BESIDE.contains(&word(end))
        && (is_article(word(end + 1)) || is_possessive(chart, end + 1))
        && !matches!(before(1), "on" | "to" | "around");
    elsewhere || placed || THERE.contains(&word(end)) || has(chart, 0..chart.tokens.len(), CLOSER)
}

/// Whether a later name is that of another image: "the kitchen photo" before "the bathroom photo".
fn names_another(chart: &Chart<'_>, first: usize, end: usize) -> bool {
    let words = |at: Range<usize>| chart.tokens[at].iter().map(|token| &token.text);
    (end..chart.tokens.len()).any(|from| {
        let used = matches!(chart.tokens[from - 1].text.as_str(), "for" | "as" | "like");
        let other = |edge: &Edge| {
            edge.category == Category::Image
                && edge.value.word() == "described"
                && chart.tokens[edge.end - 1].text != "one"
                && !words(from + 1..edge.end).eq(words(first..end))
        };
        !used && chart.at(from).iter().any(other)
    })
}

/// Whether a name says what a size is for: "the hero banner needs to be 1920x600".
fn is_sized_use(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    let used = |edge: &Edge| {
        edge.category == Category::Occasion && edge.value.word() == "use" && edge.end == end
    };
    let sizes = |edge: &Edge| edge.category == Category::Size;
    let next = chart.tokens.get(end).map_or("", |token| token.text.as_str());
    let sized = chart.at(end).iter().any(sizes)
        || matches!(next, "to" | "need" | "needs" | "should" | "must" | "is" | "requires");
    sized && chart.at(from).iter().any(used)
}

/// Whether a word may tell what an image shows, right before "photo".
pub(super) fn is_shown(chart: &Chart<'_>, at: usize) -> bool {
    // "The background image" may be a part of this one.
    let is_part = matches!(
        chart.tokens.get(at).map_or("", |token| token.text.as_str()),
        "background" | "foreground" | "subject" | "object" | "objects" | "reflection"
    );
    let thing = |edge: &Edge| {
        edge.category == Category::Thing && edge.value.word().is_empty() && edge.end == at + 1
    };
    chart.is_unknown(at) || is_made(chart, at) || !is_part && chart.at(at).iter().any(thing)
}

/// Whether a word is also what an image is made from or a shape: "card", "ring".
fn is_made(chart: &Chart<'_>, at: usize) -> bool {
    let made = |edge: &Edge| {
        edge.category == Category::Marker
            && matches!(edge.value.word(), "made" | "ring" | "circle")
            && edge.end == at + 1
    };
    chart.at(at).iter().any(made)
}

fn is_possessive(chart: &Chart<'_>, at: usize) -> bool {
    chart.at(at).iter().any(|edge| edge.category == Category::Possessive)
}

/// Whether a word behind "of" may tell what an image shows: one that no edit has a use for.
fn describes(chart: &Chart<'_>, at: usize) -> bool {
    let plain = |edge: &Edge| {
        matches!(edge.category, Category::Finite | Category::Thing) || edge.category.is_of_talk()
    };
    let token = &chart.tokens[at];
    if matches!(token.kind, Kind::Number(year) if YEARS.contains(&year)) {
        return matches!(chart.tokens[at - 1].text.as_str(), "in" | "from");
    }
    token.kind == Kind::Word && (is_function_word(chart, at) || chart.at(at).iter().all(plain))
}

fn is_function_word(chart: &Chart<'_>, at: usize) -> bool {
    let function = |edge: &Edge| matches!(edge.category, Category::Preposition | Category::Filler);
    chart.at(at).iter().any(|edge| function(edge) && edge.end == at + 1)
}

/// An image that is named by what it shows. Only a person can tell which of several that is.
fn described(value: &Value) -> Value {
    if value.word() == "one" { Value::Word("described") } else { value.clone() }
}

/// Whether a word behind "a photo of" stands for a person.
fn is_person(word: &str) -> bool {
    matches!(word, "us" | "me" | "him" | "her" | "them" | "mine")
}
