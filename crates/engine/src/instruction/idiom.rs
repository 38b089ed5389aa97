//! Manners of speech, brought to the plain words that the tables hold.
//!
//! Only what means the same wherever it stands is replaced; the rest is for the operations to read.
//! What replaces words keeps their place in the instruction.

mod casts;
mod cuts;
pub(super) mod exceptions;
mod fractions;
mod named;
mod phrases;
mod polite;
mod sides;
mod titles;
mod wishes;

use super::common_words::PIXELS;
use super::split::stands;
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
            .or_else(|| exceptions::at(rest, plain.last()))
            .or_else(|| cuts::at(rest))
            .or_else(|| automatic(rest))
            .or_else(|| logo(rest, inputs))
            .or_else(|| named::at(rest, &plain, inputs))
            .or_else(|| wishes::at(rest, plain.last()))
            .or_else(|| casts::at(rest))
            .or_else(|| titles::at(rest, &plain))
            .or_else(|| sides::at(rest))
            .or_else(|| size(rest))
            .or_else(|| filled(rest))
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
    let tables = [
        BALANCES,
        BALANCED,
        OVERLAYS,
        MARKS,
        casts::VERBS,
        cuts::WORDS,
        titles::NOUNS,
        wishes::WORDS,
        AFTER_SIZES,
    ];
    let sizes = BEFORE_SIZES.iter().flat_map(|said| said.split(' '));
    let phrases = phrases::words().chain(sizes).chain(["automatically", "factor", "my", "our"]);
    tables.into_iter().flatten().copied().chain(phrases)
}

const BALANCES: &[&str] =
    &["fix", "set", "adjust", "correct", "stretch", "balance", "optimize", "improve", "normalize"];
const BALANCED: &[&str] = &["levels", "contrast", "colors", "color", "tone"];

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

/// What may stand before a size that the picture is to have.
const BEFORE_SIZES: &[&str] = &[
    "i need it at",
    "i want it at",
    "i need it in",
    "i want it in",
    "i need this at",
    "i need this picture at",
    "i need the picture at",
    "i need this image at",
    "i need the image at",
    "i need this photo at",
    "i need the photo at",
    "i want this at",
    "i need this in",
    "i want this in",
    "make it",
    "make this",
    "bring it down to",
    "bring this down to",
    "bring down to",
    "get it down to",
    "get this down to",
    "take it down to",
    "take this down to",
    "take it to",
    "get it to",
    "bring it to",
    "knock it down to",
    "drop it to",
    "drop it down to",
    "cut it down to",
    "convert it to",
    "convert to",
    "turn it into",
];
/// Shortest side of a size that says no unit; shorter ones may be a shape, or inches.
const SIDE_MIN: f64 = 32.0;

/// "I need it at 1920x1080", "bring it down to 640x480" ask for a size.
fn size(tokens: &[Token]) -> Option<Replaced> {
    let length = BEFORE_SIZES.iter().filter_map(|said| stands(tokens, 0, said)).max()?;
    let [width, by, height, after @ ..] = tokens.get(length..)? else { return None };
    let sides = [width.number()?, height.number()?];
    let unit = after.first().is_some_and(|unit| PIXELS.contains(&unit.word()));
    let sized =
        ["x", "by"].contains(&by.word()) && (unit || sides.iter().all(|side| *side >= SIDE_MIN));
    // "make it 800x600 white squares" is something else.
    let rest = after.get(usize::from(unit)..)?;
    let ends = rest.first().is_none_or(|next| {
        matches!(next.kind, Kind::Mark(_)) || AFTER_SIZES.contains(&next.word())
    });
    (sized && ends).then(|| (length, kinds(["resize", "to"])))
}

/// "1080x1080, crop to fill" fills that size.
fn filled(tokens: &[Token]) -> Option<Replaced> {
    let [width, by, height, rest @ ..] = tokens else { return None };
    let sides = [width.number()?, height.number()?];
    let unit = usize::from(rest.first().is_some_and(|unit| PIXELS.contains(&unit.word())));
    let comma = matches!(rest.get(unit)?.kind, Kind::Mark(',' | '('));
    let after = rest.get(unit + usize::from(comma)..)?;
    let said = ["crop to fill", "cropped to fill", "cropping to fill"];
    let fills = said.iter().find_map(|said| stands(after, 0, said))?;
    let number = |value| Kind::Number { value, signed: false };
    let size = [number(sides[0]), Kind::Word("x".to_owned()), number(sides[1])];
    let words = kinds(["resize", "to", "fill"]).into_iter().chain(size).collect();
    ["x", "by"].contains(&by.word()).then_some((3 + unit + usize::from(comma) + fills, words))
}

/// What may follow a size that ends there.
const AFTER_SIZES: &[&str] = &[
    "please", "and", "then", "for", "exactly", "thanks", "but", "so", "because", "after", "before",
];

/// Words as tokens carry them.
fn kinds<'w>(words: impl IntoIterator<Item = &'w str>) -> Vec<Kind> {
    let kind = |word: &str| match word.parse() {
        Ok(value) => Kind::Number { value, signed: false },
        Err(_) => Kind::Word(word.to_owned()),
    };
    words.into_iter().map(kind).collect()
}
