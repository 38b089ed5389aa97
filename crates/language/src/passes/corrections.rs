//! Who corrects one word says it once more: "rotate it left, no wait, right". The new word takes the
//! place of the only one of its kind before it.

use super::Words;
use crate::lexicon::lexicon;
use crate::rules::numbers;
use crate::token::{Kind, Token};
use crate::value::Category;
use retouch_engine::Color;
use std::ops::Range;

/// Words that begin a correction and add nothing to it.
const LEADING: &[&str] = &["make", "it", "that", "use", "to", "a", "an", "the", "just", ","];
/// Categories of words that can be exchanged for one another.
const EXCHANGED: &[Category] = &[Category::Axis, Category::Turn, Category::Place];

/// What a correction names: its kind, and the tokens.
#[derive(Debug, Clone, PartialEq)]
struct Named {
    kind: Exchanged,
    tokens: Range<usize>,
}

/// The kind of a word that is exchanged.
#[derive(Debug, Clone, PartialEq)]
enum Exchanged {
    Color,
    /// A number with its unit.
    Number(&'static str),
    /// Two numbers with a colon.
    Ratio,
    /// A word of a category.
    Word(Category),
    /// A word for an edit that goes both ways: the name of the operation.
    Edit(&'static str),
}

/// Exchanges what is corrected, from the first correction to the last.
pub(super) fn replace(words: &mut Words) {
    let mut at = 0;
    while at < words.tokens.len() {
        if let Some(behind) = correction(&words.tokens, at)
            && let Some(corrected) = exchanged(words, at, behind)
        {
            words.tokens = corrected;
        }
        at += 1;
    }
}

/// The position behind words of correction, with the commas around them.
fn correction(tokens: &[Token], at: usize) -> Option<usize> {
    let mut end = at;
    let mut said = false;
    while let Some(token) = tokens.get(end) {
        match phrase(tokens, end, Category::Correction) {
            Some(length) => (end, said) = (end + length, true),
            None if matches!(token.text.as_str(), "," | "—" | "…" | ".") => end += 1,
            None => break,
        }
    }
    said.then_some(end)
}

/// The length of the longest phrase of a category at a position.
fn phrase(tokens: &[Token], at: usize, category: Category) -> Option<usize> {
    let entries = lexicon().beginning_with(&tokens[at].text).iter();
    let here = entries.filter(|entry| {
        entry.category == category
            && tokens.get(at..at + entry.words.len()).is_some_and(|tokens| {
                tokens.iter().zip(&entry.words).all(|(token, word)| token.text == *word)
            })
    });
    here.map(|entry| entry.words.len()).max()
}

/// The words with the correction in its place.
fn exchanged(words: &mut Words, at: usize, behind: usize) -> Option<Vec<Token>> {
    let tokens = &words.tokens;
    let start = (behind..tokens.len())
        .find(|at| !LEADING.contains(&tokens[*at].text.as_str()))
        .filter(|start| start - behind < 4)?;
    let new = named(tokens, start)?;
    // What is corrected belongs to the last sentence.
    let sentence = tokens[..at].iter().rposition(|token| matches!(token.text.as_str(), ";" | "\n"));
    let mut old = Vec::new();
    let mut next = sentence.map_or(0, |stop| stop + 1);
    while next < at {
        let here = named(tokens, next).filter(|here| here.tokens.end <= at);
        next = here.as_ref().map_or(next + 1, |here| here.tokens.end);
        old.extend(here.filter(|here| here.kind == new.kind));
    }
    let [old] = old.as_slice() else { return None };
    let repeated = repeated(&tokens[old.tokens.end..at], &tokens[new.tokens.end..]);
    let new_end = new.tokens.end + repeated;
    let ends = tokens.get(new_end).is_none_or(|next| {
        matches!(next.text.as_str(), "," | "." | "!" | ";" | "\n" | "and" | "then" | "instead")
            || phrase(tokens, new_end, Category::Social).is_some()
    });
    if !ends || tokens[old.tokens.clone()].iter().any(|token| matches!(token.kind, Kind::Quoted(_)))
    {
        return None;
    }
    let written = |range: &Range<usize>| {
        let words: Vec<_> =
            tokens[range.clone()].iter().map(|token| token.written.as_str()).collect();
        words.join(" ")
    };
    let assumed = format!("\"{}\" replaces \"{}\"", written(&new.tokens), written(&old.tokens));
    let span = [tokens[old.tokens.start].span[0], tokens[old.tokens.end - 1].span[1]];
    let moved = tokens[new.tokens].iter().map(|token| Token { span, ..token.clone() });
    let skips = usize::from(tokens.get(new_end).is_some_and(|next| next.text == "instead"));
    let corrected = [
        &tokens[..old.tokens.start],
        &moved.collect::<Vec<_>>(),
        &tokens[old.tokens.end..at],
        &tokens[new_end + skips..],
    ]
    .concat();
    words.assumed.push(assumed);
    Some(corrected)
}

/// How many words behind what is new only repeat those behind the old: "10% off the top, no wait, 15%
/// off the top".
fn repeated(old: &[Token], new: &[Token]) -> usize {
    let same =
        new.len() >= old.len() && old.iter().zip(new).all(|(one, other)| one.text == other.text);
    if same { old.len() } else { 0 }
}

/// What can be exchanged at a position.
fn named(tokens: &[Token], at: usize) -> Option<Named> {
    let token = tokens.get(at)?;
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let named = |kind: Exchanged, end: usize| Some(Named { kind, tokens: at..end });
    let is_number =
        |at: usize| matches!(tokens.get(at).map(|token| &token.kind), Some(Kind::Number(_)));
    if let Some((end, _)) = numbers::in_words(tokens, at)
        && end > at
    {
        let units = lexicon().beginning_with(word(end)).iter();
        let unit = units.filter(|entry| entry.category == Category::Unit && entry.words.len() == 1);
        return unit
            .map(|entry| entry.value)
            .next()
            .and_then(|unit| named(Exchanged::Number(unit), end + 1));
    }
    if is_number(at) {
        if word(at + 1) == ":" && is_number(at + 2) {
            return named(Exchanged::Ratio, at + 3);
        }
        if matches!(word(at + 1), "x" | "," | "/" | ":") && is_number(at + 2) {
            return None;
        }
        let units = lexicon().beginning_with(word(at + 1)).iter();
        let unit = units.filter(|entry| entry.category == Category::Unit && entry.words.len() == 1);
        let unit = unit.map(|entry| entry.value).next();
        return named(
            Exchanged::Number(unit.unwrap_or_default()),
            at + 1 + usize::from(unit.is_some()),
        );
    }
    if matches!(token.kind, Kind::Hex(_))
        || token.kind == Kind::Word && Color::named(&token.text).is_some()
    {
        return named(Exchanged::Color, at + 1);
    }
    if token.kind != Kind::Word {
        return None;
    }
    let entries = lexicon().beginning_with(&token.text).iter();
    let here: Vec<_> = entries.filter(|entry| entry.words.len() == 1).collect();
    let category = here.iter().map(|entry| entry.category).find(|one| EXCHANGED.contains(one));
    let edit = here.iter().find(|entry| entry.category == Category::Op);
    let name = edit.and_then(|entry| entry.value.strip_suffix(['+', '-']));
    match (category, name) {
        (Some(category), _) => named(Exchanged::Word(category), at + 1),
        (None, Some(name)) => named(Exchanged::Edit(name), at + 1),
        _ => None,
    }
}
