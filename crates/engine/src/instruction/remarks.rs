//! Clauses that ask for nothing: what must stay, and why an edit is wanted.

use super::clause::Clause;
use super::words;
use crate::step::capabilities;

/// How a reason begins.
pub(super) const STARTS: &[&str] = &[
    "because",
    "because it is",
    "because its",
    "because it looks",
    "since",
    "since it is",
    "since its",
    "as it is",
    "as its",
    "it is",
    "its",
    "it looks",
    "looks",
    "is",
    "it seems",
    "seems",
    "feels",
    "it feels",
    "came out",
    "it came out",
    "too",
    "was",
    "so that it",
    "it turned out",
    "turned out",
    "are",
    "colours are",
    "because the",
    "as the",
    "since the",
    "it was",
];

/// What is wrong with the picture, in words that name no operation.
pub(super) const COMPLAINTS: &[&str] = &[
    "dark",
    "bright",
    "dull",
    "flat",
    "harsh",
    "blurry",
    "cold",
    "warm",
    "washed out",
    "underexposed",
    "overexposed",
    "boring",
    "faded",
    "yellow",
    "blue",
    "orange",
    "red",
    "green",
    "tilted",
    "crooked",
    "sideways",
    "upside down",
    "big",
    "small",
    "soft",
    "grey",
    "light",
    "muddy",
    "hazy",
    "pale",
    "bland",
    "cool",
    "large",
    "wide",
    "too",
    "and",
    "colours",
    "colour",
    "quite",
    "rather",
    "right now",
    "at the moment",
    "for my taste",
    "dim",
    "drab",
    "lifeless",
    "gloomy",
    "colourful",
    "saturated",
    "yellowish",
    "bluish",
    "vivid",
    "looking",
    "kind of",
    "sort of",
    "out",
    "contrast",
    "or",
    "noisy",
    "grainy",
];

/// What a clause that only says what must stay rules out.
#[derive(Debug, Clone)]
pub(super) struct LeftAlone {
    /// The names of operations.
    pub(super) names: Vec<&'static str>,
    /// Whether it says so by a "not", which may reach into the next clause.
    pub(super) negated: bool,
}

/// Reads a clause that only says what must stay.
pub(super) fn left_alone(clause: &Clause<'_>) -> Option<LeftAlone> {
    let mut clause = clause.clone();
    let starts = |clause: &Clause<'_>, phrases: &[&str]| {
        clause.find(phrases).is_some_and(|(_, at, _)| clause.is_filler_until(at))
    };
    let negated = starts(&clause, words::NEGATIONS);
    if !negated && !starts(&clause, words::KEEPS) {
        return None;
    }
    clause.take(if negated { words::NEGATIONS } else { words::KEEPS });
    let mut named = Vec::new();
    for entry in capabilities() {
        if clause.take(entry.heads).is_some() {
            clause.take_all(entry.heads);
            named.push(entry.name);
        }
    }
    let things = clause.has(words::KEPT_THINGS) || clause.has(&["anything"]);
    clause.take_all(words::KEPT_THINGS);
    clause.take_all(if negated { words::CHANGES } else { words::UNCHANGED });
    clause.take_all(words::UNCHANGED);
    clause.take_all(&["or", "and", "nor", "but"]);
    let accounted = clause.leftover().is_none() && (things || !named.is_empty());
    accounted.then_some(LeftAlone { names: named, negated })
}

/// Whether a clause only says why ("it looks too dark").
pub(super) fn is_reason(clause: &Clause<'_>) -> bool {
    let mut clause = clause.clone();
    let starts = clause.find(STARTS).is_some_and(|(_, at, _)| clause.is_filler_until(at));
    if !starts {
        return false;
    }
    clause.take_all(STARTS);
    let complains = clause.take(COMPLAINTS).is_some();
    clause.take_all(COMPLAINTS);
    while clause.degree().is_some() {}
    complains && clause.leftover().is_none()
}

/// What could be asked for against what a reason complains of.
pub(super) fn remedy(words: &str) -> Option<&'static str> {
    const REMEDIES: &[(&[&str], &str)] = &[
        (
            &["washed out", "faded", "flat", "dull", "hazy", "muddy", "bland"],
            "increase the contrast",
        ),
        (&["underexposed", "dark", "dim", "gloomy"], "make it brighter"),
        (&["overexposed", "bright", "light"], "make it darker"),
        (&["harsh"], "reduce the contrast"),
        (&["drab", "lifeless", "pale", "boring", "grey"], "make it more vivid"),
        (&["saturated", "colourful", "vivid"], "reduce the saturation"),
        (&["cold", "cool", "bluish", "blue"], "make it warmer"),
        (&["warm", "yellowish", "yellow", "orange"], "make it cooler"),
        (&["red", "green"], "auto white balance"),
        (&["blurry", "soft"], "sharpen it"),
    ];
    let said = |phrase: &&str| format!(" {words} ").contains(&format!(" {phrase} "));
    REMEDIES.iter().find(|(phrases, _)| phrases.iter().any(said)).map(|(_, remedy)| *remedy)
}
