//! Videos without a picture: the words also say which one to make and film.

use super::super::token::{self, Kind, Token};
use super::super::{AspectRatio, Context, read};
use super::{Film, move_words};
use crate::video::VideoContext;
use crate::{Plan, Refusal, RefusalKind};

/// Words between the moves and the picture.
const BETWEEN: &[&str] = &[
    "on", "onto", "over", "across", "of", "through", "around", "into", "with", "and", "while",
    "then",
];
/// Places at which an instruction is tried to be split.
const TRIES_MAX: usize = 24;
/// Of each, how many later places at which the picture may end.
const LATER_TRIES_MAX: usize = 2;

/// Splits an instruction into what the camera does and which picture it films.
pub(super) fn split(
    instruction: &str,
    context: &VideoContext,
) -> Result<(Film, Option<Plan>), Refusal> {
    let tokens = token::cut(instruction);
    let between = tokens.iter().filter(|token| is_between(token)).take(TRIES_MAX);
    let mut refusal = None;
    for token in between {
        let part = |from: usize, to: usize| {
            instruction.chars().skip(from).take(to.saturating_sub(from)).collect::<String>()
        };
        let (left, right) = (part(0, token.start), part(token.end, usize::MAX));
        let mut tries = vec![(left.clone(), right.clone()), (right, left.clone())];
        // "zoom in on a gradient from red to blue, then fade out"
        let later = tokens.iter().filter(|later| later.word() == "then" && later.start > token.end);
        tries.extend(later.take(LATER_TRIES_MAX).map(|later| {
            let rest = part(later.end, usize::MAX);
            (format!("{left}, then {rest}"), part(token.end, later.start))
        }));
        for (moves, picture) in &tries {
            let Ok(film) = Film::read(moves) else { continue };
            match described(picture, context) {
                Ok(plan) => return Ok((film, Some(plan))),
                Err(other) => refusal = refusal.or(Some(other)),
            }
        }
    }
    Err(refused(instruction, refusal))
}

/// Reads the description of the picture. A size in its words counts for the picture alone; the
/// video is cut to its own shape.
fn described(picture: &str, context: &VideoContext) -> Result<Plan, Refusal> {
    let wanted = picture_context(context);
    match read(picture, &wanted) {
        Err(refusal) if refusal.kind == RefusalKind::Contradiction => {
            read(picture, &Context { inputs: 0, ..Context::default() })
        }
        other => other,
    }
}

fn is_between(token: &Token) -> bool {
    BETWEEN.contains(&token.word()) || matches!(token.kind, Kind::Mark(',' | '.' | ';' | ':'))
}

/// The picture is made in the shape of the video, which is wide unless the request says otherwise.
fn picture_context(context: &VideoContext) -> Context {
    let wide = AspectRatio::Ratio { width: 16, height: 9 };
    let aspect = context.aspect.filter(|aspect| *aspect != AspectRatio::Auto);
    Context { inputs: 0, aspect: Some(aspect.unwrap_or(wide)), size: context.size }
}

fn refused(instruction: &str, refusal: Option<Refusal>) -> Refusal {
    let end = instruction.chars().count();
    if Film::read(instruction).is_ok() {
        let message = "there is no image to film; add one, or describe a plain image to create, \
                       for example \"zoom in on a gradient from red to blue\"";
        return Refusal::missing(message).quoting(instruction, [0, end]);
    }
    let plain = read(instruction, &Context { inputs: 0, ..Context::default() });
    if plain.is_ok() {
        return Refusal::missing(move_words::HOW).quoting(instruction, [0, end]);
    }
    let quoted = refusal.map_or_else(|| instruction.trim().to_owned(), |other| other.words);
    let message = format!(
        "\"{quoted}\" needs a model that can generate video; the built-in editor moves a camera \
         over your image or a plain one, for example \"zoom in on a gradient from red to blue\""
    );
    let from = instruction
        .find(&quoted)
        .map_or(0, |at| instruction.get(..at).map_or(0, |before| before.chars().count()));
    let to = (from + quoted.chars().count()).min(end);
    Refusal::new(RefusalKind::NeedsGenerativeModel, message).quoting(instruction, [from, to])
}
