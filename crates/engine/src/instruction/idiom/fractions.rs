//! Fractions and factors in digits: "1/3 stop", "2/3 of the size", "50/50", "a factor of 2".

use super::{Replaced, kinds};
use crate::instruction::common_words::STOPS;
use crate::instruction::token::{Kind, Token};

/// Words of places, after which a fraction is a part of the picture.
const PLACES: &[&str] = &["top", "bottom", "left", "right", "middle", "upper", "lower", "central"];

/// What an ordinal counts.
const PICTURES: &[&str] = &["picture", "image", "photo", "photograph", "pic", "one"];

/// A fraction or a factor at the front of the tokens; `before` is what stands before it.
pub(super) fn at(tokens: &[Token], before: Option<&Token>) -> Option<Replaced> {
    if let [factor, of, number, ..] = tokens
        && (factor.word(), of.word()) == ("factor", "of")
    {
        return Some((3, vec![plain(number.number()?), Kind::Word("times".to_owned())]));
    }
    if let Some(part) = small_part(tokens) {
        return Some(part);
    }
    let mixed = tokens.get(1..).is_some_and(|after| fraction(after).is_some());
    let whole = tokens.first()?.number().filter(|_| mixed);
    let from = usize::from(whole.is_some());
    let (length, (part, of)) = fraction(tokens.get(from..)?)?;
    let after: Vec<&str> = tokens.iter().skip(from + length).take(3).map(Token::word).collect();
    let stops = match after.as_slice() {
        [stop, ..] if STOPS.contains(stop) => Some(1),
        ["of", "a" | "an", stop] if STOPS.contains(stop) => Some(3),
        _ => None,
    };
    if let Some(taken) = stops {
        let value = plain(whole.unwrap_or(0.0) + part / of);
        return Some((from + length + taken, vec![value, Kind::Word("stops".to_owned())]));
    }
    if whole.is_some() {
        return None;
    }
    // "a 50/50 mix" is half of the other picture.
    if part + of == 100.0 {
        return Some((length, vec![plain(of), Kind::Word("percent".to_owned())]));
    }
    let placed = before.is_some_and(|token| PLACES.contains(&token.word()));
    let named = (after.first() == Some(&"of") || placed).then(|| words(part, of)).flatten()?;
    Some((length, named))
}

/// "a fifth", "two tenths": hundredths, for no operation knows these words; "the fifth picture" has
/// an ordinal.
fn small_part(tokens: &[Token]) -> Option<Replaced> {
    const PARTS: &[(f64, [&str; 2])] = &[
        (5.0, ["fifth", "fifths"]),
        (6.0, ["sixth", "sixths"]),
        (8.0, ["eighth", "eighths"]),
        (10.0, ["tenth", "tenths"]),
    ];
    let [count, part, ..] = tokens else { return None };
    let count = match count.word() {
        "a" | "an" => 1.0,
        _ => count.number().filter(|count| *count >= 1.0 && count.fract() == 0.0)?,
    };
    let (of, _) = PARTS.iter().find(|(_, names)| names.contains(&part.word()))?;
    let follows = tokens.get(2).map_or("", Token::word);
    let unfinished = follows == "of" && tokens.len() == 3;
    if unfinished || count >= *of || PICTURES.contains(&follows) || STOPS.contains(&follows) {
        return None;
    }
    Some((2, vec![plain(count * 100.0 / of), Kind::Word("percent".to_owned())]))
}

/// Two numbers with a slash between, or the sign of a fraction.
fn fraction(tokens: &[Token]) -> Option<(usize, (f64, f64))> {
    const SIGNS: &[(char, (f64, f64))] = &[
        ('½', (1.0, 2.0)),
        ('⅓', (1.0, 3.0)),
        ('⅔', (2.0, 3.0)),
        ('¼', (1.0, 4.0)),
        ('¾', (3.0, 4.0)),
    ];
    if let Kind::Mark(mark) = tokens.first()?.kind {
        return SIGNS.iter().find(|(sign, _)| *sign == mark).map(|(_, parts)| (1, *parts));
    }
    let [part, slash, of, ..] = tokens else { return None };
    let touching = part.end == slash.start && slash.end == of.start;
    let (part, of) = part.number().zip(of.number())?;
    let whole = part >= 1.0 && part.fract() == 0.0 && of.fract() == 0.0;
    let proper = part < of || part + of == 100.0;
    (slash.kind == Kind::Mark('/') && touching && whole && proper).then_some((3, (part, of)))
}

/// "2/3" as words: "two thirds".
fn words(part: f64, of: f64) -> Option<Vec<Kind>> {
    let names =
        [(2.0, ["half", "halves"]), (3.0, ["third", "thirds"]), (4.0, ["quarter", "quarters"])];
    let (_, [one, several]) = names.into_iter().find(|(parts, _)| *parts == of)?;
    Some(match part {
        1.0 => kinds([one]),
        _ => [vec![plain(part)], kinds([several])].concat(),
    })
}

fn plain(value: f64) -> Kind {
    Kind::Number { value, signed: false }
}
