//! Lists: "1. brighten it 2. crop to a square", "Brightness +20 Contrast +10", "brighten it crop it".
//!
//! A separator that is put in is a weak one: pieces that mean nothing alone are read together again.

use super::token::{Kind, Token};

/// Words before a number that belong to it, so that it counts no item: "brighten by 2. Crop it".
const PREPOSITIONS: &[&str] = &["by", "to", "of", "at", "from", "and", "x", ":"];
/// What a row of settings may name.
pub(super) const SETTINGS: &[&str] = &[
    "brightness",
    "contrast",
    "saturation",
    "exposure",
    "shadows",
    "highlights",
    "whites",
    "blacks",
    "midtones",
    "vibrance",
    "clarity",
    "warmth",
    "temperature",
    "sharpness",
    "hue",
    "red",
    "green",
    "blue",
];

/// Verbs that begin a clause wherever they stand, unless one of [`LEADING`] is before them.
const VERBS: &[&str] = &[
    "make",
    "brighten",
    "lighten",
    "darken",
    "crop",
    "rotate",
    "resize",
    "sharpen",
    "add",
    "increase",
    "decrease",
    "reduce",
    "convert",
    "desaturate",
    "saturate",
    "denoise",
    "pixelate",
    "invert",
    "posterize",
    "apply",
    "give",
];
/// Words that lead up to a verb, or make a noun of it.
const LEADING: &[&str] = &[
    "to",
    "please",
    "pls",
    "plz",
    "you",
    "u",
    "and",
    "then",
    "also",
    "just",
    "kindly",
    "can",
    "could",
    "would",
    "will",
    "not",
    "dont",
    "never",
    "by",
    "without",
    "before",
    "after",
    "or",
    "i",
    "we",
    "must",
    "should",
    "want",
    "need",
    "help",
    "lets",
    "let",
    "only",
    "simply",
    "first",
    "next",
    "finally",
    "a",
    "an",
    "the",
    "but",
    "so",
    "until",
    "when",
    "with",
    "now",
    "do",
    "does",
    "did",
    "square",
    "circle",
    "center",
    "auto",
    "round",
    "tighter",
    "automatically",
    "both",
];
/// What a change that is joined by "with" begins with.
const CHANGES: &[&str] =
    &["more", "less", "higher", "lower", "extra", "increased", "reduced", "boosted", "high", "low"];
/// How much may stand before it.
const DEGREES: &[&str] = &["a", "bit", "little", "touch", "lot", "slightly", "much", "some", "tad"];

/// The settings of them that may be the color of something.
const COLORS: &[&str] = &["red", "green", "blue"];

/// Puts separators where a list has its numbers, where the next setting of a row begins, and where a
/// sentence without commas begins anew.
pub(super) fn separated(tokens: &[Token]) -> Vec<Token> {
    begun(with_more(rows(unnumbered(tokens))))
}

/// The numbers of a list count up from 1 and each ends in a mark.
fn unnumbered(tokens: &[Token]) -> Vec<Token> {
    let mut items = Vec::with_capacity(tokens.len());
    let (mut at, mut next) = (0, 1.0);
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        match item(tokens.get(at..).unwrap_or_default(), next).filter(|_| begins(before, next)) {
            Some(length) => {
                let end = tokens.get(at + length - 1).map_or(token.end, |last| last.end);
                items.push(Token { kind: Kind::Mark(';'), start: token.start, end });
                next += 1.0;
                at += length;
            }
            None => {
                items.push(token.clone());
                at += 1;
            }
        }
    }
    items
}

/// Whether an item of a list may begin behind this token; the first one only at the front.
fn begins(before: Option<&Token>, number: f64) -> bool {
    match before.map(|token| &token.kind) {
        None | Some(Kind::Mark(_)) => true,
        Some(Kind::Word(word)) => number > 1.0 && !PREPOSITIONS.contains(&word.as_str()),
        Some(_) => number > 1.0,
    }
}

/// The length of "2.", "2)", "(2)", "step 2:" at the front of the tokens.
fn item(tokens: &[Token], wanted: f64) -> Option<usize> {
    let word = usize::from(tokens.first()?.word() == "step");
    let open = usize::from(tokens.get(word)?.kind == Kind::Mark('('));
    let [number, mark, next, ..] = tokens.get(word + open..)? else { return None };
    let counts = number.kind == Kind::Number { value: wanted, signed: false };
    let closes = match mark.kind {
        Kind::Mark(')') => true,
        Kind::Mark('.' | ':') => open == 0 && next.start > mark.end,
        _ => false,
    };
    (counts && closes && number.end == mark.start).then_some(word + open + 2)
}

/// "Brightness +20 Contrast +10": a signed number ends a setting where another one follows.
fn rows(tokens: Vec<Token>) -> Vec<Token> {
    let mut rows = Vec::with_capacity(tokens.len());
    let mut signed = false;
    for token in tokens {
        if signed && SETTINGS.contains(&token.word()) && follows_setting(&rows) {
            rows.push(Token { kind: Kind::Mark(','), start: token.start, end: token.start });
        }
        match &token.kind {
            Kind::Number { signed: sign, .. } => signed = *sign,
            Kind::Word(unit)
                if ["%", "percent", "stop", "stops", "ev"].contains(&unit.as_str()) => {}
            _ => signed = false,
        }
        rows.push(token);
    }
    rows
}

/// Whether the last number stands behind the name of a setting: "contrast +10", "contrast: +10%".
fn follows_setting(tokens: &[Token]) -> bool {
    let number = tokens.iter().rposition(|token| token.number().is_some()).unwrap_or(0);
    let before = tokens.get(..number).unwrap_or_default().iter().rev();
    let mut before = before.filter(|token| !matches!(token.kind, Kind::Mark(':' | '=')));
    before.next().is_some_and(|token| SETTINGS.contains(&token.word()))
}

/// "make it brighter with more contrast" asks for both.
fn with_more(mut tokens: Vec<Token>) -> Vec<Token> {
    for at in 0..tokens.len() {
        let after = tokens.get(at + 1..).unwrap_or_default().iter().map(Token::word);
        let mut after = after.skip_while(|word| DEGREES.contains(word));
        let changes = after.next().is_some_and(|word| CHANGES.contains(&word))
            && after.next().is_some_and(|word| SETTINGS.contains(&word) && !COLORS.contains(&word));
        if let Some(token) = tokens.get_mut(at).filter(|token| changes && token.word() == "with") {
            token.kind = Kind::Mark(',');
        }
    }
    tokens
}

/// "it is too dark make it brighter crop to 1:1": a verb begins a clause of its own.
fn begun(tokens: Vec<Token>) -> Vec<Token> {
    let mut begun: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let leads = |before: &Token| match &before.kind {
            Kind::Word(word) => LEADING.contains(&word.as_str()),
            Kind::Mark(_) => true,
            _ => false,
        };
        if VERBS.contains(&token.word()) && !begun.last().is_none_or(leads) {
            begun.push(Token { kind: Kind::Mark(','), start: token.start, end: token.start });
        }
        begun.push(token);
    }
    begun
}
