//! What is said around edits and changes nothing: reasons, purposes, goals, comparisons, remarks.
//! They are recognized by their grammar.

mod kept;
mod motion;
mod names;
mod statements;
mod undone;
mod wishes;

use crate::chart::{Chart, Edge, is_article};
use crate::token::Kind;
use crate::value::{Category, Value};
pub(crate) use kept::kept;
use motion::animates;
pub(crate) use undone::undone;

/// The most words of an aside.
const WORDS_MAX: usize = 40;
/// The most words before the verb of a remark.
const SUBJECT_WORDS_MAX: usize = 9;

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
    for edge in chart.at(at) {
        let why = match edge.category {
            Category::Because => Why::Reason,
            Category::Goal => Why::Goal,
            Category::Preposition if edge.value.word() == "for" => Why::Purpose,
            Category::Preposition if edge.value.word() == "like" => Why::Comparison,
            _ => continue,
        };
        for end in ends(chart, edge.end) {
            if fits(chart, why, edge.end, end) && !animates(chart, why, edge.end, end) {
                let about_thing =
                    why == Why::Reason && is_remark(chart, edge.end, end) == Some(true);
                found.push((end, Aside { why, about_thing, complains: false, about: None }));
            }
        }
    }
    if joined {
        found.extend(remarks(chart, at));
        found.extend(names::names(chart, at));
        found.extend(statements::of_nothing(chart, at));
    } else if statements::begins_at_once(chart, at) {
        // "It is too dark in the corners" is not about the whole image.
        let whole = |end: usize| !has(chart, at, end, Category::Region);
        found.extend(remarks(chart, at).into_iter().filter(|(end, _)| whole(*end)));
    }
    found.extend(statements::of_time(chart, at));
    found
}

/// Where the purposes end that begin at a position: "for my blog".
pub(crate) fn purposes(chart: &Chart<'_>, at: usize) -> Vec<usize> {
    let all = asides(chart, at, false).into_iter();
    all.filter(|(_, aside)| aside.why == Why::Purpose).map(|(end, _)| end).collect()
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
        // "It came out super dark" does not end before "super".
        let complains = chart.at(at).iter().any(|edge| edge.category == Category::Complaint);
        if boundary || begins_edit(chart, at) && !complains {
            ends.push(at);
        }
        // What commands behind a comma is no part of the statement before.
        let comma = chart.tokens.get(at).is_some_and(|token| token.text == ",");
        if comma && at + 1 < limit && begins_edit(chart, at + 1)
            || chart.tokens.get(at).is_some_and(|token| is_stop(&token.text))
        {
            break;
        }
    }
    ends
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

/// Whether the words from a preposition or conjunction on change nothing.
fn fits(chart: &Chart<'_>, why: Why, from: usize, end: usize) -> bool {
    let plain = (from..end).all(|at| !says_what(chart, at)) && !unfinished(chart, end);
    match why {
        // "As needed" is a condition, "as it is too dark" a reason.
        Why::Reason if chart.tokens[from - 1].text == "as" => {
            is_remark(chart, from, end).is_some() && !animates(chart, Why::Remark, from, end)
        }
        Why::Reason => {
            !has(chart, from, end, Category::Thing) || is_remark(chart, from, end).is_some()
        }
        Why::Purpose => plain && is_purpose(chart, from, end),
        Why::Comparison => {
            let looks = from.checked_sub(2).is_some_and(|at| chart.tokens[at].text == "look");
            plain && !looks && end - from <= 5 && !has(chart, from, end, Category::Picture)
        }
        // Behind "to" there is no subject: "dither to 4 levels".
        Why::Goal if wishes::wishes(chart, from, end) => false,
        Why::Goal => {
            let to = chart.tokens[from - 1].text == "to";
            // "I want it to look like a cartoon" asks for it.
            let alike = to && chart.tokens[from].text == "look";
            !alike && plain && is_goal(chart, from, end)
                || !to && statements::is_outcome(chart, from, end)
        }
        Why::Politeness | Why::Remark => true,
    }
}

/// Whether a word says what an edit should do: numbers, colors, texts, things that only a model can
/// find.
fn says_what(chart: &Chart<'_>, at: usize) -> bool {
    matches!(chart.tokens[at].kind, Kind::Number(_) | Kind::Quoted(_) | Kind::Hex(_))
        || chart.at(at).iter().any(|edge| {
            matches!(
                edge.category,
                Category::Color
                    | Category::Thing
                    | Category::Model
                    | Category::Picture
                    | Category::Negation
                    | Category::Ratio
                    | Category::Size
                    | Category::Measure
                    | Category::File
            ) || edge.category == Category::Elsewhere && statements::is_of_file(edge)
        })
}

fn has(chart: &Chart<'_>, from: usize, end: usize, category: Category) -> bool {
    (from..end)
        .any(|at| chart.at(at).iter().any(|edge| edge.category == category && edge.end <= end))
}

/// "for my pfp", "for the website", "for instagram": not "for the sky", not "for the shadows".
fn is_purpose(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    let edits = [Category::Band, Category::Quality, Category::Op, Category::Region];
    let image = (from..from + 2).any(|at| {
        chart.at(at).iter().any(|edge| {
            let whole = edge.category == Category::Image && edge.end == end;
            // "For a linkedin profile picture" is another image.
            whole && edge.value.word() != "described"
        })
    });
    end - from <= 8 && !image && !edits.iter().any(|category| has(chart, from, end, *category))
        || chart.at(from).iter().any(|edge| edge.category == Category::Possessive)
            && end - from <= 8
}

/// "so nothing gets cut off": who wants it, or the image, is the subject.
fn is_goal(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    let subject = chart.at(from).iter().any(|edge| {
        matches!(edge.category, Category::Subject | Category::Image | Category::Possessive)
    });
    let noun = |edge: &Edge| {
        matches!(
            edge.category,
            Category::Filler
                | Category::Possessive
                | Category::Noun
                | Category::Image
                | Category::Place
        )
    };
    let verb = chart.tokens.get(from).is_some_and(|token| token.kind == Kind::Word)
        && !chart.at(from).iter().any(noun);
    let to = from.checked_sub(1).is_some_and(|at| chart.tokens[at].text == "to");
    let edits = [
        Category::Op,
        Category::Act,
        Category::Push,
        Category::Direction,
        Category::Quality,
        Category::Band,
    ];
    // "So nothing gets cut off" names what must not happen.
    let nothing = chart.tokens.get(from).is_some_and(|token| token.text == "nothing");
    nothing
        || (subject || to && verb) && !edits.iter().any(|category| has(chart, from, end, *category))
}

/// Statements of how things are that begin at a position.
fn remarks(chart: &Chart<'_>, at: usize) -> Vec<(usize, Aside)> {
    let ends = ends(chart, at);
    let found = ends.into_iter().filter_map(|end| {
        let about_thing = is_remark(chart, at, end)?;
        if animates(chart, Why::Remark, at, end) || wishes::wishes(chart, at, end) {
            return None;
        }
        let complains = has(chart, at, end, Category::Complaint);
        let about = subject(chart, at, end);
        Some((end, Aside { why: Why::Remark, about_thing, complains, about }))
    });
    found.collect()
}

/// What a remark is about: the first quality or range of tones in it.
fn subject(chart: &Chart<'_>, from: usize, end: usize) -> Option<Value> {
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

/// Whether words state how something is; and then, whether they say what is wrong with a thing.
fn is_remark(chart: &Chart<'_>, from: usize, end: usize) -> Option<bool> {
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
    let wrong = has(chart, edge.end, end, Category::Complaint);
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
        return there_is(chart, edge.end, end).filter(|_| rest_plain);
    }
    match (things, is) {
        (true, _) if was => (!(edge.end..end)
            .any(|at| matches!(chart.tokens[at].kind, Kind::Number(_))))
        .then_some(true),
        (true, true) => (wrong && rest_plain).then_some(true),
        // "the kids were running", not "tell me what you think".
        (true, false) => chart
            .at(from)
            .iter()
            .any(|edge| matches!(edge.category, Category::Filler | Category::Possessive))
            .then_some(false),
        (false, true) => rest_plain.then_some(false),
        (false, false) => Some(false),
    }
}

/// The verb that makes a statement of words: "is", "looks", "came".
fn finite<'a>(chart: &'a Chart<'_>, from: usize, end: usize) -> Option<(usize, &'a Edge)> {
    // In "its" and "im", the subject contains the verb.
    let implied = matches!(
        chart.tokens[from].text.as_str(),
        "looks" | "look" | "seems" | "came" | "shot" | "taken" | "scanned"
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

/// Whether what there is may be a thing in the image.
fn there_is(chart: &Chart<'_>, from: usize, end: usize) -> Option<bool> {
    // "There is too much noise in the sky" asks to change a part that only a model can find.
    let tone = has(chart, from, end, Category::Quality)
        || (from..end).any(|at| is_marker(chart, at, &["noise", "colors", "hue"]));
    let found = has(chart, from, end, Category::Thing);
    // "There's a bin in the corner": what nobody knows is a thing, too.
    let unknown = (from..end).any(|at| is_unknown(chart, at));
    (!(tone && found)).then_some(found || unknown)
}

fn is_unknown(chart: &Chart<'_>, at: usize) -> bool {
    let inside = |before: usize| chart.at(before).iter().any(|edge| edge.end > at);
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
    is_article(&chart.tokens[last].text)
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
    if !excess && !adjective {
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
    (edits || chart.at(from).iter().any(begins))
        && !chart.at(from).iter().any(|edge| matches!(edge.category, Category::Subject))
}

/// Whether the subject is a person or the image, and no thing in it.
fn is_known_subject(chart: &Chart<'_>, from: usize, verb: usize) -> bool {
    let covered = |at: usize| {
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
