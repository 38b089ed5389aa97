//! Better refusals for words that are clear but too vague ("make it better"), or that don't ask for
//! an edit ("looks great", "email it to me"). They change the class of a refusal, never whether
//! there is one.

use super::super::token::{Kind, Token};
use super::super::{common_words, generative, spelling};
use crate::{Color, Refusal, RefusalKind};

/// Words that ask for a better image without saying what to change.
const BETTER: &[&str] = &[
    "better",
    "nicer",
    "nice",
    "good",
    "great",
    "prettier",
    "pretty",
    "beautiful",
    "best",
    "amazing",
    "awesome",
    "stunning",
    "improve",
    "improved",
    "improvement",
    "improvements",
    "perfect",
    "fix",
    "magic",
];
/// Words that announce an edit without naming one.
const EDITS: &[&str] = &[
    "edit",
    "editing",
    "edits",
    "change",
    "adjust",
    "apply",
    "filter",
    "effect",
    "convert",
    "transform",
];
/// Words of praise.
const PRAISING: &[&str] = &[
    "great",
    "perfect",
    "good",
    "nice",
    "awesome",
    "amazing",
    "lovely",
    "beautiful",
    "fantastic",
    "cool",
    "love",
    "wonderful",
    "excellent",
    "brilliant",
    "well",
    "superb",
];
const THANKS: &[&str] = &[
    "thanks",
    "thank",
    "you",
    "thx",
    "that",
    "thats",
    "this",
    "it",
    "its",
    "looks",
    "look",
    "is",
    "are",
    "so",
    "very",
    "really",
    "much",
    "the",
    "result",
    "i",
    "wow",
    "job",
    "work",
    "done",
    "exactly",
    "what",
    "wanted",
    "pretty",
    "just",
    "a",
    "lot",
    "all",
    "absolutely",
    "now",
];
/// Verbs for what other programs and people do, at the front of a clause.
const OTHERS_DO: &[&str] = &[
    "email",
    "mail",
    "send",
    "upload",
    "download",
    "translate",
    "tell",
    "explain",
    "describe",
    "sing",
    "book",
    "call",
    "order",
    "buy",
    "play",
    "search",
    "google",
    "remind",
    "summarize",
    "install",
];
/// Things that an image editor does not write.
const WRITINGS: &[&str] = &[
    "poem",
    "story",
    "essay",
    "song",
    "letter",
    "email",
    "code",
    "joke",
    "recipe",
    "article",
    "script",
    "review",
    "description",
];
const WRITES: &[&str] = &["write", "type", "caption"];
/// Things that are written on images.
const TEXTS: &[&str] = &[
    "name",
    "date",
    "copyright",
    "signature",
    "quote",
    "slogan",
    "headline",
    "subtitle",
    "hashtag",
    "text",
    "caption",
    "title",
    "watermark",
    "label",
];
const ADDS: &[&str] = &["add", "put", "insert", "place", "draw", "paint", "underline"];
/// Words that begin a wish for a better image.
const BETTERS: &[&str] = &[
    "make", "fix", "improve", "do", "give", "turn", "get", "let", "it", "this", "needs", "better",
];
const MARKS: &[&str] =
    &["arrow", "line", "box", "rectangle", "circle", "ellipse", "oval", "ring", "underline"];
/// Verbs that ask for a different background without saying which.
const CHANGES: &[&str] = &["change", "edit", "adjust", "modify", "alter"];
/// The most words of a clause that says only that: "please change the background".
const BACKGROUND_WORDS_MAX: usize = 4;
/// Words that may come before the verb of a clause.
const BEFORE_VERBS: &[&str] =
    &["please", "pls", "can", "could", "would", "you", "and", "then", "now", "just", "also"];

/// The refusal, or a better one that fits the words around the refused ones.
pub(super) fn told(refusal: Refusal, tokens: &[Token], instruction: &str) -> Refusal {
    let clause = clause_around(tokens, &refusal);
    let all: Vec<&str> = tokens.iter().map(Token::word).filter(|word| !word.is_empty()).collect();
    match refusal.kind {
        RefusalKind::AsksForNothing if announces(&all) => missing(
            refusal,
            "this doesn't name an edit; say what to change, for example \"make it brighter\"",
        ),
        RefusalKind::NotUnderstood if praises(&all) => {
            let message = "the instruction doesn't ask for an edit; say what to change, for \
                           example \"make it brighter\"";
            let end = instruction.chars().count();
            Refusal::new(RefusalKind::AsksForNothing, message).quoting(instruction, [0, end])
        }
        RefusalKind::NotUnderstood | RefusalKind::NeedsGenerativeModel => {
            unclear(refusal, clause, instruction)
        }
        _ => refusal,
    }
}

fn unclear(refusal: Refusal, clause: &[Token], instruction: &str) -> Refusal {
    let words: Vec<&str> = clause.iter().map(Token::word).collect();
    let verb = words.iter().find(|word| !BEFORE_VERBS.contains(word)).copied().unwrap_or_default();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let quoted = clause.iter().any(|token| matches!(token.kind, Kind::Quoted(_)));
    let is_word = refusal.kind == RefusalKind::NotUnderstood;
    if (is_word && OTHERS_DO.contains(&verb)) || (WRITES.contains(&verb) && has(WRITINGS)) {
        return no_edit(clause, instruction);
    }
    if is_word && verb == "take" && has(&["off", "out", "away"]) && !has_number(clause) {
        let message = format!(
            "\"{}\" needs a generative model, which can fill in what is behind what you remove",
            refusal.words
        );
        return Refusal { kind: RefusalKind::NeedsGenerativeModel, message, ..refusal };
    }
    let background = has(&["background", "backdrop"]) && words.len() <= BACKGROUND_WORDS_MAX;
    if background && CHANGES.contains(&verb) {
        return missing(
            refusal,
            "give the color of the plain background and the color you want instead, for example \
             \"replace the white background with blue\"; any other background needs a \
             generative model",
        );
    }
    let text = ADDS.contains(&verb) && has(TEXTS) && !has_seen(clause);
    if (WRITES.contains(&verb) || text) && !quoted {
        return missing(
            around(clause, instruction),
            "put the text in quotation marks: add the text \"Hello\" at the bottom",
        );
    }
    if ADDS.contains(&verb) && has(MARKS) && only_a_mark(clause) {
        return missing(
            refusal,
            "say where to draw it, for example \"draw a red arrow from 50,50 to 200,120\" or \
             \"draw a red circle around 100,100 with a radius of 30px\"",
        );
    }
    let stopped = refusal.words.to_lowercase();
    let vague = stopped.split(|c: char| !c.is_alphanumeric()).any(|word| BETTER.contains(&word));
    if is_word && vague && BETTERS.contains(&verb) {
        let message = format!(
            "\"{}\" is too vague; try \"make it brighter\" or \"auto contrast\"",
            refusal.words
        );
        return missing(refusal, &message);
    }
    refusal
}

/// Whether the words only praise and thank.
fn praises(words: &[&str]) -> bool {
    let known = |word: &&str| PRAISING.contains(word) || THANKS.contains(word);
    words.iter().any(|word| PRAISING.contains(word)) && words.iter().all(known)
}

/// Whether the words announce an edit and don't rule it out.
fn announces(all: &[&str]) -> bool {
    let ruled_out = |word: &&str| {
        common_words::NEGATIONS.contains(word)
            || common_words::KEEPS.contains(word)
            || *word == "nothing"
    };
    all.iter().any(|word| EDITS.contains(word)) && !all.iter().any(ruled_out)
}

/// Whether a clause asks for a mark without coordinates, and names nothing seen in the image.
fn only_a_mark(clause: &[Token]) -> bool {
    let plain = |token: &Token| {
        let word = token.word();
        let known = spelling::is_known(word) || Color::named(word).is_some();
        word.is_empty() || MARKS.contains(&word) || (known && !generative::is_seen(word))
    };
    !has_number(clause) && clause.iter().all(plain)
}

fn has_seen(clause: &[Token]) -> bool {
    clause.iter().any(|token| generative::is_seen(token.word()))
}

fn has_number(clause: &[Token]) -> bool {
    clause.iter().any(|token| token.number().is_some())
}

/// The words around the refused ones, up to the next mark, "and", "then" or "but".
fn clause_around<'t>(tokens: &'t [Token], refusal: &Refusal) -> &'t [Token] {
    let ends = |token: &Token| {
        matches!(token.kind, Kind::Mark(',' | '.' | ';' | '!' | '?'))
            || ["and", "then", "but"].contains(&token.word())
    };
    let at = tokens.iter().position(|token| token.end > refusal.span[0]).unwrap_or(tokens.len());
    let before = tokens.get(..at).unwrap_or_default();
    let start = before.iter().rposition(ends).map_or(0, |end| end + 1);
    let rest = tokens.get(start..).unwrap_or_default();
    let length =
        rest.iter().skip(at - start).position(ends).map_or(rest.len(), |end| at - start + end);
    rest.get(..length).unwrap_or_default()
}

/// A refusal that quotes a whole clause.
fn around(clause: &[Token], instruction: &str) -> Refusal {
    let start = clause.first().map_or(0, |token| token.start);
    let end = clause.last().map_or(start, |token| token.end);
    Refusal::new(RefusalKind::NotUnderstood, "").quoting(instruction, [start, end])
}

fn no_edit(clause: &[Token], instruction: &str) -> Refusal {
    let refusal = around(clause, instruction);
    let message = format!("\"{}\" isn't an image edit, so nothing was changed", refusal.words);
    Refusal { message, ..refusal }
}

fn missing(refusal: Refusal, message: &str) -> Refusal {
    Refusal { kind: RefusalKind::MissingDetail, message: message.to_owned(), ..refusal }
}
