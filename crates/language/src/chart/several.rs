//! Several images: how many there are, in which order they come, and what one of them is.

use super::described::is_shown;
use super::{Chart, Edge};
use crate::token::Kind;
use crate::value::{Category, Value};

/// What another image may be that is put on the first one.
const ROLES: &[&str] = &[
    "logo",
    "watermark",
    "sticker",
    "badge",
    "stamp",
    "emblem",
    "icon",
    "signature",
    "seal",
    "crest",
    "monogram",
    "brandmark",
    "wordmark",
];
/// The most words before such a role, and words that tell which images are meant.
const WORDS_MAX: usize = 4;
const ADJECTIVES_MAX: usize = 3;
/// The most words in brackets behind a role.
const BRACKETS_MAX: usize = 9;
/// The most images that are counted.
const COUNT_MAX: f64 = 20.0;

/// Adds what begins at a position, before rules combine it.
pub(super) fn add(chart: &mut Chart<'_>, start: usize) {
    if let Some((end, order)) = order(chart, start) {
        chart.add(start, Edge { end, category: Category::Order, value: Value::Order(order) });
    }
    for (end, count) in counted(chart, start) {
        chart.add(start, Edge { end, category: Category::Image, value: Value::Number(count) });
    }
}

/// "in the order 3, 1, 2".
fn order(chart: &Chart<'_>, start: usize) -> Option<(usize, Vec<usize>)> {
    let word = |at: usize| chart.tokens.get(at).map_or("", |token| token.text.as_str());
    let mut at = start + usize::from(word(start) == "in");
    at += usize::from(matches!(word(at), "the" | "this"));
    if !matches!(word(at), "order" | "sequence") {
        return None;
    }
    at += 1 + usize::from(matches!(word(at + 1), ":" | "of"));
    let mut numbers = Vec::new();
    while let Ok(number) = word(at).parse::<usize>() {
        numbers.push(number);
        at += 1;
        let joint = usize::from(matches!(word(at), "," | "-" | "then" | "and"));
        if word(at + joint).parse::<usize>().is_err() {
            break;
        }
        at += joint;
    }
    (numbers.len() > 1).then_some((at, numbers))
}

/// How many images there are: "all six puppies", "these three product shots", "four in a grid".
fn counted(chart: &Chart<'_>, start: usize) -> Vec<(usize, f64)> {
    let tokens = chart.tokens;
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let mut at = start;
    while at < start + 3
        && matches!(word(at), "all" | "these" | "those" | "the" | "my" | "our" | "of")
    {
        at += 1;
    }
    let number = |edge: &Edge| match (edge.category, &edge.value) {
        (Category::Number, Value::Number(number)) => Some((edge.end, *number)),
        (Category::Numeral, value) => value.word().parse().ok().map(|number| (edge.end, number)),
        _ => None,
    };
    let own = |at: usize| match tokens.get(at).map(|token| &token.kind) {
        Some(Kind::Number(number)) => Some((at + 1, *number)),
        _ => chart.lexicon.beginning_with(word(at)).iter().find_map(|entry| {
            let numeral = entry.category == Category::Numeral && entry.words.len() == 1;
            numeral.then(|| entry.value.parse().ok()).flatten().map(|number| (at + 1, number))
        }),
    };
    let found = chart.at(at).iter().find_map(number).or_else(|| own(at));
    let Some((behind, count)) =
        found.filter(|(_, count)| count.fract() == 0.0 && (2.0..=COUNT_MAX).contains(count))
    else {
        return Vec::new();
    };
    let mut ends = Vec::new();
    if at > start || matches!(word(behind), "in" | "into" | "side" | "as" | "next" | "stacked") {
        ends.push((behind, count));
    }
    for words in 0..=ADJECTIVES_MAX {
        let noun = behind + words;
        if names_several(chart, noun) {
            ends.push((noun + 1, count));
        }
        if !describes(chart, noun) && !is_shown(chart, noun) {
            break;
        }
    }
    ends
}

/// Whether a word is the plural of what images show or are called.
fn names_several(chart: &Chart<'_>, at: usize) -> bool {
    let images = |edge: &Edge| edge.category == Category::Noun && edge.value.word() == "many";
    let plural = chart.tokens.get(at).is_some_and(|token| {
        token.kind == Kind::Word && token.text.ends_with('s') && token.text.len() > 3
    });
    chart.at(at).iter().any(images) || plural && describes(chart, at)
}

/// Whether no edit has a use for a word.
fn describes(chart: &Chart<'_>, at: usize) -> bool {
    let plain = |edge: &Edge| {
        matches!(
            edge.category,
            Category::Thing | Category::Finite | Category::Noun | Category::Image
        )
    };
    chart.tokens.get(at).is_some_and(|token| token.kind == Kind::Word)
        && chart.at(at).iter().all(plain)
}

/// Adds what one of several images is, as another name of it: "the second image is our logo, put it
/// bottom right". Needs the names that rules have found.
pub(super) fn add_roles(chart: &mut Chart<'_>, start: usize) {
    let tokens = chart.tokens;
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let mut subjects = Vec::new();
    for edge in chart.at(start) {
        let is = match (edge.category, edge.value.picture()) {
            (Category::Picture | Category::Ordinal, Some(_)) => {
                matches!(word(edge.end), "is" | "=" | ":")
            }
            _ => false,
        };
        if is {
            subjects.push((edge.end + 1, edge.value.clone()));
        }
        // "The second pic's our logo".
        let short = edge.category == Category::Ordinal
            && tokens.get(edge.end).is_some_and(|noun| noun.written.contains(['\'', '’']))
            && chart.is_noun(edge.end);
        if short {
            subjects.push((edge.end + 1, edge.value.clone()));
        }
    }
    if let Some((end, value)) = role_first(chart, start) {
        chart.add(start, Edge { end, category: Category::Picture, value });
    }
    for (at, value) in subjects {
        for end in role_ends(chart, at) {
            chart.add(start, Edge { end, category: Category::Picture, value: value.clone() });
        }
    }
}

/// "Logo is the 2nd image. ", "logo = second file, ": the same the other way round.
fn role_first(chart: &Chart<'_>, start: usize) -> Option<(usize, Value)> {
    let tokens = chart.tokens;
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let role = start + usize::from(matches!(word(start), "the" | "our" | "my"));
    let is = matches!(word(role + 1), "is" | "=" | ":");
    if !ROLES.contains(&word(role)) || !is {
        return None;
    }
    let named = chart.at(role + 2).iter().filter(|edge| edge.category == Category::Picture);
    let named = named.max_by_key(|edge| edge.end)?;
    let joint = matches!(word(named.end), "," | "." | ";" | "-" | "—" | "and" | "\n");
    joint.then(|| (named.end + 1, named.value.clone()))
}

/// Where "our logo with alpha, " ends.
fn role_ends(chart: &Chart<'_>, start: usize) -> Vec<usize> {
    let tokens = chart.tokens;
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let limit = tokens.len().min(start + WORDS_MAX + 1);
    let stops = |at: &usize| matches!(word(*at), "," | "." | ";" | "and");
    let Some(role) =
        (start..limit).take_while(|at| !stops(at)).find(|at| ROLES.contains(&word(*at)))
    else {
        return Vec::new();
    };
    let mut end = role + 1;
    // "Our logo (png with a transparent background)".
    if word(end) == "("
        && let Some(close) = (end..tokens.len().min(end + BRACKETS_MAX)).find(|at| word(*at) == ")")
    {
        end = close + 1;
    }
    for behind in [
        &["with", "alpha"][..],
        &["with", "transparency"],
        &["with", "a", "transparent", "background"],
        &["with", "transparent", "background"],
    ] {
        if behind.iter().enumerate().all(|(number, wanted)| word(end + number) == *wanted) {
            end += behind.len();
            break;
        }
    }
    let joints = (end..tokens.len())
        .take_while(|at| {
            matches!(word(*at), "," | "." | ";" | "-" | "—" | "and" | "so" | "please" | "\n")
        })
        .count();
    if joints > 0 { vec![end + joints] } else { Vec::new() }
}
