//! Texts without quotation marks that are written like names and titles: "Volcanoes of Iceland",
//! "St. Anne's Bakers", "Isla & Rory, 3 weeks". They are texts only in an instruction that tells
//! that something is written, and end before the first word that could tell how or where.

use super::{Chart, Edge};
use crate::token::{Kind, Token};
use crate::value::{Category, Unit, Value};

/// The most tokens of a name.
const TOKENS_MAX: usize = 16;
/// The most letters of what a full stop abbreviates: "St.", "Ch.", "EP.".
const ABBREVIATION_MAX: usize = 3;
/// Small words between the words of a name.
const SMALL: &[&str] = &[
    "of", "the", "and", "de", "la", "du", "von", "van", "for", "to", "a", "s", "is", "my", "our",
    "by",
];
/// Markers that tell that something is written.
const WRITTEN: &[&str] = &[
    "text",
    "caption",
    "watermark",
    "says",
    "letters",
    "serif",
    "serif name",
    "mono",
    "mono name",
    "hand",
    "polaroid",
    "bold",
    "italic",
];

/// Whether an instruction tells that something is written.
pub(super) fn writes(chart: &Chart<'_>) -> bool {
    chart.tokens.iter().any(|token| {
        token.says_text()
            || matches!(
                token.text.as_str(),
                "caps" | "capitals" | "lettering" | "title" | "headline"
            )
            || tells(chart, token)
    })
}

/// Whether a word alone tells that something is written.
fn tells(chart: &Chart<'_>, token: &Token) -> bool {
    let entries = chart.lexicon.beginning_with(&token.text).iter();
    entries.filter(|entry| entry.words.len() == 1).any(|entry| match entry.category {
        Category::Marker => WRITTEN.contains(&entry.value),
        Category::Verb => entry.value == "write",
        _ => false,
    })
}

/// Adds the names that begin at a position.
pub(super) fn add(chart: &mut Chart<'_>, start: usize) {
    if !chart.writes || !begins(chart, start) {
        return;
    }
    for end in ends(chart, start) {
        if signs_off(chart, start, end) {
            continue;
        }
        let value = Value::Unquoted(super::unquoted::as_written(&chart.tokens[start..end]));
        chart.add(start, Edge { end, category: Category::Text, value });
    }
}

/// Whether a name may begin here: with a capital where the sentence has none, or where the second
/// word has one, too.
fn begins(chart: &Chart<'_>, start: usize) -> bool {
    let tokens = chart.tokens;
    let token = &tokens[start];
    let before = start.checked_sub(1).map(|at| &tokens[at]);
    let number = matches!(token.kind, Kind::Number(_))
        && tokens.get(start + 1).is_some_and(|next| next.is_capitalized);
    // "A Black Polaroid Frame".
    if !token.is_capitalized && !number || tells(chart, token) {
        return false;
    }
    // The middle of a name is no beginning.
    let inside = before.is_some_and(|before| {
        before.is_capitalized && !is_command(chart, start - 1) && before.kind == Kind::Word
            || before.touches(token)
            || matches!(before.kind, Kind::Number(_)) && !is_measured(chart, start - 1)
    });
    if inside || is_command(chart, start) || !super::unquoted::may_begin(chart, &token.text) {
        return false;
    }
    let first =
        before.is_none_or(|before| matches!(before.text.as_str(), "." | "!" | "?" | "\n" | ";"));
    let next = tokens.get(start + 1);
    let titled = next.is_some_and(|next| {
        next.is_capitalized || matches!(next.kind, Kind::Number(_)) || next.text == "."
    });
    !first || titled
}

/// Whether a name behind a comma ends the instruction, as below a letter: "Regards, Helen".
fn signs_off(chart: &Chart<'_>, start: usize, end: usize) -> bool {
    let sign = |token: &Token| token.kind == Kind::Sign;
    let before = start.checked_sub(1).map(|at| chart.tokens[at].text.as_str());
    matches!(before, Some("," | "." | "\n" | "—" | "-")) && chart.tokens[end..].iter().all(sign)
}

/// Whether a word is what an instruction begins with.
fn is_command(chart: &Chart<'_>, at: usize) -> bool {
    chart.lexicon.is_verb(&chart.tokens[at].text) || super::unquoted::begins_edit(chart, at)
}

/// Where the name ends: behind its last word, and behind its first part if a comma is in it.
fn ends(chart: &Chart<'_>, start: usize) -> Vec<usize> {
    let tokens = chart.tokens;
    let (mut ends, mut last, mut at) = (Vec::new(), start, start);
    while at < tokens.len() && at < start + TOKENS_MAX {
        if is_part(chart, start, at) {
            last = at + 1;
        } else if tokens[at].text == "," && is_listed(chart, at + 1) {
            ends.push(last);
        } else if !is_glue(chart, start, at) {
            break;
        }
        at += 1;
    }
    // "Happy Birthday!"
    if tokens.get(last).is_some_and(|sign| {
        matches!(sign.text.as_str(), "!" | "?") && tokens[last - 1].span[1] == sign.span[0]
    }) {
        ends.push(last + 1);
    }
    ends.push(last);
    ends.retain(|end| *end > start);
    ends
}

/// Whether a token is a word or a number of the name.
fn is_part(chart: &Chart<'_>, start: usize, at: usize) -> bool {
    let token = &chart.tokens[at];
    match token.kind {
        Kind::Word => token.is_capitalized || at > start && is_unknown(chart, at),
        Kind::Number(_) => !is_measured(chart, at),
        _ => false,
    }
}

/// Whether no edit has a use for a word.
fn is_unknown(chart: &Chart<'_>, at: usize) -> bool {
    let plain = |edge: &Edge| matches!(edge.category, Category::Thing | Category::Saying);
    chart.at(at).iter().all(plain) && !SMALL.contains(&chart.tokens[at].text.as_str())
}

/// Whether a number has a unit, so that it is a size or a share.
fn is_measured(chart: &Chart<'_>, at: usize) -> bool {
    chart.at(at).iter().any(|edge| {
        edge.category == Category::Measure
            || edge.category == Category::Size
            || edge.value.amount().is_some_and(|amount| amount.unit != Unit::None)
    })
}

/// Whether what follows a comma belongs to the name: "3 weeks", "July 2023".
fn is_listed(chart: &Chart<'_>, at: usize) -> bool {
    let Some(token) = chart.tokens.get(at) else { return false };
    let named = token.is_capitalized && is_unknown(chart, at);
    let counted = matches!(token.kind, Kind::Number(_))
        && !is_measured(chart, at)
        && chart.tokens.get(at + 1).is_none_or(|next| {
            next.kind == Kind::Word && is_unknown(chart, at + 1) || next.text == "."
        });
    named || counted
}

/// Whether a token stands between two parts of a name.
fn is_glue(chart: &Chart<'_>, start: usize, at: usize) -> bool {
    let tokens = chart.tokens;
    let token = &tokens[at];
    let Some(next) = tokens.get(at + 1) else { return false };
    let goes_on =
        next.is_capitalized || matches!(next.kind, Kind::Number(_)) && !is_measured(chart, at + 1);
    let glued = at > start && tokens[at - 1].span[1] == token.span[0];
    match token.text.as_str() {
        "." => glued && goes_on && is_abbreviation(&tokens[at - 1]),
        "&" | "'" | "#" | "+" | "·" | "|" => goes_on || is_unknown(chart, at + 1),
        "-" | "/" | "—" | ":" => goes_on && (glued || token.text == "—"),
        "$" | "£" | "€" => matches!(next.kind, Kind::Number(_)),
        word => {
            // "Shots for the Gods": two small words may follow each other.
            let behind = SMALL.contains(&next.text.as_str())
                && tokens.get(at + 2).is_some_and(|after| after.is_capitalized);
            SMALL.contains(&word) && (next.is_capitalized || behind)
        }
    }
}

fn is_abbreviation(token: &Token) -> bool {
    token.is_capitalized && token.written.chars().count() <= ABBREVIATION_MAX
}
