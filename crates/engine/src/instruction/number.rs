//! Numbers written as words: "ninety", "one hundred and twenty", "twenty-five".

use super::token::{Kind, Token};

/// Replaces each run of number words by one number.
pub(super) fn join_number_words(tokens: &[Token]) -> Vec<Token> {
    let mut joined = Vec::with_capacity(tokens.len());
    let mut rest = tokens;
    while let Some((first, after)) = rest.split_first() {
        match number_at(rest) {
            Some((value, length)) => {
                let end = rest.get(length - 1).map_or(first.end, |last| last.end);
                let kind = Kind::Number { value: f64::from(value), signed: false };
                joined.push(Token { kind, start: first.start, end });
                rest = rest.get(length..).unwrap_or_default();
            }
            None => {
                joined.push(first.clone());
                rest = after;
            }
        }
    }
    joined
}

/// Every word that can be part of a number. Spelling correction needs the list too.
pub(super) const NUMBER_WORDS: &[&str] = &[
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "thousand",
];

/// Reads a number below one million from number words. Returns the number and how many tokens it
/// spans.
fn number_at(tokens: &[Token]) -> Option<(u32, usize)> {
    let (mut thousands, mut current, mut length) = (0, None, 0);
    while let Some(token) = tokens.get(length) {
        let so_far: u32 = current.unwrap_or(0);
        let round = so_far >= 100 || thousands > 0;
        let joins = token.word() == "and" && round && so_far.is_multiple_of(100);
        if joins && tokens.get(length + 1).is_some_and(|next| small(next.word()).is_some()) {
            length += 1;
            continue;
        }
        match (token.word(), small(token.word())) {
            ("hundred", _) if so_far < 20 && (current.is_some() || thousands == 0) => {
                current = Some(so_far.max(1) * 100);
            }
            ("thousand", _) if thousands == 0 && current.is_some_and(|value| value < 1000) => {
                thousands = so_far * 1000;
                current = Some(0);
            }
            (_, Some(value)) if fits(current, value) || (thousands > 0 && so_far == 0) => {
                current = Some(so_far + value);
            }
            _ => break,
        }
        length += 1;
    }
    current.map(|value| (thousands + value, length))
}

/// Whether a word from zero to ninety may follow the number read so far.
fn fits(current: Option<u32>, value: u32) -> bool {
    match current {
        None => true,
        Some(so_far) if so_far.is_multiple_of(100) => so_far >= 100,
        Some(so_far) => so_far % 100 >= 20 && so_far.is_multiple_of(10) && (1..10).contains(&value),
    }
}

fn small(word: &str) -> Option<u32> {
    let at = NUMBER_WORDS.iter().position(|known| *known == word)?;
    let at = u32::try_from(at).ok()?;
    match at {
        0..=20 => Some(at),
        21..=27 => Some((at - 18) * 10),
        _ => None,
    }
}
