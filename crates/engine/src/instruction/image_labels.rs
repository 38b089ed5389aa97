//! Labels for one of several images: "picture 2", "the left one", "both pictures". Their numbers
//! are not amounts, and they may name an image that the plan doesn't edit.

use super::edit_lists::SETTINGS;
use super::quantity::{Unit, unit_of};
use super::token::{Kind, Token};
use crate::{Plan, Refusal, Step};

/// Words that may come before the number of an image or version.
const NUMBERED: &[&str] =
    &["picture", "image", "photo", "photograph", "pic", "input", "version", "number", "variant"];
/// Those of them that are images.
const IMAGES: &[&str] = &["picture", "image", "photo", "photograph", "pic", "input"];
const SEVERAL: &[&str] = &["pictures", "images", "photos", "photographs", "pics"];
/// The largest number of an image. In "rotate picture 90", the number is an angle.
const NUMBER_MAX: f64 = 16.0;
/// Words before a "one" that refers to a thing.
const BEFORE_ONE: &[&str] = &[
    "the", "this", "that", "which", "each", "every", "other", "another", "any", "left", "right",
    "top", "bottom", "upper", "lower", "middle", "first", "second", "third", "last", "next",
    "same", "original", "big", "small", "new", "old",
];
/// Words, other than those for images, that may follow "both".
const OTHERS: &[&str] = &[
    "sides",
    "edges",
    "ends",
    "halves",
    "corners",
    "directions",
    "ways",
    "axes",
    "dimensions",
    "horizontally",
    "vertically",
    "width",
    "height",
];
/// Words for the single image that is edited.
const IT: &[&str] = &["it", "this", "that", "picture", "image", "photo", "photograph", "pic"];

/// What a label names.
enum Named {
    /// One of the images, or of something else, by its number.
    Number(f64),
    /// The thing that "one" refers to.
    One,
    /// All images.
    All,
}

/// A label within the tokens.
struct Label {
    /// The positions of the first token and one past the last.
    span: (usize, usize),
    named: Named,
}

/// The refusal of the first label that names something other than what its step edits.
pub(super) fn wrong(
    plan: &Plan,
    tokens: &[Token],
    (instruction, inputs): (&str, usize),
) -> Option<Refusal> {
    let several = |step: &Step| step.operation().joins() || step.operation().takes().is_some();
    let label = labels(tokens, instruction, inputs).find(|label| {
        let at = tokens.get(label.span.0).map_or(0, |token| token.start);
        let part = plan.understood.iter().find(|part| part.span[0] <= at && at < part.span[1]);
        let step = part.and_then(|part| part.step).and_then(|step| plan.steps.get(step));
        // Steps before a join are applied to every image.
        let everywhere = matches!(label.named, Named::All) && plan.joins();
        step.is_some_and(|step| !several(step)) && !everywhere
    })?;
    Some(refused(&label, tokens, instruction))
}

/// The tokens without the numbers of images and versions, if there are any, and whether all of
/// those named the first image, which is edited anyway.
pub(super) fn without_numbers(tokens: &[Token], instruction: &str) -> Option<(Vec<Token>, bool)> {
    let numbered: Vec<Label> = labels(tokens, instruction, 1)
        .filter(|label| matches!(label.named, Named::Number(_)))
        .collect();
    let is_first = |label: &Label| {
        let word = tokens.get(label.span.0).map_or("", Token::word);
        matches!(label.named, Named::Number(1.0)) && IMAGES.contains(&word)
    };
    // The word for the image stays, because the edit applies to it.
    let drops = |label: &Label, at: usize| {
        let image = tokens.get(label.span.0).is_some_and(|name| IMAGES.contains(&name.word()));
        label.span.1 == at + 1 || (!image && label.span.0 == at)
    };
    let is_number = |at: usize| numbered.iter().any(|label| drops(label, at));
    let rest = tokens.iter().enumerate().filter(|(at, _)| !is_number(*at));
    let rest = rest.map(|(_, token)| token.clone()).collect();
    (!numbered.is_empty()).then(|| (rest, numbered.iter().all(is_first)))
}

fn refused(label: &Label, tokens: &[Token], instruction: &str) -> Refusal {
    let message = match label.named {
        Named::All => {
            "only the first image is edited; send the images one at a time, or combine them, \
             for example \"put them side by side\""
        }
        Named::Number(_) => {
            "only the first image is edited; put the one you want to edit first, or combine it \
             with another, for example \"overlay picture 2 at the top right\""
        }
        Named::One => {
            "it isn't clear what \"one\" means; name a part of the image, for example \
             \"the left half\""
        }
    };
    let (first, last) = label.span;
    let start = tokens.get(first).map_or(0, |token| token.start);
    let end = last.checked_sub(1).and_then(|last| tokens.get(last)).map_or(start, |last| last.end);
    Refusal::missing(message).quoting(instruction, [start, end])
}

fn labels<'t>(
    tokens: &'t [Token],
    instruction: &'t str,
    inputs: usize,
) -> impl Iterator<Item = Label> + 't {
    (0..tokens.len()).filter_map(move |at| {
        let word = |at: usize| tokens.get(at).map_or("", Token::word);
        let number = |at: usize| match tokens.get(at)?.kind {
            Kind::Number { value, signed: false } => Some(value),
            _ => None,
        };
        let label = |length: usize, named: Named| Some(Label { span: (at, at + length), named });
        if let Some(value) = number(at + 1)
            && NUMBERED.contains(&word(at))
            && value.fract() == 0.0
            && (1.0..=NUMBER_MAX).contains(&value)
            && unit_of(word(at + 2)) == Unit::None
            && !measures(tokens, at + 2)
        {
            return label(2, Named::Number(value));
        }
        if number(at) == Some(1.0) && said_one(tokens, at, instruction) {
            return label(1, Named::One);
        }
        let counted = SEVERAL.contains(&word(at + 1)) || IMAGES.contains(&word(at + 1));
        if number(at).is_some() && counted && number(at + 2).is_none() {
            return label(2, Named::All);
        }
        let all = inputs > 1 && (SEVERAL.contains(&word(at)) || both(tokens, at));
        if all { label(1, Named::All) } else { None }
    })
}

/// Whether the tokens after a number make it a measure: "16:9", "800 by 600", "50 / 50".
fn measures(tokens: &[Token], at: usize) -> bool {
    let joint = tokens.get(at).is_some_and(|joint| {
        joint.word() == ":" || matches!(joint.kind, Kind::Mark(':' | '/' | ','))
    });
    // "brighten picture 1 by 20%" gives an amount, not two sides.
    let by = tokens.get(at).is_some_and(|joint| joint.word() == "by")
        && unit_of(tokens.get(at + 2).map_or("", Token::word)) == Unit::None;
    (joint || by) && tokens.get(at + 1).is_some_and(|next| next.number().is_some())
}

/// Whether "both" means two images here, unlike in "both sides" or "make it both brighter and
/// sharper".
fn both(tokens: &[Token], at: usize) -> bool {
    let is = |at: usize, words: &[&str]| {
        tokens.get(at).is_some_and(|token| words.contains(&token.word()))
    };
    let ends = |token: &Token| matches!(token.kind, Kind::Mark(_));
    let before = tokens.get(..at).unwrap_or_default();
    let start = before.iter().rposition(ends).map_or(0, |mark| mark + 1);
    let clause = tokens.get(start..).unwrap_or_default().iter().take_while(|token| !ends(token));
    let next = at + 1 + usize::from(is(at + 1, &["the"]));
    is(at, &["both"])
        && !is(next, OTHERS)
        && !is(next, SETTINGS)
        && !clause.map(Token::word).any(|word| IT.contains(&word))
}

/// Whether the number is the pronoun "one".
fn said_one(tokens: &[Token], at: usize, instruction: &str) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at)).map_or("", Token::word);
    let Some(token) = tokens.get(at) else { return false };
    let said: String =
        instruction.chars().skip(token.start).take(token.end - token.start).collect();
    said.eq_ignore_ascii_case("one") && BEFORE_ONE.contains(&before)
}
