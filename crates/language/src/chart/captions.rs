//! Captions of several images: "captions Black, White and Bone under each", "captioned A to D",
//! "numbered 1-6".

use super::{Chart, Edge};
use crate::token::{Kind, Token};
use crate::value::{Category, Value};

/// The words that introduce captions.
const INTRODUCING: &[&str] = &[
    "captions",
    "captioned",
    "caption",
    "labels",
    "labeled",
    "labelled",
    "label",
    "names",
    "named",
    "titles",
    "titled",
    "numbered",
    "number",
    "lettered",
    "letters",
    "letter",
    "numbers",
    "write",
    "print",
    "put",
    "place",
    "stamp",
];
/// The words that introduce captions only where each image has one.
const WRITING: &[&str] = &["write", "print", "put", "place", "stamp"];
/// The words between those and the captions.
const BETWEEN: &[&str] = &[
    "them",
    "each",
    "it",
    "its",
    "below",
    "beneath",
    "under",
    "underneath",
    ":",
    "as",
    "with",
    "from",
    "a",
    "the",
    "reading",
    "saying",
    "image",
    "picture",
    "photo",
    "one",
    "two",
    "letter",
    "number",
    "letters",
    "numbers",
    "images",
    "pictures",
    "photos",
    "all",
    "are",
    "in",
    "order",
    "that",
    "this",
];
/// The words behind captions that only tell where they are, and in which order.
const BEHIND: &[&str] = &[
    "at",
    "bottom",
    "printed",
    "written",
    "frame",
    "panel",
    "print",
    "tile",
    "thumbnail",
    "pic",
    "shot",
    "under",
    "below",
    "beneath",
    "underneath",
    "each",
    "them",
    "one",
    "image",
    "picture",
    "photo",
    "in",
    "that",
    "this",
    "the",
    "order",
    "given",
    "respectively",
    "it",
    "images",
    "pictures",
    "photos",
];
/// The most captions, words of one, and words before and behind the list.
const CAPTIONS_MAX: usize = 24;
const WORDS_MAX: usize = 6;
const AROUND_MAX: usize = 6;
/// The most words between texts and "each".
const EACH_MAX: usize = 8;

/// Adds the captions that begin at a position.
pub(super) fn add(chart: &mut Chart<'_>, start: usize) {
    let tokens = chart.tokens;
    if let Some((end, captions)) = pairs(tokens, start) {
        let value = Value::Captions(captions);
        chart.add(start, Edge { end, category: Category::Captions, value });
    }
    // "With their names beneath: …".
    let their = usize::from(matches!(tokens[start].text.as_str(), "their" | "these" | "the"));
    let Some(introducing) = tokens.get(start + their).map(|token| token.text.as_str()) else {
        return;
    };
    if !INTRODUCING.contains(&introducing) {
        return;
    }
    let counts = introducing.starts_with("number");
    let mut first = start + their + 1;
    let mut found: Vec<(usize, Vec<String>)> = Vec::new();
    for _ in 0..=AROUND_MAX {
        found.extend(range(tokens, first));
        // In "label them Before and After", "them" is no caption.
        let between = tokens
            .get(first)
            .is_some_and(|token| BETWEEN.contains(&token.text.as_str()) && !token.is_capitalized);
        if !between || counts {
            found.extend(list(tokens, first));
        }
        if !tokens.get(first).is_some_and(|token| BETWEEN.contains(&token.text.as_str())) {
            break;
        }
        first += 1;
        if counts {
            found.push((first, Vec::new()));
        }
    }
    // "Write A, B and C in the corner of each one", not "write Hello, World".
    let each = |end: usize| {
        let behind = &tokens[end..tokens.len().min(end + EACH_MAX)];
        let stops = |token: &&Token| matches!(token.text.as_str(), "." | ";" | "!" | "\n");
        behind.iter().take_while(|token| !stops(token)).any(|token| token.text == "each")
    };
    for (end, captions) in found {
        for end in ends(tokens, end) {
            if WRITING.contains(&introducing) && !each(end) {
                continue;
            }
            let value = Value::Captions(captions.clone());
            chart.add(start, Edge { end, category: Category::Captions, value });
        }
    }
}

/// The end of the captions, and those behind words for their place and order.
fn ends(tokens: &[Token], end: usize) -> Vec<usize> {
    let behind = tokens[end..].iter().take(AROUND_MAX);
    let behind = behind.take_while(|token| BEHIND.contains(&token.text.as_str())).count();
    let whole = |end: &usize| {
        let last = tokens[end - 1].text.as_str();
        !matches!(last, "in" | "that" | "this" | "the" | "given" | "under" | "at" | "printed")
    };
    // "Under each frame" does not end before "frame", and "at the bottom right" is a place.
    let apart = |end: &usize| {
        let next = tokens.get(*end).map_or("", |token| token.text.as_str());
        let corner = matches!(next, "right" | "left" | "corner" | "center" | "middle");
        let bottom = tokens[*end - 1].text == "bottom";
        if bottom && (corner || tokens.get(*end - 3).is_none_or(|it| it.text != "at")) {
            return false;
        }
        !matches!(next, "frame" | "panel" | "print" | "tile" | "thumbnail" | "pic" | "shot")
    };
    (end..=end + behind).filter(whole).filter(apart).collect()
}

/// "image 1 captioned 'Before' and image 2 'After'".
fn pairs(tokens: &[Token], start: usize) -> Option<(usize, Vec<String>)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let (mut captions, mut at, mut end) = (Vec::new(), start, start);
    while matches!(word(at), "image" | "picture" | "photo" | "pic")
        && word(at + 1).parse() == Ok(captions.len() + 1)
    {
        at += 2;
        while INTRODUCING.contains(&word(at))
            || matches!(word(at), "is" | "as" | ":" | "=" | "says")
        {
            at += 1;
        }
        end = item(tokens, at)?;
        captions.push(written(&tokens[at..end]));
        at = end;
        while matches!(word(at), "," | "and" | "&") {
            at += 1;
        }
    }
    (captions.len() > 1).then_some((end, captions))
}

/// "A to D", "1-6", "(a) to (d)".
fn range(tokens: &[Token], start: usize) -> Option<(usize, Vec<String>)> {
    let (from, dash) = mark(tokens, start)?;
    if !matches!(tokens.get(dash)?.text.as_str(), "to" | "-" | "—" | "through") {
        return None;
    }
    let (to, end) = mark(tokens, dash + 1)?;
    let bracket = if tokens[start].text == "(" { ["(", ")"] } else { ["", ""] };
    let all: Vec<String> = match (from, to) {
        (Mark::Number(from), Mark::Number(to)) => (from..=to).map(|it| it.to_string()).collect(),
        (Mark::Letter(from), Mark::Letter(to)) => (from..=to).map(|it| it.to_string()).collect(),
        _ => return None,
    };
    let all = all.into_iter().map(|it| format!("{}{it}{}", bracket[0], bracket[1]));
    let all: Vec<String> = all.take(CAPTIONS_MAX + 1).collect();
    (2..=CAPTIONS_MAX).contains(&all.len()).then_some((end, all))
}

/// An end of a range.
enum Mark {
    Number(u32),
    Letter(char),
}

/// A number or a letter, perhaps in brackets, and where it ends.
fn mark(tokens: &[Token], start: usize) -> Option<(Mark, usize)> {
    let bracket = usize::from(tokens.get(start)?.text == "(");
    let token = tokens.get(start + bracket)?;
    let end = start + 1 + bracket;
    let mut letters = token.written.chars();
    let found = match (&token.kind, letters.next(), letters.next()) {
        (Kind::Number(_), ..) => Mark::Number(token.text.parse().ok()?),
        (Kind::Word, Some(letter), None) => Mark::Letter(letter),
        _ => return None,
    };
    let closed = tokens.get(end).is_some_and(|token| token.text == ")");
    Some((found, end + usize::from(bracket == 1 && closed)))
}

/// All lists of two or more captions that begin at a position, by where they end.
fn list(tokens: &[Token], start: usize) -> Vec<(usize, Vec<String>)> {
    let (mut found, mut captions, mut at) = (Vec::new(), Vec::new(), start);
    while captions.len() < CAPTIONS_MAX {
        let Some(end) = item(tokens, at) else { break };
        captions.push(written(&tokens[at..end]));
        // "C top left of each" tells where the captions are.
        let tells = (at + 1..end).any(|at| tokens[at].text == "each");
        if captions.len() > 1 && !tells {
            found.push((end, captions.clone()));
        }
        let and =
            |at: usize| tokens.get(at).is_some_and(|it| matches!(it.text.as_str(), "and" | "&"));
        at = match tokens.get(end).map(|token| token.text.as_str()) {
            Some("," | "/" | ";") => end + 1 + usize::from(and(end + 1)),
            Some("and" | "&") => end + 1,
            _ => break,
        };
    }
    found
}

/// The end of one caption.
fn item(tokens: &[Token], start: usize) -> Option<usize> {
    if matches!(tokens.get(start)?.kind, Kind::Quoted(_)) {
        return Some(start + 1);
    }
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    // "D in the top left corner" ends before the place.
    let placed = |at: usize| {
        let place = at + 1 + usize::from(matches!(word(at + 1), "the" | "its"));
        matches!(word(at), "in" | "at" | "on" | "into" | "to")
            && matches!(
                word(place),
                "top"
                    | "bottom"
                    | "upper"
                    | "lower"
                    | "left"
                    | "right"
                    | "corner"
                    | "each"
                    | "center"
                    | "middle"
                    | "corners"
            )
    };
    let inside = |at: usize| {
        if at > start && placed(at) {
            return false;
        }
        let token = &tokens[at];
        let word = matches!(token.kind, Kind::Word | Kind::Number(_));
        let apart =
            matches!(token.text.as_str(), "and" | "under" | "below" | "beneath" | "underneath");
        let glued = at > start && matches!(token.text.as_str(), "-" | "." | "'" | "#");
        word && !apart || glued && tokens[at - 1].touches(token) && at + 1 < tokens.len()
    };
    let most = tokens.len().min(start + WORDS_MAX);
    let words = (start..most).take_while(|at| inside(*at)).count();
    let glue = |at: usize| {
        tokens[at].text == "." && !tokens.get(at + 1).is_some_and(|it| tokens[at].touches(it))
    };
    let end = (start..start + words).find(|at| glue(*at)).unwrap_or(start + words);
    (end > start).then_some(end)
}

fn written(tokens: &[Token]) -> String {
    match tokens {
        [Token { kind: Kind::Quoted(text), .. }] => text.clone(),
        tokens => super::unquoted::as_written(tokens),
    }
}
