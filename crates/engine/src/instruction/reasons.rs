//! Clauses that ask for nothing: what to leave alone, and why an edit is wanted.

mod complaints;
mod purposes;

use super::clause::Clause;
use super::common_words;
use super::token::Token;
use crate::operations::capabilities;
use std::sync::LazyLock;

pub(super) use complaints::COMPLAINTS;
pub(super) use purposes::{PURPOSES, is_purpose};

/// Phrases that begin a reason.
pub(super) static STARTS: LazyLock<Vec<&str>> = LazyLock::new(|| [BEGINNINGS, THERE].concat());

/// Phrases that begin a reason by describing how things are.
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

/// Phrases that begin a reason by naming what there is.
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
/// Words that only connect a reason to what it explains.
const BECAUSE: &[&str] = &["because", "cause", "cos"];
/// Words that describe a problem on their own and don't name an edit.
const WRONG: &[&str] = &["underexposed", "overexposed", "crooked", "tilted", "lopsided"];

/// Words of degree that describe a problem: "the red is too strong".
const EXTREME: &[&str] = &["strong", "heavy", "intense", "extreme", "dramatic", "mild", "much"];

/// The possible subjects of a reason.
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

/// Those subjects that "it" or "them" can refer to in the next clause.
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

/// What a clause such as "don't crop it" rules out.
#[derive(Debug, Clone)]
pub(super) struct LeftAlone {
    /// The names of the operations that it rules out.
    pub(super) names: Vec<&'static str>,
    /// Whether it uses a "not", which may also apply to the next clause.
    pub(super) negated: bool,
}

/// Reads a clause that only says what to leave alone.
pub(super) fn left_alone(clause: &Clause<'_>) -> Option<LeftAlone> {
    let mut clause = clause.clone();
    let negated = stands_first(&clause, common_words::NEGATIONS);
    if !negated && !stands_first(&clause, common_words::KEEPS) {
        return None;
    }
    clause.take(if negated { common_words::NEGATIONS } else { common_words::KEEPS });
    let mut named = Vec::new();
    for entry in capabilities() {
        if clause.take(entry.heads).is_some() {
            clause.take_all(entry.heads);
            named.push(entry.name);
        }
    }
    // "leave it alone" keeps everything.
    let all = !negated && clause.has(common_words::UNCHANGED);
    let things = clause.has(common_words::KEPT_THINGS) || clause.has(&["anything"]);
    clause.take_all(common_words::KEPT_THINGS);
    clause.take_all(if negated { common_words::CHANGES } else { common_words::UNCHANGED });
    clause.take_all(common_words::UNCHANGED);
    clause.take_all(&["or", "and", "nor", "but"]);
    let accounted = clause.leftover().is_none() && (things || all || !named.is_empty());
    accounted.then_some(LeftAlone { names: named, negated })
}

/// Whether a clause only gives a reason ("it looks too dark", "the contrast is too low", "it's for
/// my blog").
pub(super) fn is_reason(clause: &Clause<'_>) -> bool {
    // "make the colors look faded" asks for an edit.
    if clause.has(&["make", "turn", "give", "let", "render", "change"]) {
        return false;
    }
    let extreme = clause.has(EXTREME);
    let mut clause = clause.clone();
    // Words of degree may come first: "way too dark".
    while common_words::DEGREES.iter().any(|degree| take_first(&mut clause, degree)) {}
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

/// Whether only filler comes before one of the phrases.
fn stands_first(clause: &Clause<'_>, phrases: &[&str]) -> bool {
    clause.find(phrases).is_some_and(|(_, at, _)| clause.is_filler_until(at))
}

/// Takes one of the phrases if only filler comes before it.
fn take_first(clause: &mut Clause<'_>, phrases: &[&str]) -> bool {
    stands_first(clause, phrases) && clause.take(phrases).is_some()
}

/// The subject of a reason ("the contrast is too low"), if a later pronoun can refer to it.
pub(super) fn subject<'t>(reason: &[&'t Token]) -> Option<&'t Token> {
    reason.iter().find(|token| REFERRED.contains(&token.word())).copied()
}

/// An edit that may fix what a reason complains about.
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
