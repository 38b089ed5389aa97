//! Statements that are recognized by how they begin: what the edit is for, when it is needed, and
//! complaints without a subject or a comma.

use super::scene::is_plain;
use super::wishes::wishes;
use super::{Aside, Why, ends, has, is_marker, is_unknown, says_what, unfinished};
use crate::chart::{Chart, Edge};
use crate::token::Kind;
use crate::value::{Category, Value};

/// Verbs of statements that may be wishes.
const PRESENT: &[&str] =
    &["has", "have", "shows", "show", "use", "uses", "cant", "dont", "doesnt", "sell"];
/// The most words in brackets.
const BRACKETS_MAX: usize = 14;
/// The most words of a statement about time.
const TIME_WORDS_MAX: usize = 8;

/// "Before I post it on facebook": when it is needed.
pub(super) fn of_time(chart: &Chart<'_>, at: usize) -> Vec<(usize, Aside)> {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let person = matches!(word(at + 1), "i" | "we" | "you" | "they" | "she" | "he")
        // "Until it looks good" is a condition.
        || word(at) == "before" && word(at + 1) == "it";
    // In a video, it says when something should move.
    let when = matches!(word(at), "before" | "when" | "until" | "once");
    // "Before filing".
    let does = matches!(word(at), "before" | "after")
        && word(at + 1).ends_with("ing")
        && chart.at(at + 1).iter().all(|edge| edge.category.is_of_talk());
    if does && !chart.lexicon.films() {
        let ends = ends(chart, at + 1).into_iter().filter(|end| {
            *end - at <= 4
                && !(at + 1..*end).any(|at| says_what(chart, at))
                && !asks(chart, at + 1, *end)
        });
        return ends.map(|end| (end, Aside::new(Why::Purpose))).collect();
    }
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
    ends.map(|end| (end, Aside::new(Why::Purpose))).collect()
}

/// "How lovely of them", "nothing that screams holiday", "nothing too fancy".
pub(super) fn exclaimed(chart: &Chart<'_>, at: usize) -> Vec<(usize, Aside)> {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let begins = match (word(at), word(at + 1)) {
        ("how", next) => at > 0 && !matches!(next, "about" | "many" | "much" | "do" | "to"),
        ("nothing", next) => matches!(next, "that" | "too" | "over"),
        _ => false,
    };
    if !begins || chart.lexicon.films() {
        return Vec::new();
    }
    let ends = ends(chart, at + 1).into_iter().filter(|end| {
        *end - at <= 6
            && word(*end) != "?"
            && (at + 1..*end).all(|at| is_plain(chart, at))
            && !has(chart, at, *end, Category::Thing)
            && !asks(chart, at + 1, *end)
            && !unfinished(chart, *end)
    });
    ends.map(|end| (end, Aside::new(Why::Remark))).collect()
}

/// "(I sent the back first, sorry!)": words in brackets that are no edit.
pub(super) fn in_brackets(chart: &Chart<'_>, at: usize) -> Vec<(usize, Aside)> {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let close = (at + 1..chart.tokens.len().min(at + BRACKETS_MAX)).find(|at| word(*at) == ")");
    let Some(close) = close.filter(|close| word(at) == "(" && *close > at + 1) else {
        return Vec::new();
    };
    let plain = |at: usize| matches!(word(at), "," | "!" | ".") || is_plain(chart, at);
    let talks = (at + 1..close).all(plain)
        && !asks(chart, at + 1, close)
        && !wishes(chart, at + 1, close)
        && !has(chart, at + 1, close, Category::Thing);
    if talks { vec![(close + 1, Aside::new(Why::Remark))] } else { Vec::new() }
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
    ends.map(|end| (end, Aside::new(Why::Remark))).collect()
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
        ("theres", next) if next != "no" => true,
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
    !matches!(edge.value.word(), "upright" | "lengthwise" | "passport" | "face")
}

/// What a remark is about: the first quality or range of tones in it.
pub(super) fn subject(chart: &Chart<'_>, from: usize, end: usize) -> Option<Value> {
    (from..end).find_map(|at| {
        let edges = chart.at(at).iter().filter(|edge| edge.end <= end);
        let named = edges.filter(|edge| {
            matches!(edge.category, Category::Quality | Category::Band)
                || edge.category == Category::Marker && edge.value.word() == "noise"
        });
        let plain = named.filter(|edge| edge.value.uses().len() <= 1);
        plain
            .max_by_key(|edge| (edge.end, edge.category == Category::Band))
            .map(|edge| edge.value.clone())
    })
}

/// Whether what there is may be a thing in the image.
pub(super) fn there_is(chart: &Chart<'_>, from: usize, end: usize) -> Option<bool> {
    // "There is too much noise in the sky" asks to change a part that only a model can find.
    let tone = has(chart, from, end, Category::Quality)
        || (from..end).any(|at| is_marker(chart, at, &["noise", "colors", "hue"]));
    let found = has(chart, from, end, Category::Thing);
    // "There's a bin in the corner": what nobody knows is a thing, too.
    let unknown = (from..end).any(|at| is_unknown(chart, at));
    (!(tone && found)).then_some(found || unknown)
}

/// Whether a statement of what a thing does may be about a thing in the image: "the kids took it",
/// but not "tell me what you think". "The man has no beard" may be a wish.
pub(super) fn of_things(chart: &Chart<'_>, from: usize, verb: usize) -> Option<bool> {
    let named = |edge: &Edge| matches!(edge.category, Category::Filler | Category::Possessive);
    // "Our customer has rung" is about nobody in the image.
    let wish = PRESENT.contains(&chart.tokens[verb].text.as_str())
        && !has(chart, from, verb, Category::Agent);
    chart.at(from).iter().any(named).then_some(wish)
}
