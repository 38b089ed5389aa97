//! Names of the picture as a whole: "this selfie", "the interior shot", "the photo of my grandparents".

use super::{Replaced, kinds};
use crate::instruction::token::{Kind, Token};
use crate::instruction::{generative, reasons, spelling};

/// What the name of a picture ends in.
const HEADS: &[&str] = &[
    "picture",
    "image",
    "photo",
    "photograph",
    "pic",
    "snapshot",
    "shot",
    "scan",
    "screenshot",
    "selfie",
    "headshot",
    "snap",
];
/// Those that alone are no picture yet in the other tables.
const ALONE: &[&str] = &["shot", "scan", "screenshot", "selfie", "headshot", "snap"];
/// What the name of the picture that was sent begins with; "a photo of a cat" may be one to be made.
const DETERMINERS: &[&str] = &["this", "the", "my", "our", "that"];
/// Whose or who is shown.
const SHOWN: &[&str] = &["my", "our", "the", "his", "her", "their", "us", "me"];
/// Things that a picture may be called by, and that no table of operations holds as anything else.
const KINDS: &[&str] = &[
    "product",
    "family",
    "wedding",
    "food",
    "group",
    "team",
    "profile",
    "christmas",
    "old",
    "new",
];
/// What is done to pictures that are seen in the picture, or come besides it.
const PLACING: &[&str] = &[
    "remove", "add", "put", "replace", "insert", "delete", "erase", "swap", "place", "paste",
    "overlay", "draw", "paint", "with", "hide", "move",
];
/// Most words that say what kind of picture it is: "the old interior shot".
const KIND_WORDS_MAX: usize = 2;
/// Most words of what is shown: "my two grandparents".
const SHOWN_WORDS_MAX: usize = 3;

/// A name of the one picture at the front of the tokens, behind its article; or the number of all.
pub(super) fn at(tokens: &[Token], before: &[Token], inputs: usize) -> Option<Replaced> {
    if let Some(found) = all(tokens, before, inputs) {
        return Some(found);
    }
    let article = before.last().is_some_and(|token| DETERMINERS.contains(&token.word()));
    let placed = before.iter().any(|token| PLACING.contains(&token.word()));
    if !article || placed {
        return None;
    }
    // "make this one a lot darker"
    let this = before.last().is_some_and(|token| token.word() == "this");
    if inputs == 1 && this && tokens.first()?.number() == Some(1.0) && is_one(tokens) {
        return Some((1, kinds(["picture"])));
    }
    let kind = tokens.iter().take(KIND_WORDS_MAX).take_while(|token| is_kind(token)).count();
    let length = (0..=kind).find(|at| tokens.get(*at).is_some_and(is_head))? + 1;
    let shown = shown(tokens.get(length..).unwrap_or_default());
    let known = length == 1 && shown == 0 && !ALONE.contains(&tokens.first()?.word());
    // Of several pictures, what one shows may tell which is meant.
    let any = inputs == 1 || (length == 1 && shown == 0);
    (any && !known).then(|| (length + shown, kinds(["picture"])))
}

/// Whether the number at the front stands for the picture, and counts nothing.
fn is_one(tokens: &[Token]) -> bool {
    tokens.get(1).is_none_or(|next| {
        matches!(next.kind, Kind::Mark(',' | '.' | '!' | '?'))
            || ["a", "to", "by", "and", "into", "in", "please", "much", "less", "more", "for"]
                .contains(&next.word())
    })
}

/// "these four", where so many pictures were sent.
fn all(tokens: &[Token], before: &[Token], inputs: usize) -> Option<Replaced> {
    let these = before.last().is_some_and(|token| ["these", "those"].contains(&token.word()));
    let count = tokens.first()?.number()?;
    let ends = tokens.get(1).is_none_or(|next| {
        matches!(next.kind, Kind::Mark(_))
            || ["with", "side", "in", "into", "and", "together"].contains(&next.word())
    });
    let sent = f64::from(u32::try_from(inputs).unwrap_or(u32::MAX));
    (these && ends && inputs > 1 && (count - sent).abs() < f64::EPSILON)
        .then(|| (1, kinds(["pictures"])))
}

fn is_head(token: &Token) -> bool {
    HEADS.contains(&token.word())
}

/// An ordinary word that means nothing for an edit.
fn is_kind(token: &Token) -> bool {
    KINDS.contains(&token.word()) || is_unknown(token)
}

fn is_unknown(token: &Token) -> bool {
    let word = token.word();
    !word.is_empty()
        && !HEADS.contains(&word)
        && !spelling::is_known(word)
        && !generative::is_seen(word)
        && !generative::is_verb(word)
}

/// The number of words that say where or when that was: "on the swings", "in 1962". Where it may be a part
/// of the picture instead ("in the background"), there are none.
fn whereabouts(tokens: &[Token]) -> usize {
    const PARTS: &[&str] = &["background", "foreground", "sky", "face", "shadow", "shadows"];
    let [preposition, rest @ ..] = tokens else { return 0 };
    if !["on", "at", "in", "from", "during", "near"].contains(&preposition.word()) {
        return 0;
    }
    let article = usize::from(
        rest.first().is_some_and(|word| SHOWN.contains(&word.word()) || word.word() == "a"),
    );
    let is_thing = |token: &&Token| {
        let word = token.word();
        (is_unknown(token) || generative::is_seen(word)) && !PARTS.contains(&word)
    };
    let places = rest.iter().skip(article).take(SHOWN_WORDS_MAX).take_while(is_thing).count();
    let year = rest.first().and_then(Token::number).is_some_and(|year| {
        (1800.0..2100.0).contains(&year) && ["in", "from"].contains(&preposition.word())
    });
    let length = if year { 2 } else { 1 + article + places };
    let ends = tokens.get(length).is_none_or(|next| {
        matches!(next.kind, Kind::Mark(_))
            || ["and", "please", "then", "but"].contains(&next.word())
    });
    if ends && (year || places > 0) { length } else { 0 }
}

/// The number of words of what is shown: "of my grandparents".
fn shown(tokens: &[Token]) -> usize {
    let [of, whose, rest @ ..] = tokens else { return 0 };
    if of.word() != "of" || !SHOWN.contains(&whose.word()) {
        return 0;
    }
    let is_thing = |token: &&Token| {
        let word = token.word();
        is_unknown(token) || generative::is_seen(word) || reasons::is_purpose(word)
    };
    let things = rest.iter().take(SHOWN_WORDS_MAX).take_while(is_thing).count();
    let things = things + rest.get(things..).map_or(0, whereabouts);
    let alone = ["us", "me"].contains(&whose.word());
    // "the photo of my eyes only" is a part of it.
    let part = rest.get(things).is_some_and(|next| ["only", "alone"].contains(&next.word()));
    if (things > 0 || alone) && !part { 2 + things } else { 0 }
}
