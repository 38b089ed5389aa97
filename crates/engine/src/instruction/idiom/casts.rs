//! Colors that lie over a picture: "get rid of the ugly green cast" asks for less green.

use super::{Replaced, kinds};
use crate::instruction::split::stands;
use crate::instruction::token::Token;

/// What may be done to a cast so that there is less of it.
pub(super) const VERBS: &[&str] = &[
    "remove",
    "fix",
    "correct",
    "lose",
    "kill",
    "neutralize",
    "eliminate",
    "cancel",
    "counteract",
];
const VERBS_WITH_PARTICLES: &[&str] =
    &["get rid of", "take out", "take away", "clean up", "sort out", "cancel out"];
const ARTICLES: &[&str] = &["the", "that", "this"];
/// What is said of a cast, and changes nothing.
const UGLY: &[&str] =
    &["ugly", "horrible", "horrid", "awful", "nasty", "strange", "weird", "odd", "unwanted"];
const COLORS: &[&str] = &["red", "green", "blue", "cyan", "magenta", "yellow"];
const CASTS: &[&str] = &["cast", "color cast", "tinge"];

/// A verb, a color and its cast at the front of the tokens.
pub(super) fn at(tokens: &[Token]) -> Option<Replaced> {
    let verbs = VERBS.iter().chain(VERBS_WITH_PARTICLES);
    let mut at = verbs.filter_map(|verb| stands(tokens, 0, verb)).max()?;
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    at += usize::from(ARTICLES.contains(&word(at)));
    at += usize::from(UGLY.contains(&word(at)));
    let color = COLORS.iter().find(|color| **color == word(at))?;
    let cast = CASTS.iter().filter_map(|cast| stands(tokens, at + 1, cast)).max()?;
    Some((at + 1 + cast, kinds(["reduce", "the", color])))
}
