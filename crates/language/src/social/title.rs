//! Titles: words without a verb that say what the image is, before the first edit.

use super::scene::{is_plain, is_verb};
use super::wishes::wishes;
use super::{Aside, Why, begins_edit, is_stop, unfinished};
use crate::chart::{Chart, Edge, is_article};
use crate::token::Kind;
use crate::value::Category;

/// The most words of a title, and before the noun that says what the image is.
const WORDS_MAX: usize = 10;
const ADJECTIVES_MAX: usize = 3;
/// Numbers that are years.
const YEARS: std::ops::RangeInclusive<f64> = 1800.0..=2100.0;

/// The titles that begin at a position: "Screenshot for the README.", "1911 census page:". An image that
/// is to be made may not be described so.
pub(crate) fn titles(chart: &Chart<'_>, at: usize, inputs: usize) -> Vec<(usize, Aside)> {
    if chart.lexicon.films() || inputs == 0 || !is_first(chart, at) {
        return Vec::new();
    }
    let limit = chart.tokens.len().min(at + WORDS_MAX + 1);
    let ends = (at + 1..limit).filter(|end| {
        is_closed(chart, *end)
            && !wishes(chart, at, *end)
            && (is_title(chart, at, *end)
                || is_shot(chart, at, *end)
                || is_count(chart, [at, *end], inputs))
    });
    let tag = tag(chart, at).map(|end| (end, Aside::new(Why::Remark)));
    ends.map(|end| (end, Aside::new(Why::Remark))).chain(tag).collect()
}

/// The end of what a tracker of tasks puts before an instruction: "[IMG-2231]", "UI-77:", "Ticket #12".
fn tag(chart: &Chart<'_>, at: usize) -> Option<usize> {
    let tokens = chart.tokens;
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let number = |at: usize| tokens.get(at).is_some_and(|it| matches!(it.kind, Kind::Number(_)));
    let open = usize::from(word(at) == "[");
    let first = tokens.get(at + open)?;
    let loud = first.kind == Kind::Word
        && first.written.len() > 1
        && (open > 0 || chart.is_unknown(at) || first.written.chars().all(char::is_uppercase));
    let dash = at + open + 1;
    let numbered = loud && word(dash) == "-" && number(dash + 1) && first.touches(&tokens[dash]);
    let named = matches!(
        first.text.as_str(),
        "ticket" | "issue" | "task" | "bug" | "case" | "job" | "request" | "order" | "ref"
    );
    let hash = dash + usize::from(matches!(word(dash), "#" | "no" | "number"));
    let end = match (numbered, named && number(hash)) {
        (true, _) => dash + 2,
        (_, true) => hash + 1,
        _ => return None,
    };
    let closed = usize::from(open > 0 && word(end) == "]");
    let signs = matches!(word(end), ":" | "-" | "—" | "/" | "." | "," | "(" | "\n" | "|");
    (closed == open && (open > 0 || signs)).then_some(end + closed)
}

/// "Aerial shot", "drone photo": only words that no edit has a use for, before an image.
fn is_shot(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    let noun = |edge: &Edge| {
        edge.category == Category::Noun && edge.value.word() == "one" && edge.end == end
    };
    let stops = chart.tokens.get(end).is_some_and(|sign| is_stop(&sign.text) || sign.text == ":");
    stops
        && (2..=3).contains(&(end - from))
        && chart.at(end - 1).iter().any(noun)
        && (from..end - 1).all(|at| chart.is_unknown(at) && !is_verb(&chart.tokens[at].text))
}
/// Whether only greetings are before a position.
fn is_first(chart: &Chart<'_>, from: usize) -> bool {
    // "My boss asked for it. Aerial shot."
    let stop = (0..from).rev().find(|at| is_stop(&chart.tokens[*at].text));
    let edits = |at: usize| {
        let opens = |edge: &Edge| edge.category == Category::Opening;
        begins_edit(chart, at) && !chart.at(at).iter().any(opens)
    };
    let stop = stop.filter(|stop| !(0..*stop).any(edits));
    let mut at = stop.map_or(0, |stop| stop + 1);
    while at < from {
        let greets = |edge: &&Edge| matches!(edge.category, Category::Social | Category::Joint);
        let greeting = chart.at(at).iter().filter(greets).map(|edge| edge.end);
        let end = greeting.chain(tag(chart, at)).filter(|end| *end <= from).max();
        at = match end {
            Some(end) => end,
            None if chart.tokens[at].kind == Kind::Sign => at + 1,
            None => return false,
        };
    }
    true
}

/// Whether a sign ends a title.
fn is_closed(chart: &Chart<'_>, end: usize) -> bool {
    let sign = chart.tokens.get(end).map(|token| token.text.as_str());
    let asks = chart.at(end).iter().any(|edge| edge.category == Category::Social);
    asks || sign
        .is_some_and(|sign| matches!(sign, ":" | "-" | "—" | "," | "->" | "→") || is_stop(sign))
}

/// "Screenshot for the README", "album cover": what the image is.
fn is_title(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    let determined = is_article(&chart.tokens[from].text)
        || chart.at(from).iter().any(|edge| edge.category == Category::Possessive);
    // "1911 census page".
    let numbered = matches!(chart.tokens[from].kind, Kind::Number(_)) && chart.is_unknown(from + 1);
    let start = from + usize::from(determined || numbered);
    let headed = chart.tokens.get(end).is_some_and(|sign| sign.text == ":");
    // "Mend photo."
    let commands = start == from && !headed && is_verb(&chart.tokens[from].text);
    let owned = chart.at(from).iter().any(|edge| edge.category == Category::Possessive);
    // "Photo of a dragon, …" may ask for one.
    let pictures = headed || owned;
    let is_head = |at: usize| {
        chart.at(at).iter().filter(|edge| edge.end == at + 1).any(|edge| {
            edge.category == Category::Occasion
                || pictures && edge.category == Category::Noun && edge.value.word() == "one"
        })
    };
    let describes = |at: usize| {
        let plain = |edge: &Edge| {
            matches!(
                edge.category,
                Category::Thing | Category::Agent | Category::Filler | Category::Complaint
            )
        };
        let thing = chart.at(at).iter().any(|edge| edge.category == Category::Thing);
        thing || chart.is_unknown(at) || chart.at(at).iter().all(plain) || is_head(at)
    };
    let mut heads = (start..end.min(start + ADJECTIVES_MAX + 1))
        .take_while(|at| *at == start || describes(at - 1))
        .filter(|at| is_head(*at));
    heads.any(|head| {
        // "Photo." alone says nothing, so it is no title.
        let occasion = chart.at(head).iter().any(|edge| edge.category == Category::Occasion);
        let says = head > from || occasion;
        // "Thesis fig 2".
        let numbered = chart
            .tokens
            .get(head + 1)
            .is_some_and(|next| matches!(next.kind, Kind::Number(_)) && head + 2 == end);
        let alone = (head + 1 == end || numbered) && says;
        !(commands && head > start) && (alone || is_of(chart, head + 1, end))
    })
}

/// "For the README", "of my jams".
fn is_of(chart: &Chart<'_>, from: usize, end: usize) -> bool {
    let word = chart.tokens.get(from).map_or("", |token| token.text.as_str());
    matches!(word, "for" | "of" | "from")
        && from + 1 < end
        && !unfinished(chart, end)
        && (from + 1..end).all(|at| is_plain(chart, at) || is_numbered(chart, at))
}

/// "Ward 4", "fig 2".
fn is_numbered(chart: &Chart<'_>, at: usize) -> bool {
    matches!(chart.tokens[at].kind, Kind::Number(_))
        && at.checked_sub(1).is_some_and(|before| chart.is_unknown(before))
}

/// "4 photos of my jams": all images that were sent.
fn is_count(chart: &Chart<'_>, [from, end]: [usize; 2], inputs: usize) -> bool {
    chart.at(from).iter().filter(|edge| edge.category == Category::Number).any(|number| {
        let many = |edge: &Edge| edge.category == Category::Noun && edge.value.word() == "many";
        let named = chart.at(number.end).iter().any(many);
        let all = u32::try_from(inputs).ok().map(f64::from);
        let counted = number.value.amount().map(|amount| amount.value) == all && inputs > 1;
        let next = number.end + 1;
        named && counted && (next == end || is_of(chart, next, end))
    })
}

/// "C. 1880", "circa 1905".
pub(super) fn dates(chart: &Chart<'_>, at: usize) -> Vec<(usize, Aside)> {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let around = matches!(word(at), "circa" | "c" | "ca" | "dated");
    let year = at + 1 + usize::from(word(at + 1) == ".");
    let is_year = chart
        .tokens
        .get(year)
        .is_some_and(|token| matches!(token.kind, Kind::Number(year) if YEARS.contains(&year)));
    if around && is_year { vec![(year + 1, Aside::new(Why::Remark))] } else { Vec::new() }
}
