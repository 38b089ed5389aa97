//! Clauses that ask for nothing: what must stay, and why an edit is wanted.

mod complaints;
mod purposes;

use super::clause::Clause;
use super::token::Token;
use super::words;
use crate::step::capabilities;
use std::sync::LazyLock;

pub(super) use complaints::COMPLAINTS;
pub(super) use purposes::{PURPOSES, is_purpose};

/// How a reason begins.
pub(super) static STARTS: LazyLock<Vec<&str>> = LazyLock::new(|| [BEGINNINGS, THERE].concat());

/// How a reason begins that says how things are.
const BEGINNINGS: &[&str] = &[
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
    "colors are",
    "because the",
    "as the",
    "since the",
    "it was",
    "looks like it is",
    "were",
    "appears",
    "it appears",
    "has",
    "has come out",
    "ended up",
    "it ended up",
    "comes across as",
    "this is",
    "look",
    "theyre",
    "they are",
    "they look",
];

/// How a reason begins that names what there is.
const THERE: &[&str] = &[
    "there is",
    "theres",
    "there are",
    "it has",
    "not enough",
    "too little",
    "lacks",
    "it lacks",
    "lacking",
    "is lacking",
    "there is not enough",
    "theres not enough",
    "there isnt enough",
    "there is too little",
    "theres too little",
    "there is too much",
    "theres too much",
];
/// What may stand before a reason and only joins it.
const BECAUSE: &[&str] = &["because", "cause", "cos"];
/// What alone says what is wrong, and asks for no edit by its name.
const WRONG: &[&str] = &["underexposed", "overexposed", "crooked", "tilted", "lopsided"];

/// Words of degree that say what is wrong with something: "the red is too strong".
const EXTREME: &[&str] = &["strong", "heavy", "intense", "extreme", "dramatic", "mild", "much"];

/// What a reason may be about.
pub(super) const SUBJECTS: &[&str] = &[
    "contrast",
    "brightness",
    "saturation",
    "exposure",
    "noise",
    "grain",
    "shadows",
    "highlights",
    "midtones",
    "whites",
    "blacks",
    "red",
    "green",
    "blue",
    "yellow",
    "colors",
    "tones",
    "lighting",
    "light",
    "horizon",
    "edges",
    "white balance",
];

/// Those of them that "it" or "them" can stand for in the next clause.
const REFERRED: &[&str] = &[
    "contrast",
    "brightness",
    "saturation",
    "exposure",
    "noise",
    "shadows",
    "highlights",
    "midtones",
    "whites",
    "blacks",
    "red",
    "green",
    "blue",
    "yellow",
    "colors",
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
    let negated = stands_first(&clause, words::NEGATIONS);
    if !negated && !stands_first(&clause, words::KEEPS) {
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
    // "leave it alone" keeps all there is.
    let all = !negated && clause.has(words::UNCHANGED);
    let things = clause.has(words::KEPT_THINGS) || clause.has(&["anything"]);
    clause.take_all(words::KEPT_THINGS);
    clause.take_all(if negated { words::CHANGES } else { words::UNCHANGED });
    clause.take_all(words::UNCHANGED);
    clause.take_all(&["or", "and", "nor", "but"]);
    let accounted = clause.leftover().is_none() && (things || all || !named.is_empty());
    accounted.then_some(LeftAlone { names: named, negated })
}

/// Whether a clause only says why ("it looks too dark", "the contrast is too low", "it's for my blog").
pub(super) fn is_reason(clause: &Clause<'_>) -> bool {
    // "make the colors look faded" asks for it.
    if clause.has(&["make", "turn", "give", "let", "render", "change"]) {
        return false;
    }
    let extreme = clause.has(EXTREME);
    let mut clause = clause.clone();
    // "way too dark": how much may stand before all.
    while words::DEGREES.iter().any(|degree| take_first(&mut clause, degree)) {}
    take_first(&mut clause, BECAUSE);
    let wrong = stands_first(&clause, WRONG);
    let about = take_first(&mut clause, SUBJECTS);
    if !wrong && !stands_first(&clause, &STARTS) {
        return false;
    }
    let there = stands_first(&clause, THERE);
    clause.take_all(&STARTS);
    let purpose = clause.take_purposes();
    let complains = clause.take(COMPLAINTS).is_some();
    clause.take_all(COMPLAINTS);
    let named = clause.take(SUBJECTS).is_some();
    while clause.degree().is_some() {}
    (complains || purpose || (about && extreme) || (there && named)) && clause.leftover().is_none()
}

/// Whether one of the phrases stands behind nothing but filler.
fn stands_first(clause: &Clause<'_>, phrases: &[&str]) -> bool {
    clause.find(phrases).is_some_and(|(_, at, _)| clause.is_filler_until(at))
}

/// Takes one of the phrases where nothing but filler stands before it.
fn take_first(clause: &mut Clause<'_>, phrases: &[&str]) -> bool {
    stands_first(clause, phrases) && clause.take(phrases).is_some()
}

/// What a reason is about, where a pronoun behind it can stand for that: "the contrast is too low".
pub(super) fn subject<'t>(reason: &[&'t Token]) -> Option<&'t Token> {
    reason.iter().find(|token| REFERRED.contains(&token.word())).copied()
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
        (&["drab", "lifeless", "pale", "boring", "gray"], "make it more vivid"),
        (&["saturated", "colorful", "vivid"], "reduce the saturation"),
        (&["cold", "cool", "bluish", "blue"], "make it warmer"),
        (&["warm", "yellowish", "yellow", "orange"], "make it cooler"),
        (&["red", "green"], "auto white balance"),
        (&["blurry", "soft"], "sharpen it"),
    ];
    let said = |phrase: &&str| format!(" {words} ").contains(&format!(" {phrase} "));
    REMEDIES.iter().find(|(phrases, _)| phrases.iter().any(said)).map(|(_, remedy)| *remedy)
}
