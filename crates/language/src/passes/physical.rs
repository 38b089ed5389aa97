//! How many pixels are an inch: "1 cm at 300 dpi". Physical lengths become pixels, and the file says it.

use super::Words;
use crate::lexicon::lexicon;
use crate::rules::numbers;
use crate::token::{Kind, Token};
use crate::value::Category;
use std::ops::Range;

/// Papers and their sides in millimeters, upright.
const PAPERS: [(&str, [f64; 2]); 4] =
    [("3", [297.0, 420.0]), ("4", [210.0, 297.0]), ("5", [148.0, 210.0]), ("6", [105.0, 148.0])];
/// The sides of the paper of North America, upright.
const LETTER_MM: [f64; 2] = [215.9, 279.4];
const MM_AN_INCH: f64 = 25.4;
/// What is as large as its inches say: "a 4x6 print", up to so many.
const PRINTS: [&str; 6] = ["print", "prints", "photo", "poster", "postcard", "card"];
const PRINT_INCHES_MAX: f64 = 48.0;

/// The words that say how many pixels are an inch.
struct Said {
    tokens: Range<usize>,
    /// Whether they are a clause that may ask for it, such as "300 dpi" or "set the dpi to 300 dpi".
    asks: bool,
}

/// A length or a size in pixels, and the tokens that name it.
struct Found {
    tokens: Range<usize>,
    sides_px: Vec<f64>,
}

/// Verbs of clauses about the resolution alone: "set it to 300 dpi".
const VERBS: [&str; 7] = ["set", "change", "make", "convert", "save", "export", "put"];

/// Turns lengths with a physical unit into pixels, and takes the resolution out.
pub(super) fn to_pixels(words: &mut Words) {
    let tokens = &words.tokens;
    let Some((dpi, said)) = resolution(tokens) else { return };
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let here = size(tokens, at).or_else(|| length(tokens, at).map(|(end, mm)| (end, vec![mm])));
        match here {
            // "1 1/2 inches" begins with another number.
            Some(_) if at > 0 && matches!(tokens[at - 1].kind, Kind::Number(_)) => return,
            Some((end, sides_mm)) => {
                let sides_px = sides_mm.iter().map(|mm| (mm * dpi / MM_AN_INCH).round()).collect();
                found.push(Found { tokens: at..end, sides_px });
                at = end;
            }
            None => at += 1,
        }
    }
    // Without a size, "300 dpi" is an edit of its own, which is read later.
    if !found.is_empty() || in_pixels(tokens) || !said.iter().any(|said| said.asks) {
        words.dpi = Some(dpi);
        rewrite(words, dpi, &found, &said);
    }
}

/// Whether a size in pixels is given: "1200x1800 at 300 dpi".
fn in_pixels(tokens: &[Token]) -> bool {
    let number = |at: usize| matches!(tokens[at].kind, Kind::Number(_));
    (2..tokens.len()).any(|at| {
        let times = matches!(tokens[at - 1].text.as_str(), "x" | "*" | "by");
        times && number(at) && number(at - 2) || number(at - 1) && tokens[at].text == "px"
    })
}

fn rewrite(words: &mut Words, dpi: f64, found: &[Found], said: &[Said]) {
    let tokens = std::mem::take(&mut words.tokens);
    let mut at = 0;
    while at < tokens.len() {
        if let Some(said) = said.iter().find(|said| said.tokens.contains(&at)) {
            at = said.tokens.end;
        } else if let Some(length) = found.iter().find(|length| length.tokens.contains(&at)) {
            if length.sides_px.len() > 1 {
                fill_instead_of_crop(&mut words.tokens);
            }
            let written: Vec<_> =
                tokens[length.tokens.clone()].iter().map(|token| token.written.as_str()).collect();
            let px: Vec<_> = length.sides_px.iter().map(ToString::to_string).collect();
            let assumed = format!("{} at {dpi} dpi is {} pixels", written.join(" "), px.join("x"));
            words.assumed.push(assumed);
            push(&mut words.tokens, length, &tokens);
            at = length.tokens.end;
        } else {
            words.tokens.push(tokens[at].clone());
            at += 1;
        }
    }
}

/// "Crop to 4x6 inches" wants the whole of that size, not a part of so many pixels.
fn fill_instead_of_crop(before: &mut [Token]) {
    let clause = before.iter_mut().rev().take_while(|token| !is_joint(&token.text));
    for verb in clause.filter(|token| matches!(token.text.as_str(), "crop" | "cropped")) {
        "fill".clone_into(&mut verb.text);
    }
}

/// Writes the sides in pixels with the spans of the words that named them.
fn push(words: &mut Vec<Token>, length: &Found, tokens: &[Token]) {
    let span = [tokens[length.tokens.start].span[0], tokens[length.tokens.end - 1].span[1]];
    let token = |kind: Kind, text: String| Token {
        kind,
        written: text.clone(),
        text,
        span,
        is_capitalized: false,
    };
    for (number, px) in length.sides_px.iter().enumerate() {
        if number > 0 {
            words.push(token(Kind::Word, "x".to_owned()));
        }
        words.push(token(Kind::Number(*px), px.to_string()));
        words.push(token(Kind::Word, "px".to_owned()));
    }
}

/// The pixels of an inch, if all words agree, and the words that say so.
fn resolution(tokens: &[Token]) -> Option<(f64, Vec<Said>)> {
    let mut said = Vec::new();
    let mut dpi = None;
    for at in 0..tokens.len() {
        let Some((behind, value)) = numbers::at(tokens, at).into_iter().next_back() else {
            continue;
        };
        let Some((end, "dpi")) = unit(tokens, behind) else { continue };
        // "Hundred dpi" is the end of "three hundred dpi".
        if said.last().is_some_and(|said: &Said| said.tokens.contains(&at)) {
            continue;
        }
        if dpi.is_some_and(|known| known != value) || value < 1.0 {
            return None;
        }
        dpi = Some(value);
        said.push(phrase(tokens, at, end));
    }
    dpi.map(|dpi| (dpi, said))
}

/// Extends "300 dpi" by the words around it: "at a resolution of", "(the image is", "set the dpi to".
fn phrase(tokens: &[Token], number: usize, end: usize) -> Said {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let noun = |words: &[&str]| usize::from(words.contains(&word(end)));
    let mut from = number;
    let eat = |from: &mut usize, words: &[&str]| {
        let found = *from > 0 && words.contains(&word(*from - 1));
        *from -= usize::from(found);
        found
    };
    if eat(&mut from, &["of"]) && eat(&mut from, &["resolution"]) {
        eat(&mut from, &["a"]);
    }
    let end = end
        + if eat(&mut from, &["a"]) {
            noun(&["scan", "file", "image", "photo", "picture"])
        } else {
            0
        };
    let attached = eat(&mut from, &["at", "for", "with", "in", "@", "using", "assuming"]);
    let printed = attached && eat(&mut from, &["printed", "scanned", "print"]);
    if printed && eat(&mut from, &["when", "if"]) {
        return Said { tokens: from..end, asks: false };
    }
    if printed && eat(&mut from, &["be"]) && eat(&mut from, &["will"]) {
        eat(&mut from, &["it", "this"]);
    }
    if eat(&mut from, &["is", "was", "its"]) {
        eat(&mut from, &["it", "image", "picture", "photo", "scan", "file"]);
        eat(&mut from, &["the", "this", "my"]);
        let closed = word(end) == ")";
        let tokens = if closed && eat(&mut from, &["("]) { from..end + 1 } else { from..end };
        return Said { tokens, asks: false };
    }
    if eat(&mut from, &["to"]) | eat(&mut from, &["dpi", "ppi", "resolution"]) {
        eat(&mut from, &["dpi", "ppi", "resolution"]);
    }
    // "Save it at 300 dpi", but not "sharpen it at 300 dpi".
    let mut before = from;
    eat(&mut before, &["it", "the"]);
    if eat(&mut before, &VERBS) {
        from = before;
    }
    let begins = from == 0 || is_joint(word(from - 1));
    let ends = end == tokens.len() || is_joint(word(end));
    let closed = word(end) == ")";
    let tokens = if closed && eat(&mut from, &["("]) { from..end + 1 } else { from..end };
    Said { tokens, asks: begins && ends || !attached }
}

fn is_joint(word: &str) -> bool {
    matches!(word, "," | "." | ";" | "and" | "then" | "\n")
}

/// Two sides: "35x45 mm", "10 cm by 15 cm", "A4".
fn size(tokens: &[Token], at: usize) -> Option<(usize, Vec<f64>)> {
    let (end, sides) = bare_size(tokens, at)?;
    Some(oriented(tokens, end, sides))
}

/// Turns a print by what is said behind it: "7x5 inch print, landscape".
fn oriented(tokens: &[Token], end: usize, mut sides: Vec<f64>) -> (usize, Vec<f64>) {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let noun = end + usize::from(PRINTS.contains(&word(end)));
    let behind = noun + usize::from(word(noun) == ",");
    let tall = match word(behind) {
        "landscape" | "horizontal" => false,
        "portrait" | "upright" | "vertical" => true,
        _ => return (end, sides),
    };
    // "Portrait photo" is a noun.
    if matches!(word(behind + 1), "photo" | "picture" | "image" | "shot") {
        return (end, sides);
    }
    // "30x20 cm upright" contradicts itself, but "a 6x4 print, upright" names a format.
    if noun == end && sides.windows(2).any(|two| two[0] != two[1] && (two[0] < two[1]) != tall) {
        return (end, sides);
    }
    sides.sort_by(|one, other| if tall { one.total_cmp(other) } else { other.total_cmp(one) });
    (behind + 1 + usize::from(matches!(word(behind + 1), "orientation" | "format")), sides)
}

fn bare_size(tokens: &[Token], at: usize) -> Option<(usize, Vec<f64>)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    if word(at) == "a" && tokens.get(at + 1).is_some_and(|next| tokens[at].touches(next)) {
        let (_, [short, long]) = PAPERS.iter().find(|(number, _)| *number == word(at + 1))?;
        return Some(match word(at + 2) {
            "landscape" => (at + 3, vec![*long, *short]),
            "portrait" | "upright" | "vertical" => (at + 3, vec![*short, *long]),
            _ => (at + 2, vec![*short, *long]),
        });
    }
    if let Some((end, sides)) = letter(tokens, at) {
        return Some((end, sides));
    }
    let (width_end, width) = number(tokens, at)?;
    let own = scale(tokens, width_end);
    let times = own.map_or(width_end, |(end, _)| end);
    let by = matches!(word(times), "x" | "by" | "*");
    let (height_end, height) = number(tokens, times + 1).filter(|_| by)?;
    // A "4x6 print" with so many dpi is in inches.
    let print = PRINTS.contains(&word(height_end)) && width.max(height) <= PRINT_INCHES_MAX;
    let inches = print.then_some((height_end, MM_AN_INCH));
    // "6 inches by 4": the unit counts for both.
    let unit = scale(tokens, height_end).or_else(|| own.map(|(_, mm)| (height_end, mm))).or(inches);
    let (end, height_mm) = unit?;
    let width_mm = own.map_or(height_mm, |(_, mm)| mm);
    Some((end, vec![width * width_mm, height * height_mm]))
}

/// The paper of North America: "US letter", "letter size". Other letters are written.
fn letter(tokens: &[Token], at: usize) -> Option<(usize, Vec<f64>)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let us = word(at) == "us";
    let name = at + usize::from(us);
    let paper = matches!(word(name + 1), "size" | "paper" | "sized" | "format");
    if word(name) != "letter" || !us && !paper {
        return None;
    }
    let end = name + 1 + usize::from(paper);
    let [short, long] = LETTER_MM;
    Some(match word(end) {
        "landscape" => (end + 1, vec![long, short]),
        "portrait" | "upright" | "vertical" => (end + 1, vec![short, long]),
        _ => (end, vec![short, long]),
    })
}

/// One length in millimeters: "1 cm", "half an inch".
fn length(tokens: &[Token], at: usize) -> Option<(usize, f64)> {
    let (number_end, value) = number(tokens, at)?;
    let (end, mm) = scale(tokens, number_end)?;
    Some((end, value * mm))
}

/// A number before a unit: "2.5", "1/2", "half a", "an".
fn number(tokens: &[Token], at: usize) -> Option<(usize, f64)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let article = |at: usize| usize::from(matches!(word(at), "a" | "an"));
    if let Some((end, above)) = numbers::at(tokens, at).into_iter().next_back() {
        if word(end) != "/" {
            return Some((end, above));
        }
        let (end, below) = numbers::at(tokens, end + 1).into_iter().next_back()?;
        return (below > 0.0).then_some((end, above / below));
    }
    let share = at + article(at);
    let entries = lexicon().beginning_with(word(share));
    match entries.iter().find(|entry| entry.category == Category::Part && entry.words.len() == 1) {
        Some(entry) => {
            let of = share + 1 + usize::from(word(share + 1) == "of");
            Some((of + article(of), 1.0 / entry.value.parse::<f64>().ok()?))
        }
        None => (share > at).then_some((share, 1.0)),
    }
}

/// The millimeters of a unit, and the position behind it.
fn scale(tokens: &[Token], at: usize) -> Option<(usize, f64)> {
    // "In" is only a unit if nothing is between it and the number: "4in".
    let short = at > 0
        && tokens.get(at).is_some_and(|token| token.text == "in" && tokens[at - 1].touches(token));
    match unit(tokens, at) {
        Some((end, "mm")) => Some((end, 1.0)),
        Some((end, "cm")) => Some((end, 10.0)),
        Some((end, "inches")) => Some((end, MM_AN_INCH)),
        _ => short.then_some((at + 1, MM_AN_INCH)),
    }
}

/// The longest unit at a position, and the position behind it.
fn unit(tokens: &[Token], at: usize) -> Option<(usize, &'static str)> {
    let at = at + usize::from(tokens.get(at).is_some_and(|token| token.text == "-"));
    let entries = lexicon().beginning_with(&tokens.get(at)?.text).iter();
    let here = entries.filter(|entry| {
        entry.category == Category::Unit
            && tokens.get(at..at + entry.words.len()).is_some_and(|tokens| {
                tokens.iter().zip(&entry.words).all(|(token, word)| token.text == *word)
            })
    });
    let longest = here.max_by_key(|entry| entry.words.len())?;
    Some((at + longest.words.len(), longest.value))
}
