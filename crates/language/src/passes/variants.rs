//! British spelling becomes American, and what is shortened is written out.

use super::Words;
use crate::token::{Kind, Token};
use retouch_engine::Color;

/// Endings and stems that differ, British first.
const ENDINGS: [(&str, &str); 12] = [
    ("ise", "ize"),
    ("ised", "ized"),
    ("ising", "izing"),
    ("isation", "ization"),
    ("our", "or"),
    ("ours", "ors"),
    ("oured", "ored"),
    ("ouring", "oring"),
    ("ourful", "orful"),
    ("tre", "ter"),
    ("tres", "ters"),
    ("tred", "tered"),
];

/// Writes each word as the lexicon does.
pub(super) fn unify(words: &mut Words) {
    without(&mut words.tokens);
    and(&mut words.tokens);
    let lexicon = words.lexicon;
    for token in words.tokens.iter_mut().filter(|token| token.kind == Kind::Word) {
        if token.text.contains("grey") {
            token.text = token.text.replace("grey", "gray");
        }
        if token.text == "thru" {
            "through".clone_into(&mut token.text);
        }
        if token.text.contains("olour") {
            token.text = token.text.replace("olour", "olor");
        }
        if lexicon.knows(&token.text) {
            continue;
        }
        let american = ENDINGS.iter().find_map(|(british, american)| {
            let word = format!("{}{american}", token.text.strip_suffix(british)?);
            lexicon.knows(&word).then_some(word)
        });
        if let Some(word) = american {
            token.text = word;
        }
    }
}

/// "Blur it but only in the top half": what follows is a part, not what is left out.
pub(super) fn but_only(words: &mut Words) {
    let tokens = &mut words.tokens;
    let only = |two: &[Token]| match two {
        [but, only] => but.text == "but" && matches!(only.text.as_str(), "only" | "just"),
        _ => false,
    };
    while let Some(at) = tokens.windows(2).position(only) {
        tokens.remove(at);
    }
}

/// "White round it" is "white around it".
pub(super) fn around(words: &mut Words) {
    let spaces = ["space", "border", "margin", "padding", "frame"];
    for at in 1..words.tokens.len() {
        let is_it = words.tokens.get(at + 1).is_some_and(|next| next.text == "it");
        let before = words.tokens.get(at - 1).map_or("", |token| token.text.as_str());
        let surrounds = spaces.contains(&before) || Color::named(before).is_some();
        if let Some(token) = words.tokens.get_mut(at).filter(|it| it.text == "round")
            && is_it
            && surrounds
        {
            "around".clone_into(&mut token.text);
        }
    }
}

/// "w/o" is "without".
fn without(tokens: &mut Vec<Token>) {
    let short = |three: &[Token]| match three {
        [w, slash, o] => {
            w.text == "w"
                && slash.text == "/"
                && o.text == "o"
                && w.touches(slash)
                && slash.touches(o)
        }
        _ => false,
    };
    while let Some(at) = tokens.windows(3).position(short) {
        let end = tokens.get(at + 2).map(|token| token.span[1]);
        if let (Some(token), Some(end)) = (tokens.get_mut(at), end) {
            "without".clone_into(&mut token.text);
            token.written.push_str("/o");
            token.span[1] = end;
        }
        tokens.drain(at + 1..at + 3);
    }
}

/// "n" between two words is "and": "black n white", "grainy 'n' faded".
fn and(tokens: &mut [Token]) {
    let is_word = |token: Option<&Token>| token.is_some_and(|token| token.kind == Kind::Word);
    for at in 1..tokens.len() {
        let between = is_word(tokens.get(at - 1)) && tokens.get(at + 1).is_some();
        let short = |token: &&mut Token| {
            token.text == "n" && matches!(token.kind, Kind::Word | Kind::Quoted(_))
        };
        if let Some(token) = tokens.get_mut(at).filter(|token| between && short(token)) {
            token.kind = Kind::Word;
            "and".clone_into(&mut token.text);
        }
    }
}
