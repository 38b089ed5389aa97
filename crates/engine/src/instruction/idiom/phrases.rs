//! Phrases that mean the same as others wherever they stand.

use super::{Replaced, kinds};
use crate::instruction::token::Token;

/// What people say, and the plain words for it; none for what asks in many words.
const SAME: &[(&str, &str)] = &[
    ("would it be possible to", ""),
    ("is it possible to", ""),
    ("would you be able to", ""),
    ("are you able to", ""),
    ("could we have", ""),
    ("can we have", ""),
    ("could i have", ""),
    ("can i have", ""),
    ("may i have", ""),
    ("could i get", ""),
    ("can i get", ""),
    ("could we", ""),
    ("can we", ""),
    ("i would prefer", ""),
    ("id prefer", ""),
    ("i prefer", ""),
    ("i would love to", ""),
    ("i would love", ""),
    ("id love to", ""),
    ("id love", ""),
    ("to see it", ""),
    ("see it", ""),
    ("i think", ""),
    ("i believe", ""),
    ("i feel like", ""),
    ("in my opinion", ""),
    ("if you could", ""),
    ("if you would", ""),
    ("if you dont mind", ""),
    ("if you do not mind", ""),
    ("when you can", ""),
    ("it needs", ""),
    ("this needs", ""),
    ("that is", ""),
    ("thats", ""),
    ("hey there", ""),
    ("the whole thing", "everything"),
    ("bw", "black and white"),
    ("grey scale", "greyscale"),
    ("fuzzy", "blurry"),
    ("fuzzier", "blurrier"),
    ("high contrast", "more contrast"),
    ("low contrast", "less contrast"),
    ("underexpose", "reduce the exposure"),
    ("overexpose", "increase the exposure"),
    ("drain all the colour", "remove all the colour"),
    ("strip all the colour", "remove all the colour"),
    ("drain the colour", "remove the colour"),
    ("strip the colour", "remove the colour"),
    ("sepia toning", "sepia tone"),
    ("old fashioned sepia", "sepia"),
    ("vintage sepia", "sepia"),
    ("antique sepia", "sepia"),
    ("retro sepia", "sepia"),
    ("classic sepia", "sepia"),
    ("from left to right", "left to right"),
    ("from right to left", "right to left"),
    ("from top to bottom", "top to bottom"),
    ("flip it over", "flip it"),
    ("flip over", "flip"),
    ("round it", "around it"),
    ("round the picture", "around the picture"),
    ("round the image", "around the image"),
    ("round the photo", "around the photo"),
    ("round the outside", "around the outside"),
    ("outline around", "border around"),
    ("along the", "at the"),
    ("piece from", "area from"),
    ("patch from", "area from"),
    ("pad it out", "pad it"),
    ("pad out", "pad"),
];

/// The longest phrase at the front of the tokens.
pub(super) fn at(tokens: &[Token]) -> Option<Replaced> {
    let first = tokens.first()?.word();
    let standing = SAME.iter().filter(|(said, _)| said.split(' ').next() == Some(first));
    let standing = standing.filter_map(|(said, plain)| {
        let length = said.split(' ').count();
        let words = tokens.get(..length)?.iter().map(Token::word);
        words.eq(said.split(' ')).then_some((length, *plain))
    });
    let (length, plain) = standing.max_by_key(|(length, _)| *length)?;
    Some((length, kinds(plain.split(' ').filter(|word| !word.is_empty()))))
}

/// Every word of the phrases.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    SAME.iter().flat_map(|(said, _)| said.split(' '))
}
