//! What is told about those who wait for the image, made it or use it: "our mailer chokes on PNGs", "the
//! client is waiting". Few of these words have to be known; how they are put together tells what they
//! are.

use super::statements::asks;
use super::wishes::wishes;
use super::{Aside, Why, has, is_stop, leaning, unfinished};
use crate::chart::{Chart, Edge, is_article};
use crate::lexicon::is_english;
use crate::token::Kind;
use crate::value::Category;

/// The most words of a statement, and before the noun that says who acts.
const WORDS_MAX: usize = 24;
const ADJECTIVES_MAX: usize = 3;
/// Who tells something.
const SPEAKERS: &[&str] = &["i", "we"];
/// The same with their verb.
const CONTRACTED: &[&str] = &["im", "ive", "weve", "ill", "theyll", "theyve"];
/// Words between a subject and its verb.
const ADVERBS: &[&str] = &[
    "only",
    "just",
    "always",
    "usually",
    "still",
    "also",
    "never",
    "really",
    "already",
    "first",
    "simply",
    "then",
    "often",
    "sometimes",
    "actually",
    "even",
    "all",
    "both",
    "now",
];
/// What is possible or to come.
const MODALS: &[&str] = &[
    "will", "can", "would", "could", "may", "might", "wont", "cant", "cannot", "couldnt",
    "wouldnt", "didnt", "doesnt", "dont", "hasnt", "havent", "wasnt",
];
/// Verbs of what somebody says or wants: what follows them may be a wish.
const REPORTS: &[&str] = &[
    "say",
    "says",
    "said",
    "tell",
    "tells",
    "told",
    "ask",
    "asks",
    "asked",
    "insist",
    "insists",
    "prefer",
    "prefers",
    "expect",
    "expects",
    "demand",
    "demands",
    "require",
    "requires",
    "request",
    "requests",
    "asking",
    "like",
    "likes",
    "want",
    "wants",
    "wanted",
    "need",
    "needs",
    "accepts",
    "accept",
    "accepting",
    "takes",
    "take",
    "allows",
    "wishes",
    "should",
    "must",
];
/// Verbs that say what is not accepted, so that a file may follow them.
const REFUSES: &[&str] =
    &["chokes", "choke", "hates", "hate", "rejects", "reject", "wont", "cant", "doesnt", "refuses"];
/// Verbs of what somebody thinks of: what follows them may be a wish, although it has happened.
const THOUGHTS: &[&str] = &[
    "thought",
    "thinking",
    "figured",
    "imagined",
    "pictured",
    "envisioned",
    "hoped",
    "wished",
    "planned",
    "decided",
    "agreed",
    "chose",
    "chosen",
    "considered",
    "preferred",
    "intended",
    "meant",
    "ordered",
    "fancied",
    "desired",
    "suggested",
    "recommended",
    "loved",
    "liked",
    "got to",
];
/// Adverbs and prepositions of place, which say where somebody is.
const DISTANT: &[&str] = &["there", "here", "anyway", "today", "tomorrow", "tonight"];

/// Who acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    /// "I", "we".
    Speaker,
    /// "Our printer", "MLS": rarely in the image.
    Agent,
    /// "My son": perhaps in the image.
    Kin,
    /// "People", "they": nobody knows who.
    People,
}

/// The statements that begin at a position.
pub(super) fn scenes(chart: &Chart<'_>, at: usize) -> Vec<(usize, Aside)> {
    if chart.lexicon.films() {
        return Vec::new();
    }
    let told = ends(chart, at).into_iter().filter_map(|end| {
        let told = told(chart, at, end).or_else(|| later(chart, at, end));
        let told = told.or_else(|| is_due(chart, at, end));
        let told = told.or_else(|| leaning::leans(chart, at, end));
        let told = told.or_else(|| leaning::needs_to(chart, at, end));
        Some((end, told.or_else(|| lies_there(chart, at, end))?))
    });
    told.collect()
}

/// Where a statement may end: before a sign, a word that joins or a request, and at the end.
fn ends(chart: &Chart<'_>, from: usize) -> Vec<usize> {
    let length = chart.tokens.len();
    let mut ends = Vec::new();
    for at in from + 1..=length.min(from + WORDS_MAX) {
        let text = chart.tokens.get(at).map_or("", |token| token.text.as_str());
        let joins = chart.at(at).iter().any(|edge| {
            let asks =
                edge.category == Category::Opening && (edge.end > at + 1 || text == "please");
            let closes = edge.category == Category::Social && edge.end == length;
            asks || closes
                || matches!(edge.category, Category::Joint | Category::Because | Category::Goal)
                    && text != "to"
        });
        if at == length || joins || is_stop(text) {
            ends.push(at);
        }
        if is_stop(text) {
            break;
        }
    }
    ends
}

/// "The photographer has rung", "NEPA took light": somebody who is not in the image does something that
/// is no edit.
fn told(chart: &Chart<'_>, from: usize, end: usize) -> Option<Aside> {
    let (who, verb) = subject(chart, from)?;
    let verb = (verb..end).find(|at| !ADVERBS.contains(&chart.tokens[*at].text.as_str()))?;
    let rest = verb_end(chart, who, verb).filter(|rest| *rest <= end)?;
    let text = chart.tokens[verb].text.as_str();
    let refuses = REFUSES.contains(&text);
    let reports =
        !refuses && (verb..end).any(|at| REPORTS.contains(&chart.tokens[at].text.as_str()));
    // What has happened is no wish: "my phone made it blue".
    let done = matches!(text, "made" | "came" | "turned" | "was") || text.ends_with("ed");
    // "I photographed a page in grayscale": what the speaker did is none at all.
    let thinks = |at: usize| THOUGHTS.contains(&chart.tokens[at].text.as_str());
    let did = who == Who::Speaker && has_happened(chart, verb) && !(verb..end).any(thinks);
    let plain = (rest..end).all(|at| {
        is_plain(chart, at)
            || did && chart.tokens[at].kind == Kind::Word
            || refuses && has(chart, at, at + 1, Category::File)
            || done && has(chart, at, at + 1, Category::Color)
            || who == Who::Agent && is_marker(chart, at)
            || is_channel(chart, at)
    });
    // "My granddaughter says you're clever".
    let next = chart.tokens.get(verb + 1).map_or("", |token| token.text.as_str());
    let can = |at: usize| {
        matches!(chart.tokens[at].text.as_str(), "can" | "could" | "will" | "would" | "should")
    };
    let praises = matches!(next, "youre" | "you") && !(verb..end).any(can);
    let reports = reports && !praises;
    if who == Who::People && !is_ours(chart, rest, end)
        || reports
        || !plain
        || wishes(chart, from, end)
        || asks(chart, rest, end) && !did
        || unfinished(chart, end)
    {
        return None;
    }
    let about_thing = who == Who::Kin || !did && (rest..end).any(|at| is_definite(chart, at));
    Some(Aside { about_thing, ..Aside::new(Why::Remark) })
}

/// Whether a verb tells what somebody did: "photographed", "held".
fn has_happened(chart: &Chart<'_>, verb: usize) -> bool {
    let text = chart.tokens[verb].text.as_str();
    let past = |edge: &Edge| {
        edge.category == Category::Finite
            && edge.value.word() == "do"
            && !text.ends_with('s')
            && !is_verb(text)
    };
    text.ends_with("ed") || chart.at(verb).iter().any(past)
}

/// "Our shots": not what people do in the image.
fn is_ours(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    (from..end).any(|at| matches!(chart.tokens[at].text.as_str(), "my" | "our"))
}

fn is_marker(chart: &Chart<'_>, at: usize) -> bool {
    let marker = |edge: &Edge| edge.category == Category::Marker || is_function(edge);
    !chart.at(at).is_empty() && chart.at(at).iter().filter(|edge| edge.end == at + 1).all(marker)
}

/// "The text comes later", "the couple is waiting": it asks for nothing now.
fn later(chart: &Chart<'_>, from: usize, end: usize) -> Option<Aside> {
    let word = |at: usize| chart.tokens[at].text.as_str();
    let waits = (from + 1..end).any(|at| matches!(word(at), "waiting" | "coming"))
        && (from + 1..end).any(|at| matches!(word(at), "is" | "are"));
    let last = if word(end - 1) == "on" { end.saturating_sub(2) } else { end - 1 };
    let postponed = last > from
        && matches!(word(last), "later" | "afterwards" | "myself")
        && (from + 1..end).any(|at| matches!(word(at), "comes" | "goes" | "will" | "follows"));
    let commands = chart.lexicon.is_verb(word(from));
    let plain = (from..end).all(|at| is_plain(chart, at) || postponed && has_no_edit(chart, at));
    let short = end - from <= 12;
    (short && (waits || postponed) && !commands && plain && !asks(chart, from, end))
        .then(|| Aside::new(Why::Remark))
}

/// Whether a word is no edit by itself: "type", "white", "text".
fn has_no_edit(chart: &Chart<'_>, at: usize) -> bool {
    chart.tokens[at].kind == Kind::Word
        && !chart.at(at).iter().any(|edge| {
            matches!(
                edge.category,
                Category::Op | Category::Act | Category::Model | Category::Negation
            )
        })
}

/// "My email's there": what is at the place of the edit.
fn lies_there(chart: &Chart<'_>, from: usize, end: usize) -> Option<Aside> {
    let place = end.checked_sub(1).filter(|place| *place > from)?;
    let noun = &chart.tokens[place - 1];
    let is = noun.text.ends_with('s') && noun.written.contains(['\'', '’']);
    let there = matches!(chart.tokens[place].text.as_str(), "there" | "here" | "showing");
    let plain = (from..place).all(|at| is_plain(chart, at));
    (is && there && plain && end - from <= 5)
        .then(|| Aside { about_thing: true, ..Aside::new(Why::Remark) })
}

/// "As a story", "on my feed": where somebody puts the result.
fn is_channel(chart: &Chart<'_>, at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| chart.tokens[at].text.as_str());
    matches!(before(2), "as" | "on" | "in" | "to")
        && (is_article(before(1)) || matches!(before(1), "my" | "our"))
}

/// "Deadline in 10": when somebody waits for it.
fn is_due(chart: &Chart<'_>, from: usize, end: usize) -> Option<Aside> {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let start = from + usize::from(is_determiner(chart, from));
    let agent = chart.at(start).iter().any(|edge| edge.category == Category::Agent);
    let time = matches!(word(start + 1), "in" | "at" | "by") && end == start + 3
        || matches!(word(start + 1), "today" | "tonight" | "tomorrow") && end == start + 2;
    (agent && time).then(|| Aside::new(Why::Remark))
}

/// The position behind a subject that is no thing in the image.
pub(super) fn subject(chart: &Chart<'_>, from: usize) -> Option<(Who, usize)> {
    let text = chart.tokens[from].text.as_str();
    if CONTRACTED.contains(&text) {
        return Some((Who::Speaker, from));
    }
    if SPEAKERS.contains(&text) {
        return Some((Who::Speaker, from + 1));
    }
    if matches!(text, "people" | "they" | "others" | "someone") {
        return Some((Who::People, from + 1));
    }
    let start = from + usize::from(is_determiner(chart, from));
    let agent = |at: usize| chart.at(at).iter().find(|edge| edge.category == Category::Agent);
    let adjective = |at: usize| {
        chart.is_unknown(at)
            || agent(at).is_some()
            || !chart.at(at).is_empty()
                && chart.at(at).iter().all(|edge| {
                    matches!(
                        edge.category,
                        Category::Elsewhere | Category::Ordinal | Category::Filler
                    )
                })
    };
    let last = (start..=start + ADJECTIVES_MAX)
        .take_while(|at| *at == start || adjective(at - 1))
        .filter(|at| agent(*at).is_some())
        .last();
    match last.and_then(|at| Some((at, agent(at)?))) {
        Some((_, edge)) if edge.value.word() == "kin" => Some((Who::Kin, edge.end)),
        Some((_, edge)) => Some((Who::Agent, edge.end)),
        None if start == from && is_name(chart, from) => Some((Who::Agent, from + 1)),
        None => None,
    }
}

fn is_determiner(chart: &Chart<'_>, at: usize) -> bool {
    let word = chart.tokens[at].text.as_str();
    is_article(word)
        || matches!(word, "this" | "that" | "these" | "those" | "other" | "some")
        || chart.at(at).iter().any(|edge| edge.category == Category::Possessive)
}

/// Whether a word is a name by how it is written: "NEPA", "eBay".
fn is_name(chart: &Chart<'_>, at: usize) -> bool {
    let token = &chart.tokens[at];
    let lower = |word: &str| !word.chars().any(char::is_uppercase);
    // A name in capitals may also be a text without quotation marks.
    let named = |edge: &Edge| edge.category == Category::Text || edge.category.is_of_talk();
    token.kind == Kind::Word
        && (chart.at(at).iter().all(named) || chart.lexicon.beginning_with(&token.text).is_empty())
        && !is_english(&token.text)
        && token.written.chars().skip(1).any(char::is_uppercase)
        && chart.tokens.iter().any(|other| other.kind == Kind::Word && lower(&other.written))
}

/// The position behind the verb of a statement.
fn verb_end(chart: &Chart<'_>, who: Who, verb: usize) -> Option<usize> {
    let text = chart.tokens.get(verb)?.text.as_str();
    let subject = chart.tokens[verb.saturating_sub(1)].text.as_str();
    let several = matches!(who, Who::Speaker | Who::People) || subject.ends_with('s');
    let written = &chart.tokens[verb.saturating_sub(1)].written;
    // "Punter's coming".
    if written.contains(['\'', '’']) && subject.ends_with('s') && text.ends_with("ing") {
        return Some(verb + 1);
    }
    if CONTRACTED.contains(&text) {
        return Some(verb + 1 + usize::from(text.ends_with("ll")));
    }
    // "Agents keep copying them".
    if matches!(text, "keep" | "keeps") {
        let next = chart.tokens.get(verb + 1)?;
        return next.text.ends_with("ing").then_some(verb + 2);
    }
    // Of what may be in the image, only what has happened is no wish.
    let seen = who == Who::Kin;
    if MODALS.contains(&text) {
        return (!seen && chart.tokens.get(verb + 1)?.kind == Kind::Word).then_some(verb + 2);
    }
    let finite = chart
        .at(verb)
        .iter()
        .any(|edge| edge.category == Category::Finite && !(seen && edge.value.word() == "is"));
    let done = text.ends_with("ed");
    let does = !seen && (text.ends_with('s') && !text.ends_with("ss") || several && is_verb(text));
    let harmless = |edge: &Edge| {
        matches!(
            edge.category,
            Category::Label | Category::Verb | Category::Marker | Category::Noun
        ) || edge.category.is_of_talk()
    };
    let unknown = chart.at(verb).iter().all(harmless)
        && chart.tokens[verb].kind == Kind::Word
        && (done || does);
    // Only what is said of somebody is no wish: see `told`.
    let says = matches!(text, "says" | "said" | "thinks" | "reckons");
    (finite || unknown || says).then_some(verb + 1)
}

/// Whether an English word is also a verb: "mend", "mended", "mending".
pub(super) fn is_verb(word: &str) -> bool {
    let stem = word.strip_suffix('e').unwrap_or(word);
    let doubled = word.chars().last().is_some_and(|last| is_english(&format!("{word}{last}ing")));
    doubled || is_english(&format!("{stem}ing"))
}

/// Whether no edit has a use for a word.
pub(super) fn is_plain(chart: &Chart<'_>, at: usize) -> bool {
    let token = &chart.tokens[at];
    let before = at.checked_sub(1).map_or("", |at| chart.tokens[at].text.as_str());
    let next = chart.tokens.get(at + 1);
    match token.kind {
        Kind::Word => {
            let function = chart.at(at).iter().any(|edge| edge.end == at + 1 && is_function(edge));
            let mut edges = chart.at(at).iter().filter(|edge| !function || edge.end > at + 1);
            edges.all(|edge| is_harmless(chart, at, edge))
        }
        // "At 2", "in 1974", "my 6yo".
        Kind::Number(_) => {
            let unit = chart.at(at + 1).iter().any(|edge| edge.category == Category::Unit);
            let named = next.is_some_and(|next| token.touches(next) && chart.is_unknown(at + 1));
            let timed = matches!(before, "at" | "in" | "by" | "until")
                && next.is_none_or(|next| next.text == "," || is_stop(&next.text));
            !unit && (named || timed)
        }
        _ => false,
    }
}

/// Whether a word only holds others together, whatever else it may mean.
const fn is_function(edge: &Edge) -> bool {
    matches!(edge.category, Category::Preposition | Category::Filler | Category::Finite)
}

fn is_harmless(chart: &Chart<'_>, at: usize, edge: &Edge) -> bool {
    match edge.category {
        Category::Finite
        | Category::Filler
        | Category::Preposition
        | Category::Possessive
        | Category::Subject
        | Category::Noun
        | Category::Image
        | Category::Agent
        | Category::Occasion
        | Category::Piece
        | Category::Goal
        | Category::Because
        | Category::Social
        | Category::Degree
        | Category::Label
        | Category::Numeral
        | Category::Number
        | Category::Saying
        | Category::Complaint
        | Category::Thing => true,
        // "In ten".
        Category::Amount | Category::Size => {
            at > 0
                && chart.tokens[at].kind == Kind::Word
                && matches!(chart.tokens[at - 1].text.as_str(), "in" | "at" | "by" | "until")
        }
        Category::Verb => {
            matches!(edge.value.word(), "make" | "keep" | "write" | "add" | "overlay")
        }
        Category::Marker => {
            matches!(edge.value.word(), "size" | "large" | "thick" | "old" | "scene")
        }
        Category::Joint => matches!(edge.value.word(), "and") && chart.tokens[at].text == "and",
        _ => DISTANT.contains(&chart.tokens[at].text.as_str()),
    }
}

/// Whether a noun with an article may be a thing in the image, which "it" may stand for.
fn is_definite(chart: &Chart<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| chart.tokens[at].text.as_str());
    let thing = chart.at(at).iter().any(|edge| edge.category == Category::Thing);
    let named = matches!(before, "the" | "that" | "this" | "his" | "her" | "their");
    thing || named && chart.is_unknown(at) && !has(chart, at, at + 1, Category::Agent)
}

/// The positions behind "the client wants it", "Passport office wants": who wants what follows.
pub(crate) fn wanting(chart: &Chart<'_>, from: usize) -> Vec<usize> {
    let Some((Who::Agent, verb)) = subject(chart, from).filter(|_| !chart.lexicon.films()) else {
        return Vec::new();
    };
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let next = match (word(verb), word(verb + 1)) {
        ("would", "like") | ("asked", "for") | ("insists", "on") => verb + 2,
        ("wants" | "want" | "needs" | "need" | "requires", _) => verb + 1,
        _ => return Vec::new(),
    };
    let sized = [Category::Size, Category::Ratio, Category::Amount, Category::Measure]
        .iter()
        .any(|category| chart.at(next).iter().any(|edge| edge.category == *category));
    match word(next) {
        "it" | "this" | "these" => vec![next, next + 1],
        _ if sized => vec![next],
        _ => Vec::new(),
    }
}
