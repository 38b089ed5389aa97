//! Numbers and bullets before the items of a list only separate them.

use super::Words;
use crate::token::{Kind, Token};

/// Turns the numbers and bullets of a list into separators.
pub(super) fn separate(words: &mut Words) {
    let tokens = std::mem::take(&mut words.tokens);
    let mut at = 0;
    let mut number = 1.0;
    while let Some(token) = tokens.get(at) {
        let starts = at == 0 || tokens[at - 1].text == "\n";
        // In "to 1:1. Sharpen it", the number is no item of a list.
        let glued = !starts && tokens[at - 1].touches(token);
        // In "the order 2, 1. I took this", it is none either.
        let counts =
            at > 1 && tokens[at - 1].text == "," && matches!(tokens[at - 2].kind, Kind::Number(_));
        let glued = glued || counts;
        if let Some(length) = numbered(&tokens[at..], number).filter(|_| !glued) {
            number += 1.0;
            words.tokens.push(Token {
                kind: Kind::Sign,
                text: ".".to_owned(),
                written: String::new(),
                span: token.span,
                is_capitalized: false,
            });
            at += length;
        } else if starts
            && matches!(token.text.as_str(), "-" | "*" | "•" | "—")
            && !tokens.get(at + 1).is_some_and(|next| token.touches(next))
        {
            if at == 0 {
                words.tokens.push(Token {
                    kind: Kind::Sign,
                    text: "\n".to_owned(),
                    written: String::new(),
                    span: token.span,
                    is_capitalized: false,
                });
            }
            at += 1;
        } else {
            words.tokens.push(token.clone());
            at += 1;
        }
    }
}

/// The length of "1.", "2)" or "step 3:", if a list goes on with this number.
fn numbered(tokens: &[Token], number: f64) -> Option<usize> {
    let step = usize::from(tokens.first()?.text == "step");
    let [digit, sign, next, ..] = tokens.get(step..)? else { return None };
    let digit_fits = matches!(digit.kind, Kind::Number(value) if value == number);
    let sign_fits = match sign.text.as_str() {
        "." | ")" => digit.touches(sign),
        ":" => step == 1,
        _ => false,
    };
    (digit_fits && sign_fits && !sign.touches(next) && next.kind == Kind::Word).then_some(step + 2)
}
