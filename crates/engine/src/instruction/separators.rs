//! Numbers with separators: "1,000 px" is a thousand, "+0,5" is a half, and "1.000 px" could be
//! either.

use super::common_words::{self, PIXELS};
use super::split::stands;
use super::token::{Kind, Token};
use crate::Refusal;

/// Words before coordinates, in which a comma separates two numbers.
const BEFORE_POINTS: &[&str] = &[
    "at",
    "from",
    "around",
    "between",
    "box",
    "area",
    "region",
    "point",
    "position",
    "centered",
    "coordinates",
    "in",
    "on",
    "rectangle",
];
/// Words before a number of pixels.
const BEFORE_SIDES: &[&str] = &["x", "width", "height", "wide", "high", "tall"];
/// Words between those and the number.
const BETWEEN: &[&str] = &["of", "to", "is", "at", "by", ":"];
/// Words after a number of pixels, other than the unit.
const BEHIND_SIDES: &[&str] = &["x", "wide", "high", "tall"];
/// Words that make all numbers of a clause lengths of sides.
const SIZES: &[&str] = &["resize", "wide", "high", "tall", "width", "height", "side", "edge"];

/// How a row of digits and separators is read.
enum Reading {
    /// Only as this number.
    Exactly(f64),
    /// As two numbers, one of which is larger because the dot separates thousands.
    Either { small: f64, large: f64 },
}

/// Joins the digits of every number that has separators and only one meaning.
///
/// # Errors
/// A [`Refusal`] of a number that has two possible meanings.
pub(super) fn joined(tokens: &[Token], instruction: &str) -> Result<Vec<Token>, Refusal> {
    let mut joined = Vec::with_capacity(tokens.len());
    let chars: Vec<char> = instruction.chars().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let length = row(tokens, at);
        let reading = if length > 0 { read(tokens, (at, length), &chars) } else { None };
        match (reading, &token.kind) {
            (Some(Reading::Exactly(value)), Kind::Number { signed, value: first }) => {
                let value = if first.is_sign_negative() { -value } else { value };
                let end = tokens.get(at + length - 1).map_or(token.end, |last| last.end);
                let kind = Kind::Number { value, signed: *signed };
                joined.push(Token { kind, start: token.start, end });
                at += length;
            }
            (Some(Reading::Either { small, large }), _) => {
                return Err(either((small, large)).quoting(instruction, [token.start, token.end]));
            }
            _ => {
                joined
                    .extend(tokens.get(at..at + length.max(1)).unwrap_or_default().iter().cloned());
                at += length.max(1);
            }
        }
    }
    Ok(joined)
}

/// The refusal, or a clearer one if it quotes part of a number with a comma.
pub(super) fn told(refusal: Refusal, instruction: &str) -> Refusal {
    let tokens = super::token::cut(instruction);
    let found = (0..tokens.len()).find_map(|at| {
        let length = row(&tokens, at);
        let last = tokens.get((at + length).checked_sub(1)?)?;
        let span = [tokens.get(at)?.start, last.end];
        let quotes = refusal.span[0] > span[0] && refusal.span[0] < span[1];
        (length == 3 && quotes).then_some(span)
    });
    let Some(span) = found else { return refusal };
    let words = Refusal::missing("").quoting(instruction, span);
    let message = format!(
        "\"{}\" could be one number or two; use a decimal point (\"{}\") or put a space \
         after the comma",
        words.words,
        words.words.replace(',', ".")
    );
    Refusal { message, ..words }
}

fn either((small, large): (f64, f64)) -> Refusal {
    Refusal::missing(format!(
        "this number could mean {large} or {small}; write \"{large}\" or \"{small}\""
    ))
}

/// How many tokens from a position on are numbers joined by commas or dots.
fn row(tokens: &[Token], at: usize) -> usize {
    let is_number = |at: usize| tokens.get(at).is_some_and(|token| token.number().is_some());
    if !is_number(at) {
        return 0;
    }
    let touches = |at: usize| {
        let pair = tokens.get(at).zip(tokens.get(at + 1));
        pair.is_some_and(|(one, next)| one.end == next.start)
    };
    let mut end = at + 1;
    while tokens.get(end).is_some_and(|mark| matches!(mark.kind, Kind::Mark(',' | '.')))
        && is_number(end + 1)
        && touches(end - 1)
        && touches(end)
    {
        end += 2;
    }
    end - at
}

fn read(tokens: &[Token], (at, length): (usize, usize), chars: &[char]) -> Option<Reading> {
    let (first, last) = tokens.get(at).zip(tokens.get(at + length - 1))?;
    let text: String = chars.get(first.start..last.end)?.iter().collect();
    let text = text.trim_start_matches(['+', '-', '−']);
    let commas = text.matches(',').count();
    let dots = text.matches('.').count();
    let place = Surroundings { tokens, at, end: at + length };
    let value = |text: String| text.parse::<f64>().ok().map(Reading::Exactly);
    match (commas, dots) {
        (0, 1) if grouped(text, '.') && place.counts_pixels(text) => Some(Reading::Either {
            small: text.parse().ok()?,
            large: text.replace('.', "").parse().ok()?,
        }),
        (0, 2..) if grouped(text, '.') => value(text.replace('.', "")),
        (0, _) => None,
        _ if place.is_point() => None,
        (_, 0) if grouped(text, ',') && place.may_be_thousands(commas) => {
            value(text.replace(',', ""))
        }
        (1, 0) if !grouped(text, ',') && place.may_be_decimal(text) => {
            value(text.replace(',', "."))
        }
        (1, _) => {
            let (whole, part) = text.split_once(',')?;
            let fits = dots > 0 && grouped(whole, '.') && !part.contains('.');
            let other = || {
                let (whole, part) = text.rsplit_once('.')?;
                (dots == 1 && grouped(whole, ',')).then(|| whole.replace(',', "") + "." + part)
            };
            let joined = fits.then(|| whole.replace('.', "") + "." + part);
            value(joined.or_else(other)?)
        }
        _ => None,
    }
}

/// Whether the digits are in groups of three, except for a first group that may be shorter.
fn grouped(text: &str, separator: char) -> bool {
    let mut groups = text.split(separator);
    let first = groups.next().unwrap_or_default();
    let digits = |group: &str| group.chars().all(|digit| digit.is_ascii_digit());
    let starts = (1..=3).contains(&first.len()) && !first.starts_with('0') && digits(first);
    starts && text.contains(separator) && groups.all(|group| group.len() == 3 && digits(group))
}

/// The tokens around a number.
struct Surroundings<'t> {
    tokens: &'t [Token],
    at: usize,
    end: usize,
}

impl Surroundings<'_> {
    fn before(&self, back: usize) -> &str {
        let token = self.at.checked_sub(back).and_then(|at| self.tokens.get(at));
        token.map_or("", |token| match token.kind {
            Kind::Mark(':' | '=') => ":",
            _ => token.word(),
        })
    }

    fn behind(&self) -> &str {
        self.tokens.get(self.end).map_or("", Token::word)
    }

    fn is_signed(&self) -> bool {
        let number = self.tokens.get(self.at).map(|token| &token.kind);
        matches!(number, Some(Kind::Number { signed: true, .. }))
    }

    /// Whether the next word makes it the length of a side: "wide", or "x" before another number.
    fn is_side(&self) -> bool {
        let next = self.tokens.get(self.end + 1).and_then(Token::number);
        BEHIND_SIDES.contains(&self.behind()) && (self.behind() != "x" || next.is_some())
    }

    fn is_bracketed(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.is_some_and(|before| before.kind == Kind::Mark('('))
    }

    /// Whether a comma separates coordinates here: after a word for a place, or in the second of
    /// two pairs.
    fn is_point(&self) -> bool {
        let article = usize::from(["the", "a"].contains(&self.before(1)));
        let before = self.before(1 + article);
        let joined = ["to", "and", "towards", ""].contains(&self.before(1));
        let pair = (0..self.at).any(|at| row(self.tokens, at) >= 3);
        let point = self.is_bracketed() || BEFORE_POINTS.contains(&before) || (joined && pair);
        point && !self.is_signed()
    }

    /// Whether commas may separate thousands, in a number of pixels or in a single value.
    fn may_be_thousands(&self, commas: usize) -> bool {
        let levels = self.tokens.iter().any(|token| ["levels", "range"].contains(&token.word()));
        let value = BETWEEN.contains(&self.before(1)) || BEFORE_SIDES.contains(&self.before(1));
        let unit = PIXELS.contains(&self.behind()) || self.is_unit();
        !levels && (unit || self.is_side() || (value && commas == 1))
    }

    /// Whether a comma may stand for a decimal point.
    fn may_be_decimal(&self, text: &str) -> bool {
        let whole = text.split(',').next().unwrap_or_default();
        whole == "0" || (!whole.starts_with('0') && (self.is_signed() || self.is_unit()))
    }

    /// Whether a unit follows that is not pixels.
    fn is_unit(&self) -> bool {
        let units = [
            common_words::PERCENT,
            common_words::DEGREE_UNITS,
            common_words::STOPS,
            common_words::KELVINS,
            &["megapixels", "megapixel", "mp", "mpx", "times"],
        ];
        units.iter().any(|list| list.contains(&self.behind()))
    }

    /// Whether the number counts pixels or other whole units, such as kelvins.
    fn counts_pixels(&self, text: &str) -> bool {
        let behind = self.behind();
        if self.is_unit() && !common_words::KELVINS.contains(&behind) {
            return false;
        }
        let between = usize::from(BETWEEN.contains(&self.before(1)));
        let bare = text.ends_with(".000")
            || SIZES.iter().any(|word| {
                (0..self.tokens.len()).any(|at| stands(self.tokens, at, word).is_some())
            });
        PIXELS.contains(&behind)
            || common_words::KELVINS.contains(&behind)
            || self.is_side()
            || BEFORE_SIDES.contains(&self.before(1 + between))
            || (bare && !common_words::TIMES.contains(&behind))
    }
}
