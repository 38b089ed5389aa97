//! Phrases that mean the same as others wherever they stand.

use super::{Replaced, kinds};
use crate::instruction::token::{Kind, Token};

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
    ("side is", "side"),
    ("edge is", "edge"),
    ("width is", "width"),
    ("height is", "height"),
    ("these 2", "these pictures"),
    ("those 2", "those pictures"),
    ("the 2 of them", "the pictures"),
    ("1 : 1 square", "square"),
    ("make it square by cropping", "crop to a square"),
    ("make it a square by cropping", "crop to a square"),
    ("make it square by padding", "pad to a square"),
    ("make it a square by padding", "pad to a square"),
    ("turn it the right way up by", ""),
    ("put it the right way up by", ""),
    ("make it upright by", ""),
    ("would be nice", ""),
    ("would be good", ""),
    ("would be great", ""),
    ("would be lovely", ""),
    ("could do with being", ""),
    ("could do with", ""),
    ("blow it up", "enlarge it"),
    ("blow up", "enlarge"),
    ("colour temp", "colour temperature"),
    ("lose the colour", "remove the colour"),
    ("lose all the colour", "remove all the colour"),
    ("stick", "put"),
    ("turn it upright by", ""),
];

/// Phrases that mean something only behind another word of the same sentence; a quoted text is `"`.
const BEHIND: &[(&str, &str, &str)] = &[
    ("\"", "as a watermark", "watermark"),
    ("\"", "as watermark", "watermark"),
    ("border", "all around", "around"),
    ("border", "all round", "around"),
    ("frame", "all around", "around"),
    ("frame", "all round", "around"),
    ("keep", "and make everything else grey", ""),
    ("keep", "and make everything else greyscale", ""),
    ("keep", "and make everything else black and white", ""),
    ("keep", "and turn everything else grey", ""),
    ("keep", "and turn everything else black and white", ""),
    ("keep", "and make the rest grey", ""),
    ("keep", "and make the rest black and white", ""),
];

/// The longest phrase at the front of the tokens.
pub(super) fn at(tokens: &[Token]) -> Option<Replaced> {
    longest(tokens, SAME.iter().copied())
}

/// The longest phrase at the front of the tokens that means something behind those before.
pub(super) fn after(tokens: &[Token], before: &[Token]) -> Option<Replaced> {
    let ends = |token: &Token| matches!(token.kind, Kind::Mark('.' | '!' | '?' | ';'));
    let sentence: Vec<&Token> = before.iter().rev().take_while(|token| !ends(token)).collect();
    let stands = |key: &str| {
        sentence.iter().any(|token| match token.kind {
            Kind::Quoted(_) => key == "\"",
            _ => token.word() == key,
        })
    };
    let behind = BEHIND.iter().filter(|(key, ..)| stands(key));
    longest(tokens, behind.map(|(_, said, plain)| (*said, *plain)))
}

fn longest<'s>(
    tokens: &[Token],
    phrases: impl Iterator<Item = (&'s str, &'s str)>,
) -> Option<Replaced> {
    let standing = phrases.filter_map(|(said, plain)| {
        let length = said.split(' ').count();
        let mut pairs = tokens.get(..length)?.iter().zip(said.split(' '));
        pairs.all(|(token, word)| is(token, word)).then_some((length, plain))
    });
    let (length, plain) = standing.max_by_key(|(length, _)| *length)?;
    Some((length, kinds(plain.split(' ').filter(|word| !word.is_empty()))))
}

fn is(token: &Token, word: &str) -> bool {
    match token.kind {
        Kind::Number { value, signed: false } => word.parse() == Ok(value),
        _ => token.word() == word,
    }
}

/// Every word of the phrases.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    let behind = BEHIND.iter().map(|(_, said, _)| *said);
    SAME.iter().map(|(said, _)| *said).chain(behind).flat_map(|said| said.split(' '))
}
