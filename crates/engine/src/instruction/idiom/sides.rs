//! Both sides of a size one by one: "800px by 600px", "800 wide and 600 high", "width 800, height 600".

use super::Replaced;
use crate::instruction::common_words::{self, PIXELS};
use crate::instruction::token::{Kind, Token};

const WIDE: &[&str] = &["wide", "width"];
const HIGH: &[&str] = &["high", "tall", "height"];
const BETWEEN: &[&str] = &["x", "by", "and"];

/// Two sides at the front of the tokens, as "800x600 px".
pub(super) fn at(tokens: &[Token]) -> Option<Replaced> {
    let (first, length) = side(tokens, WIDE)?;
    let rest = tokens.get(length..)?;
    let joint = rest.first()?;
    let joined = BETWEEN.contains(&joint.word()) || joint.kind == Kind::Mark(',');
    let (second, last) = side(rest.get(1..)?, HIGH)?;
    let behind = rest.get(1 + last).map_or("", Token::word);
    if common_words::PERCENT.contains(&behind) {
        return None;
    }
    let named = |side: &Side| side.named;
    let alike = named(&first) == named(&second) && (named(&first) || first.unit);
    // Without the names of the sides, only what stands between says that they are a size.
    let sized = named(&first) || ["x", "by"].contains(&joint.word());
    (joined && alike && sized).then(|| {
        let number = |value: f64| Kind::Number { value, signed: false };
        let word = |word: &str| Kind::Word(word.to_owned());
        let size = vec![number(first.value), word("x"), number(second.value), word("px")];
        (length + 1 + last, size)
    })
}

struct Side {
    value: f64,
    /// Whether pixels were said.
    unit: bool,
    /// Whether it was said which side it is.
    named: bool,
}

/// "800", "800px", "800 px wide", "a width of 800px" with the number of its tokens.
fn side(tokens: &[Token], names: &[&str]) -> Option<(Side, usize)> {
    let is_name = |at: usize| tokens.get(at).is_some_and(|token| names.contains(&token.word()));
    let mut at = 0;
    let named = is_name(0);
    if named {
        at = 1;
        while ["of", "to", "is", "at"].contains(&tokens.get(at).map_or("", Token::word))
            || matches!(tokens.get(at).map(|token| &token.kind), Some(Kind::Mark(':' | '=')))
        {
            at += 1;
        }
    }
    let Kind::Number { value, signed: false } = tokens.get(at)?.kind else { return None };
    at += 1;
    let unit = tokens.get(at).is_some_and(|token| PIXELS.contains(&token.word()));
    at += usize::from(unit);
    let behind = !named && is_name(at);
    Some((Side { value, unit, named: named || behind }, at + usize::from(behind)))
}
