//! What is said around edits and changes nothing: reasons, purposes, goals, comparisons, remarks.
//! They are recognized by their grammar.

mod behind;
mod kept;
mod leaning;
mod likeness;
mod motion;
mod names;
mod outcome;
mod remedies;
mod scene;
mod statements;
mod title;
mod undone;
mod wishes;

use crate::chart::{Chart, Edge, is_article};
use crate::lexicon::is_english;
use crate::token::Kind;
use crate::value::{Category, Value};
use behind::{behind, is_misspelled, says_what};
pub(crate) use kept::{Kept, kept};
pub(crate) use leaning::is_leaning;
use motion::animates;
pub(crate) use scene::wanting;
pub(crate) use title::titles;
pub(crate) use undone::{Undone, undone};

/// The most words of an aside.
const WORDS_MAX: usize = 40;
/// The most words before the verb of a remark.
const SUBJECT_WORDS_MAX: usize = 9;

/// Words that an end never follows, except at a sign.
const LEADING: &[&str] = &["on", "in", "at", "for", "with", "by", "from", "of", "into", "onto"];

/// Words that change nothing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Aside {
    /// What kind of words they are.
    pub(crate) why: Why,
    /// Whether they say what is wrong with a thing in the image, so that "it" may be that thing.
    pub(crate) about_thing: bool,
    /// Whether they complain, so that they are a reason and no wish.
    pub(crate) complains: bool,
    /// What they are about, if it can be edited: "the contrast".
    pub(crate) about: Option<Value>,
    /// The operations of which the plan must have one, so that the words are true: nothing if they
    /// change nothing anyway.
    pub(crate) given: &'static str,
}

impl Aside {
    pub(crate) const fn new(why: Why) -> Self {
        Self { why, about_thing: false, complains: false, about: None, given: "" }
    }
}

/// Why words change nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// They only greet or sign.
    Politeness,
    /// "because our printer needs a margin".
    Reason,
    /// "for my profile picture".
    Purpose,
    /// "so nothing gets cut off".
    Goal,
    /// "like minecraft".
    Comparison,
    /// "I took this on holiday".
    Remark,
}

/// The asides that begin at a position, with their ends.
pub(crate) fn asides(chart: &Chart<'_>, at: usize, joined: bool) -> Vec<(usize, Aside)> {
    let mut found = Vec::new();
    if commands(chart, at) {
        return found;
    }
    for edge in chart.at(at) {
        let why = match edge.category {
            Category::Because => Why::Reason,
            Category::Goal => Why::Goal,
            Category::Preposition if edge.value.word() == "for" => Why::Purpose,
            Category::Preposition if edge.value.word() == "like" => Why::Comparison,
            _ => continue,
        };
        for end in ends(chart, edge.end) {
            if !animates(chart, why, edge.end, end) && !is_misspelled(chart, [edge.end, end]) {
                found.extend(behind(chart, why, edge.end, end).map(|aside| (end, aside)));
            }
        }
    }
    if joined {
        found.extend(remarks(chart, at));
        found.extend(names::names(chart, at));
        found.extend(names::excuses(chart, at));
        found.extend(scene::scenes(chart, at));
        found.extend(likeness::moods(chart, at));
        found.extend(title::dates(chart, at));
        found.extend(statements::exclaimed(chart, at));
        found.extend(statements::of_nothing(chart, at));
    } else if statements::begins_at_once(chart, at) {
        // "It is too dark in the corners" is not about the whole image.
        let whole = |end: usize| !has(chart, at, end, Category::Region);
        found.extend(remarks(chart, at).into_iter().filter(|(end, _)| whole(*end)));
    }
    found.extend(statements::of_time(chart, at));
    found.extend(statements::in_brackets(chart, at));
    // "The bottom left corner, like the bottom left quarter" says how much of it.
    found.retain(|(end, _)| {
        let strip = |edge: &Edge| edge.category == Category::Strip && edge.end == *end;
        !(at..*end.min(&(at + 2))).any(|at| chart.at(at).iter().any(strip))
    });
    found
}

/// Whether what begins at a position asks for something to be put on the image, whatever follows:
/// "so put SOLD on it".
fn commands(chart: &Chart<'_>, at: usize) -> bool {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let first = at + usize::from(matches!(word(at), "so" | "and" | "then" | "ok" | "okay"));
    matches!(word(first), "put" | "add" | "write" | "type" | "stamp" | "slap" | "insert" | "draw")
}

/// Where the purposes end that begin at a position: "for my blog".
pub(crate) fn purposes(chart: &Chart<'_>, at: usize) -> Vec<usize> {
    let all = asides(chart, at, false).into_iter();
    all.filter(|(_, aside)| aside.why == Why::Purpose).map(|(end, _)| end).collect()
}

/// Whether words that could not be read ask for nothing: "for the jacket", "the couple is waiting".
pub(crate) fn is_talk(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    let Some(first) = chart.tokens.get(from) else { return false };
    let joins = matches!(first.text.as_str(), "for" | "like" | "as");
    let edits = (from..end).any(|at| {
        let edits = |edge: &Edge| {
            matches!(
                edge.category,
                Category::Verb | Category::Op | Category::Act | Category::Model | Category::Opening
            )
        };
        chart.at(at).iter().any(edits)
    });
    !edits && !wishes::wishes(chart, from, end) && (joins || finite(chart, from, end).is_some())
}

/// The positions at which an aside may end: before what joins, and at the end.
fn ends(chart: &Chart<'_>, from: usize) -> Vec<usize> {
    let limit = chart.tokens.len().min(from + WORDS_MAX);
    let mut ends = Vec::new();
    for at in from + 1..=limit {
        let boundary = at == chart.tokens.len()
            || chart.at(at).iter().any(|edge| {
                let closes = edge.end > at + 1 || edge.end == chart.tokens.len();
                let asks = edge.category == Category::Social && closes;
                asks || matches!(
                    edge.category,
                    Category::Joint | Category::Because | Category::Goal
                )
            });
        // "You can see the wood grain" does not end before "grain".
        if leaning::splits(chart, at) {
            continue;
        }
        // "So it's like a blueprint, wait no": what follows takes an edit back.
        if chart.at(at).iter().any(|edge| edge.category == Category::Correction) {
            break;
        }
        // "It came out super dark" does not end before "super".
        let complains = chart.at(at).iter().any(|edge| edge.category == Category::Complaint);
        // "It is going on newsprint" is one phrase.
        let led = LEADING.contains(&chart.tokens[at - 1].text.as_str());
        if boundary || begins_edit(chart, at) && !complains && !led {
            ends.push(at);
        }
        // "Because the lace goes the other way, and then …": what follows asks for more.
        if goes_on(chart, at) {
            break;
        }
        // What commands behind a comma is no part of the statement before.
        let comma = chart.tokens.get(at).is_some_and(|token| token.text == ",");
        if comma && at + 1 < limit && begins_edit(chart, at + 1)
            || chart.tokens.get(at).is_some_and(|token| is_stop(&token.text) || token.text == ":")
        {
            break;
        }
    }
    ends
}

/// Whether another request follows, after "and then" or ", then", but not after "now and then".
fn goes_on(chart: &Chart<'_>, at: usize) -> bool {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let then = usize::from(word(at) == "," && word(at + 1) == "and") + 1;
    matches!(word(at), "and" | ",") && word(at + then) == "then" && word(at - 1) != "now"
}

/// Whether a sign ends a sentence.
fn is_stop(sign: &str) -> bool {
    matches!(sign, "." | "!" | "?" | ";" | "\n")
}

/// Whether a command may begin here, so that what is before it may end.
fn begins_edit(chart: &Chart<'_>, at: usize) -> bool {
    chart.at(at).iter().any(|edge| {
        matches!(
            edge.category,
            Category::Verb | Category::Opening | Category::Op | Category::Act | Category::Push
        )
    })
}

fn has(chart: &Chart<'_>, from: usize, end: usize, category: Category) -> bool {
    (from..end)
        .any(|at| chart.at(at).iter().any(|edge| edge.category == category && edge.end <= end))
}

/// Statements of how things are that begin at a position.
fn remarks(chart: &Chart<'_>, at: usize) -> Vec<(usize, Aside)> {
    let ends = ends(chart, at);
    let found = ends.into_iter().filter_map(|end| {
        let about_thing = is_remark(chart, at, end)?;
        let mut words = chart.tokens[..at].iter().rev().map(|token| token.text.as_str());
        let so = matches!(words.find(|word| !is_article(word)), Some("so" | "that"));
        let outcome = so && outcome::given(chart, at.saturating_sub(1), end).is_some();
        if outcome || animates(chart, Why::Remark, at, end) || wishes::wishes(chart, at, end) {
            return None;
        }
        let complains = has(chart, at, end, Category::Complaint);
        let about = remedies::about(chart, at, end, about_thing);
        Some((end, Aside { about_thing, complains, about, ..Aside::new(Why::Remark) }))
    });
    found.collect()
}

/// Whether words state how something is; and then, whether they say what is wrong with a thing.
fn is_remark(chart: &Chart<'_>, from: usize, end: usize) -> Option<bool> {
    // "The bottom left quarter, I leaked it there" begins with where, and "like the old prints had,
    // about a centimeter" ends with how much.
    let mut after = (from..end).skip_while(|at| chart.tokens[*at].text != ",");
    let comma = after.next().unwrap_or(end);
    let place = comma < end && has(chart, from, comma, Category::Strip);
    if place || after.any(|at| likeness::LENGTHS.contains(&chart.tokens[at].text.as_str())) {
        return None;
    }
    if let Some(complaint) = complains(chart, from, end) {
        return Some(complaint);
    }
    let (verb, edge) = finite(chart, from, end)?;
    if begins_command(chart, from) || unfinished(chart, end) || edge.end >= end {
        return None;
    }
    // "The dog has to go" asks for something, and so does "only the lamp is dark".
    let asks = chart.tokens.get(edge.end).is_some_and(|token| token.text == "to");
    let mut words = chart.tokens[..from].iter().rev().map(|token| token.text.as_str());
    let before = words.find(|word| !is_article(word)).unwrap_or_default();
    let everything = matches!(chart.tokens[from].text.as_str(), "everything" | "all");
    let excepts = (from..end).any(|at| {
        chart
            .at(at)
            .iter()
            .any(|edge| edge.value.word() == "except" || edge.category == Category::Thing)
    });
    let singles = ["only", "just", "until", "except", "but"];
    let singles_out =
        singles.contains(&chart.tokens[from].text.as_str()) || matches!(before, "only" | "just");
    let part_of_thing =
        has(chart, from, verb, Category::Thing) && has(chart, from, verb, Category::Quality);
    // "So the plate can't be read" says what to change, and "it was sunny, so the dog was wet" does not.
    let wanted = statements::follows_so(chart, from)
        && edge.value.word() != "was"
        && has(chart, from, end, Category::Thing);
    if asks || singles_out || everything && excepts || part_of_thing || wanted {
        return None;
    }
    let things = !everything && !is_known_subject(chart, from, verb);
    // "My feet are showing" says what is wrong, too.
    let intrudes = chart.tokens.get(edge.end).is_some_and(|token| {
        matches!(token.text.as_str(), "showing" | "visible" | "poking" | "sticking" | "peeking")
    });
    let wrong = intrudes || has(chart, edge.end, end, Category::Complaint);
    let (is, was) = (edge.value.word() == "is", edge.value.word() == "was");
    let exists = matches!(chart.tokens[from].text.as_str(), "there" | "theres");
    let itself = matches!(
        chart.tokens[from].text.as_str(),
        "it" | "its" | "this" | "that" | "these" | "hey" | "im" | "ive"
    );
    let rest_plain = !is
        || (edge.end..end).all(|at| {
            !says_what(chart, at)
                || wrong && (is_color(chart, at) || is_negation(chart, at))
                || (itself || exists) && is_thing(chart, at)
        });
    if exists {
        return statements::there_is(chart, edge.end, end).filter(|_| rest_plain);
    }
    match (things, is) {
        (true, _) if was => (!(edge.end..end)
            .any(|at| matches!(chart.tokens[at].kind, Kind::Number(_))))
        .then_some(true),
        (true, true) => (wrong && rest_plain).then_some(true),
        (true, false) => statements::of_things(chart, from, verb),
        (false, true) => rest_plain.then_some(false),
        (false, false) => Some(false),
    }
}

/// The verb that makes a statement of words: "is", "looks", "came".
fn finite<'a>(chart: &'a Chart<'_>, from: usize, end: usize) -> Option<(usize, &'a Edge)> {
    // In "its" and "im", the subject contains the verb.
    let implied = matches!(
        chart.tokens[from].text.as_str(),
        "looks"
            | "look"
            | "seems"
            | "came"
            | "shot"
            | "taken"
            | "scanned"
            | "took"
            | "caught"
            | "snapped"
            | "found"
            | "saw"
    ) || statements::has_no_subject(chart, from);
    let contracted =
        implied || chart.at(from).iter().any(|edge| edge.category == Category::Subject);
    let first = from + usize::from(!contracted);
    (first..end.min(from + SUBJECT_WORDS_MAX)).find_map(|at| {
        // In "the left half", "left" is no verb.
        let noun = at > from && is_article(&chart.tokens[at - 1].text);
        let mut edges = chart.at(at).iter().filter(|_| !noun);
        let edge = edges.find(|edge| edge.category == Category::Finite)?;
        Some((at, edge))
    })
}

fn is_unknown(chart: &Chart<'_>, at: usize) -> bool {
    let inside = |before: usize| {
        let named = |edge: &Edge| edge.end > at && !edge.category.is_of_talk();
        chart.at(before).iter().any(named)
    };
    chart.tokens[at].kind == Kind::Word && !(at.saturating_sub(3)..=at).any(inside)
}

fn is_color(chart: &Chart<'_>, at: usize) -> bool {
    chart.at(at).iter().any(|edge| edge.category == Category::Color)
}

fn is_marker(chart: &Chart<'_>, at: usize, words: &[&str]) -> bool {
    chart
        .at(at)
        .iter()
        .any(|edge| edge.category == Category::Marker && words.contains(&edge.value.word()))
}

fn is_negation(chart: &Chart<'_>, at: usize) -> bool {
    chart.at(at).iter().any(|edge| edge.category == Category::Negation)
}

fn is_thing(chart: &Chart<'_>, at: usize) -> bool {
    chart.at(at).iter().any(|edge| edge.category == Category::Thing && edge.value.word() == "")
}

/// Whether words end in the middle of a phrase: "it is so".
fn unfinished(chart: &Chart<'_>, end: usize) -> bool {
    let last = end.saturating_sub(1);
    let before = last.checked_sub(1).map_or("", |at| chart.tokens[at].text.as_str());
    // "For a print" ends in a noun.
    let noun = is_article(before);
    leaning::goes_on(chart, end)
        || is_article(&chart.tokens[last].text)
        || chart.at(last).iter().any(|edge| match edge.category {
            Category::Finite => !noun,
            Category::Joint | Category::Possessive => true,
            // "It is a little" goes on, "it is too strong" does not.
            Category::Degree => !(end.saturating_sub(4)..end).any(|at| {
                let whole = |edge: &Edge| edge.value.word() == "too" && edge.end < end;
                chart.at(at).iter().any(|edge| edge.category == Category::Complaint && whole(edge))
            }),
            Category::Preposition => {
                !matches!(edge.value.word(), "on" | "off" | "in" | "around" | "behind")
            }
            Category::Complaint => matches!(edge.value.word(), "too" | "how") && edge.end == end,
            _ => false,
        })
}

/// "too dark", "way too yellow": a complaint without a verb.
fn complains(chart: &Chart<'_>, from: usize, end: usize) -> Option<bool> {
    // "too dark", "underexposed": an adjective alone may also ask for something.
    let complaint = chart.at(from).iter().find(|edge| {
        edge.category == Category::Complaint && matches!(edge.value.word(), "too" | "alone")
    })?;
    // "Very slightly" complains of nothing, "too gaudy" does.
    let word = chart.tokens[complaint.end - 1].text.as_str();
    let excess =
        matches!(word, "too" | "enough" | "much" | "little" | "underexposed" | "overexposed");
    let adjective = (complaint.end..end).any(|at| {
        let plain = |edge: &Edge| {
            edge.category == Category::Complaint && !matches!(edge.value.word(), "too" | "how")
        };
        chart.at(at).iter().any(plain)
    });
    // "Too dark brighteb it": a typing error may hide an edit.
    let misspelled = |at: usize| chart.is_unknown(at) && !is_english(&chart.tokens[at].text);
    if !excess && !adjective || (complaint.end..end).any(misspelled) {
        return None;
    }
    let whole =
        if complaint.value.word() == "alone" { complaint.end <= end } else { complaint.end < end };
    (end - from <= 6 && whole && !unfinished(chart, end) && !has(chart, from, end, Category::Thing))
        .then_some(false)
}

/// Whether the first word commands: "sharpen what is blurry" is no remark.
fn begins_command(chart: &Chart<'_>, from: usize) -> bool {
    let begins = |edge: &Edge| {
        matches!(
            edge.category,
            Category::Verb
                | Category::Model
                | Category::Negation
                | Category::Direction
                | Category::Push
        )
    };
    // "Brighten it if the window is too bright" is no statement either.
    let verb =
        |edge: &Edge| matches!(edge.category, Category::Op | Category::Act) && edge.end == from + 1;
    let edits = chart.at(from).iter().any(verb) && chart.lexicon.is_verb(&chart.tokens[from].text);
    // "Please put them there" has no subject.
    let asks = matches!(chart.tokens[from].text.as_str(), "please" | "pls" | "plz" | "kindly");
    (edits || asks || chart.at(from).iter().any(begins))
        && !chart.at(from).iter().any(|edge| matches!(edge.category, Category::Subject))
}

/// Whether the subject is a person or the image, and no thing in it.
fn is_known_subject(chart: &Chart<'_>, from: usize, verb: usize) -> bool {
    // "My fog shots", "the kitchen shot".
    let named = |at: usize| {
        let thing = |edge: &Edge| edge.category == Category::Thing;
        let noun = |edge: &Edge| edge.category == Category::Noun && edge.end <= verb;
        (chart.is_unknown(at) || chart.at(at).iter().any(thing))
            && chart.at(at + 1).iter().any(noun)
    };
    let covered = |at: usize| {
        let always = matches!(chart.tokens[at].text.as_str(), "always" | "usually" | "often");
        if always || named(at) {
            return Some(at + 1);
        }
        chart
            .at(at)
            .iter()
            .filter_map(|edge| {
                let known = match edge.category {
                    Category::Marker => {
                        matches!(
                            edge.value.word(),
                            "colors"
                                | "noise"
                                | "hue"
                                | "look"
                                | "horizon"
                                | "wb"
                                | "kelvin"
                                | "preset"
                                | "scene"
                        )
                    }
                    category => matches!(
                        category,
                        Category::Subject
                            | Category::Image
                            | Category::Quality
                            | Category::Band
                            | Category::Filler
                            | Category::Possessive
                            | Category::Noun
                            | Category::Color
                    ),
                };
                (known && edge.end <= verb).then_some(edge.end)
            })
            .max()
    };
    let mut at = from;
    while at < verb {
        match covered(at) {
            Some(end) => at = end,
            None => return false,
        }
    }
    true
}
