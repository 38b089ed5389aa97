//! Manners of speech, brought to the plain words that the tables hold.
//!
//! Only what means the same wherever it stands is replaced; the rest is for the operations to read.
//! What replaces words keeps their place in the instruction.

mod cuts;
mod fractions;
mod phrases;

use super::token::{Kind, Token};

/// A replacement at the front of some tokens: how many it takes, and what stands there instead.
type Replaced = (usize, Vec<Kind>);

/// Replaces every manner of speech; `inputs` pictures came with the instruction.
pub(super) fn plain(tokens: &[Token], inputs: usize) -> Vec<Token> {
    // What is left of one manner of speech may be a part of another.
    replaced(&replaced(tokens, inputs), inputs)
}

fn replaced(tokens: &[Token], inputs: usize) -> Vec<Token> {
    let mut plain = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let rest = tokens.get(at..).unwrap_or_default();
        let found = fractions::at(rest, plain.last())
            .or_else(|| cuts::at(rest))
            .or_else(|| automatic(rest))
            .or_else(|| logo(rest, inputs))
            .or_else(|| size(rest))
            .or_else(|| phrases::after(rest, &plain))
            .or_else(|| phrases::at(rest));
        let Some((length, kinds)) = found else {
            plain.push(token.clone());
            at += 1;
            continue;
        };
        let last = tokens.get(at + length - 1).unwrap_or(token);
        let (start, end) = (token.start, last.end);
        plain.extend(kinds.into_iter().map(|kind| Token { kind, start, end }));
        at += length;
    }
    plain
}

/// Every word that a manner of speech holds, for the spelling list.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    let tables = [BALANCES, BALANCED, OVERLAYS, MARKS, cuts::WORDS];
    let phrases = phrases::words().chain(["automatically", "factor", "my", "our"]);
    tables.into_iter().flatten().copied().chain(phrases)
}

const BALANCES: &[&str] =
    &["fix", "set", "adjust", "correct", "stretch", "balance", "optimise", "improve", "normalise"];
const BALANCED: &[&str] = &["levels", "contrast", "colours", "colour", "tone"];

/// "adjust the levels automatically" is "auto levels".
fn automatic(tokens: &[Token]) -> Option<Replaced> {
    let words: Vec<&str> = tokens.iter().take(6).map(Token::word).collect();
    let words = words.as_slice();
    let (verb, rest) = match words {
        ["automatically", verb, rest @ ..] => (*verb, rest),
        [verb, rest @ ..] => (*verb, rest),
        [] => return None,
    };
    let before = words.len() - rest.len();
    let article = usize::from(rest.first() == Some(&"the"));
    let (noun, after) = match rest.get(article..)? {
        ["white", "balance", ..] => (vec!["white", "balance"], article + 2),
        [noun, ..] if BALANCED.contains(noun) => (vec![*noun], article + 1),
        _ => return None,
    };
    let behind = usize::from(rest.get(after) == Some(&"automatically"));
    let automatic = before == 2 || behind == 1;
    (automatic && BALANCES.contains(&verb))
        .then(|| (before + after + behind, kinds(["auto"].into_iter().chain(noun))))
}

const OVERLAYS: &[&str] = &["overlay", "put", "place", "add", "insert", "lay", "stamp", "paste"];
const MARKS: &[&str] = &["logo", "badge", "stamp", "sticker", "emblem"];

/// "put our logo" means the second of two pictures.
fn logo(tokens: &[Token], inputs: usize) -> Option<Replaced> {
    let words: Vec<&str> = tokens.iter().take(3).map(Token::word).collect();
    match words.as_slice() {
        [verb, "the" | "my" | "our" | "a", mark]
            if inputs == 2 && OVERLAYS.contains(verb) && MARKS.contains(mark) =>
        {
            Some((3, kinds(["overlay", "the", "second", "picture"])))
        }
        _ => None,
    }
}

/// "I need it at 1920x1080" asks for a size.
fn size(tokens: &[Token]) -> Option<Replaced> {
    let words: Vec<&str> = tokens.iter().take(6).map(Token::word).collect();
    let wanted =
        matches!(words.as_slice(), ["i", "need" | "want", "it", "at" | "in", "", "x" | "by"]);
    let measured =
        [4, 6].into_iter().all(|at| tokens.get(at).is_some_and(|side| side.number().is_some()));
    (wanted && measured).then(|| (4, kinds(["resize", "to"])))
}

/// Words as tokens carry them.
fn kinds<'w>(words: impl IntoIterator<Item = &'w str>) -> Vec<Kind> {
    words.into_iter().map(|word| Kind::Word(word.to_owned())).collect()
}
