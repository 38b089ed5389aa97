//! Numbers in digits and in words.
//!
//! A number that may be two, such as "1.000", is none: the refusal asks which one is meant.

use crate::lexicon::{film_lexicon, lexicon};
use crate::token::{Kind, Token};
use crate::value::Category;

/// The numbers that begin at a position, each with the position behind it.
pub(crate) fn at(tokens: &[Token], start: usize) -> Vec<(usize, f64)> {
    let Some(Token { kind: Kind::Number(value), text, .. }) = tokens.get(start) else {
        return in_words(tokens, start).into_iter().collect();
    };
    // "A4" is a paper.
    let paper = start
        .checked_sub(1)
        .is_some_and(|at| tokens[at].text == "a" && tokens[at].touches(&tokens[start]));
    if paper {
        return Vec::new();
    }
    let mut readings = vec![(start + 1, *value)];
    if text.contains('/') {
        return readings;
    }
    // "1.000" is one or a thousand, unless a unit has fractions.
    if has_thousands(text, '.') && with_commas(tokens, start).is_none() {
        let fraction = has_fractions(tokens, start + 1) || is_gamma(tokens, start);
        return if fraction { readings } else { Vec::new() };
    }
    if let Some(found) = with_commas(tokens, start) {
        readings.push(found);
    }
    readings
}

/// A number with a sign before it.
pub(crate) fn signed(tokens: &[Token], start: usize) -> Option<(usize, f64)> {
    let sign = match tokens.get(start)?.text.as_str() {
        "+" => 1.0,
        "-" => -1.0,
        _ => return None,
    };
    // In "levels 10-240", the dash is no sign.
    let glued = start > 0 && tokens[start - 1].touches(&tokens[start]);
    if glued && matches!(tokens[start - 1].kind, Kind::Number(_)) {
        return None;
    }
    let (end, value) = at(tokens, start + 1).into_iter().last()?;
    matches!(tokens[start + 1].kind, Kind::Number(_)).then_some((end, sign * value))
}

/// Whether the digits are one group of thousands: "1.000", not "0.500".
fn has_thousands(text: &str, point: char) -> bool {
    text.split_once(point).is_some_and(|(before, after)| {
        (1..=3).contains(&before.len()) && !before.starts_with('0') && after.len() == 3
    })
}

/// Whether a unit follows that has fractions, such as degrees.
fn has_fractions(tokens: &[Token], at: usize) -> bool {
    let word = tokens.get(at).map_or("", |token| token.text.as_str());
    let entries = film_lexicon().beginning_with(word);
    entries.iter().any(|entry| entry.category == Category::Unit && entry.value != "px")
}

/// Whether a number is a gamma, which is never large: "gamma 2.200".
fn is_gamma(tokens: &[Token], at: usize) -> bool {
    let before = &tokens[at.saturating_sub(2)..at];
    before.iter().any(|token| token.text == "gamma")
}

/// The numbers at a position that may be two: "1.000", "2,5". Each with the position behind it.
pub(crate) fn unclear(tokens: &[Token], start: usize) -> Option<usize> {
    let Some(Token { kind: Kind::Number(_), text, .. }) = tokens.get(start) else { return None };
    if !at(tokens, start).into_iter().any(|(end, _)| end > start + 1) {
        let dotted = has_thousands(text, '.').then_some(start + 1);
        let Some([number, comma, next]) = tokens.get(start..start + 3) else { return dotted };
        let glued = number.touches(comma) && comma.text == "," && comma.touches(next);
        let pair = glued && matches!(next.kind, Kind::Number(_));
        return dotted.or(pair.then_some(start + 3));
    }
    None
}

/// Digits with commas between: "1,000", "0,5", "1.920,00".
fn with_commas(tokens: &[Token], start: usize) -> Option<(usize, f64)> {
    let digits = |at: usize| match tokens.get(at) {
        Some(Token { kind: Kind::Number(_), text, .. }) => Some(text.as_str()),
        _ => None,
    };
    let comma = |at: usize| {
        let [number, comma, next] = tokens.get(at - 1..at + 2)? else { return None };
        let glued = number.touches(comma) && comma.touches(next) && comma.text == ",";
        glued.then(|| digits(at + 1)).flatten()
    };
    let first = digits(start)?;
    let second = comma(start + 1)?;
    let whole = first.replace('.', "");
    if first.contains('.') {
        let value = format!("{whole}.{second}").parse().ok()?;
        return (has_thousands(first, '.') && second.len() <= 2).then_some((start + 3, value));
    }
    if second.len() == 3 && (1..=3).contains(&first.len()) && !first.starts_with('0') {
        let third = comma(start + 3).filter(|third| third.len() == 3);
        let text = format!("{first}{second}{}", third.unwrap_or_default());
        let end = start + if third.is_some() { 5 } else { 3 };
        return Some((end, text.parse().ok()?));
    }
    // A decimal comma needs something that rules out a list of two numbers.
    let before = start.checked_sub(1).map_or("", |at| tokens[at].text.as_str());
    let unit = has_fractions(tokens, start + 3);
    let decimal = first == "0" || unit || matches!(before, "+" | "-");
    let value = format!("{first}.{second}").parse().ok()?;
    (decimal && second.len() != 3).then_some((start + 3, value))
}

/// A number in words: "twenty five", "one hundred and eighty".
pub(crate) fn in_words(tokens: &[Token], start: usize) -> Option<(usize, f64)> {
    let (mut total, mut group, mut end) = (0.0, 0.0, start);
    let mut last = f64::INFINITY;
    let word = tokens.get(start).map_or("", |token| token.text.as_str());
    if word == "a" && numeral(tokens, start + 1).is_some_and(|value| value >= 100.0) {
        (group, end) = (1.0, start + 1);
    }
    loop {
        let and = end > start && tokens.get(end).is_some_and(|token| token.text == "and");
        let at = end + usize::from(and);
        let Some(value) = numeral(tokens, at) else { break };
        match value {
            1000.0 if group > 0.0 && last > 0.0 => (total, group) = (total + group * value, 0.0),
            100.0 if group > 0.0 => group *= value,
            // "twenty five" adds up, "five twenty" and "five and six" do not.
            _ if (group == 0.0
                || value < 10.0 && group % 10.0 == 0.0
                || value < 100.0 && group % 100.0 == 0.0)
                && (!and || group >= 100.0) =>
            {
                group += value;
            }
            _ => break,
        }
        (end, last) = (at + 1, value);
    }
    let value = total + group;
    // "one" is a number only before a unit: "make this one warmer" has none.
    let bare_one = value == 1.0 && !before_unit(tokens, end);
    (end > start && value > 0.0 && !bare_one).then_some((end, value))
}

fn numeral(tokens: &[Token], at: usize) -> Option<f64> {
    let entries = lexicon().beginning_with(&tokens.get(at)?.text);
    let entry = entries.iter().find(|entry| entry.category == Category::Numeral)?;
    entry.value.parse().ok()
}

fn before_unit(tokens: &[Token], at: usize) -> bool {
    let word = tokens.get(at).map_or("", |token| token.text.as_str());
    film_lexicon()
        .beginning_with(word)
        .iter()
        .any(|entry| matches!(entry.category, Category::Unit | Category::Part))
}
