//! Phrases that mean the same as others wherever they stand.

use super::polite::NOTHING;
use super::{Replaced, kinds};
use crate::instruction::token::{Kind, Token};

/// What people say, and the plain words for it.
const SAME: &[(&str, &str)] = &[
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
    ("blow it up", "enlarge it"),
    ("blow up", "enlarge"),
    ("colour temp", "colour temperature"),
    ("lose the colour", "remove the colour"),
    ("lose all the colour", "remove all the colour"),
    ("stick", "put"),
    ("ease up", "less"),
    ("screen the 2", "screen both"),
    ("multiply the 2", "multiply both"),
    ("2 thirds of a stop", "0.6666666666666666 stops"),
    ("3 quarters of a stop", "0.75 stops"),
    ("lower quarter", "bottom quarter"),
    ("lower third", "bottom third"),
    ("lower half", "bottom half"),
    ("upper half", "top half"),
    ("upper third", "top third"),
    ("upper quarter", "top quarter"),
    ("both sides", "the left and right"),
    ("both edges", "the left and right"),
    ("fix it by", ""),
    ("fix this by", ""),
    ("fix by", ""),
    ("by making it", "make it"),
    ("dial in", "add"),
    ("half a turn", "180 degrees"),
    ("a quarter of a turn", "90 degrees"),
    ("3 quarter turn", "270 degrees"),
    ("3 quarters of a turn", "270 degrees"),
    ("three quarter turn", "270 degrees"),
    ("1 above the other", "stacked"),
    ("1 below the other", "stacked"),
    ("1 on top of the other", "stacked"),
    ("1 under the other", "stacked"),
    ("1 underneath the other", "stacked"),
    ("1 beside the other", "side by side"),
    ("1 next to the other", "side by side"),
    ("crop it down to", "crop to"),
    ("crop this down to", "crop to"),
    ("crop down to", "crop to"),
    ("cropped down to", "cropped to"),
    ("starting from", "from"),
    ("starting at", "from"),
    ("begin at", "from"),
    ("auto correct", "automatically correct"),
    ("autocorrect", "automatically correct"),
    ("auto adjust", "automatically adjust"),
    ("auto fix", "automatically fix"),
    ("autofix", "automatically fix"),
    ("auto balance", "automatically balance"),
    ("auto enhance the contrast", "auto contrast"),
    ("wb", "white balance"),
    ("b / w", "black and white"),
    ("b and w", "black and white"),
    ("black / white", "black and white"),
    ("left / right", "left to right"),
    ("top / bottom", "top to bottom"),
    ("w / o", "without"),
    ("cw", "clockwise"),
    ("ccw", "counterclockwise"),
    ("acw", "counterclockwise"),
    ("anti clockwise", "counterclockwise"),
    ("counter clock wise", "counterclockwise"),
    ("clock wise", "clockwise"),
    ("dim down", "darken"),
    ("go easy on", "less"),
    ("ease up on", "less"),
    ("easy on", "less"),
    ("go light on", "less"),
    ("easier on", "less"),
    ("out of focus", "blurry"),
    ("old time sepia", "sepia"),
    ("old timey sepia", "sepia"),
    ("old style sepia", "sepia"),
    ("old school sepia", "sepia"),
    ("b and white", "black and white"),
    ("inverse", "invert"),
    ("negative image", "negative"),
    ("negative version", "negative"),
    ("turn into negative", "negative"),
    ("mirror flip", "mirror"),
    ("mirror version", "mirror"),
    ("h flip", "flip horizontally"),
    ("v flip", "flip vertically"),
    ("flip h", "flip horizontally"),
    ("flip v", "flip vertically"),
    ("flip horizontal", "flip horizontally"),
    ("flip vertical", "flip vertically"),
    ("hflip", "flip horizontally"),
    ("vflip", "flip vertically"),
    ("along the vertical axis", "horizontally"),
    ("along the horizontal axis", "vertically"),
    ("along its vertical axis", "horizontally"),
    ("along its horizontal axis", "vertically"),
    ("around the vertical axis", "horizontally"),
    ("around the horizontal axis", "vertically"),
    ("across the vertical axis", "horizontally"),
    ("is for the picture to be", "make the picture"),
    ("is for the whole picture to be", "make the whole picture"),
    ("is for the image to be", "make the image"),
    ("is for the photo to be", "make the photo"),
    ("is for the whole photo to be", "make the whole photo"),
    ("is for it to be", "make it"),
    ("taken from", "from"),
    ("redness", "red"),
    ("greenness", "green"),
    ("blueness", "blue"),
    ("yellowness", "yellow"),
    ("to pure white", "to white"),
    ("in pure white", "in white"),
    ("with pure white", "with white"),
    ("to pure black", "to black"),
    ("with pure black", "with black"),
    ("plain white", "white"),
    ("plain black", "black"),
    ("plain grey", "grey"),
    ("crop in tighter", "crop tighter"),
    ("crop in a bit tighter", "crop a bit tighter"),
    ("crop in a little tighter", "crop a little tighter"),
    ("crop in a touch tighter", "crop a touch tighter"),
    ("crop in slightly tighter", "crop slightly tighter"),
    ("crop in much tighter", "crop much tighter"),
    ("remove the red cast", "reduce the red"),
    ("get rid of the red cast", "reduce the red"),
    ("remove the green cast", "reduce the green"),
    ("get rid of the green cast", "reduce the green"),
    ("remove the blue cast", "reduce the blue"),
    ("get rid of the blue cast", "reduce the blue"),
    ("remove the cyan cast", "reduce the cyan"),
    ("get rid of the cyan cast", "reduce the cyan"),
    ("remove the magenta cast", "reduce the magenta"),
    ("get rid of the magenta cast", "reduce the magenta"),
    ("remove the yellow cast", "reduce the yellow"),
    ("get rid of the yellow cast", "reduce the yellow"),
    ("across the horizontal axis", "vertically"),
    ("about the vertical axis", "horizontally"),
    ("about the horizontal axis", "vertically"),
    ("on the vertical axis", "horizontally"),
    ("on the horizontal axis", "vertically"),
];

/// Phrases that mean something only behind another word of the same sentence; a quoted text is `"`.
const BEHIND: &[(&str, &str, &str)] = &[
    ("scale", "down to", "to"),
    ("scale", "up to", "to"),
    ("resize", "down to", "to"),
    ("resize", "up to", "to"),
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
    let nothing = NOTHING.iter().map(|said| (*said, ""));
    longest(tokens, SAME.iter().copied().chain(nothing))
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
    let first = tokens.first()?;
    // Most phrases begin with another word, which is seen at once.
    let begins = |said: &str| match first.word() {
        "" => true,
        word => {
            said.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        }
    };
    let standing = phrases.filter(|(said, _)| begins(said)).filter_map(|(said, plain)| {
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
    let same = SAME.iter().map(|(said, _)| *said).chain(NOTHING.iter().copied());
    same.chain(behind).flat_map(|said| said.split(' '))
}
