//! Words to the plan of a video: what a camera does over one still picture.

mod created_image;
mod move_words;
mod one_move;
mod timing;

use super::clause::Clause;
use super::split;
use super::token::{self, Token};
use super::{AspectRatio, budget, number};
use crate::limits::INSTRUCTION_CHARS_MAX;
use crate::video::{Frame, Move, VIDEO_PLAN_VERSION, VideoContext, VideoPlan};
use crate::{Refusal, RefusalKind};
use one_move::Beat;

/// Reads an instruction into the plan of a video; pure, and within some 50 milliseconds whatever
/// the words are.
///
/// # Errors
/// A [`Refusal`] of the whole instruction that quotes the words that stopped it.
pub fn read_video(instruction: &str, context: &VideoContext) -> Result<VideoPlan, Refusal> {
    let chars = instruction.chars().count();
    if chars > INSTRUCTION_CHARS_MAX {
        return Err(Refusal::out_of_range(format!(
            "the instruction is too long: {chars} of at most {INSTRUCTION_CHARS_MAX} characters"
        )));
    }
    budget::within(instruction, || read_within(instruction, context))
}

fn read_within(instruction: &str, context: &VideoContext) -> Result<VideoPlan, Refusal> {
    let (film, still) = match context.inputs {
        0 => created_image::split(instruction, context)?,
        _ => (Film::read(instruction)?, None),
    };
    let mut assumed = film.assumed.clone();
    let timing = timing::timing(&film, context, &mut assumed)?;
    let mut plan = VideoPlan {
        version: VIDEO_PLAN_VERSION,
        phases: timing.phases,
        fade_in_ms: timing.fade_in_ms,
        fade_out_ms: timing.fade_out_ms,
        duration_ms: timing.duration_ms,
        frames_per_second: film.frames_per_second.unwrap_or(30),
        frame: frame(context),
        still,
        assumed,
        unused_inputs: (1..context.inputs).collect(),
    };
    plan.assumed.extend(plan.still.iter().flat_map(|still| still.assumed.clone()));
    let end = instruction.chars().count();
    plan.check().map_err(|refusal| refusal.quoting(instruction, [0, end]))?;
    Ok(plan)
}

fn frame(context: &VideoContext) -> Frame {
    match (context.size, context.aspect) {
        (Some((width, height)), _) => Frame::Size { width, height },
        (None, Some(AspectRatio::Ratio { width, height })) => Frame::Ratio { width, height },
        _ => Frame::Picture,
    }
}

/// What the words ask for, before times are settled.
#[derive(Debug, Clone, Default)]
struct Film {
    /// One after the other.
    phases: Vec<Scene>,
    fade_in: Option<Fade>,
    fade_out: Option<Fade>,
    seconds: Option<f64>,
    frames_per_second: Option<u32>,
    assumed: Vec<String>,
}

/// What happens at the same time.
#[derive(Debug, Clone, Default)]
struct Scene {
    moves: Vec<Move>,
    seconds: Option<f64>,
}

/// A fade and how long it takes, if the words say.
#[derive(Debug, Clone, Copy)]
struct Fade {
    seconds: Option<f64>,
    pace: f64,
}

impl Film {
    /// Reads the whole instruction: every word has its place, or it is refused.
    fn read(instruction: &str) -> Result<Self, Refusal> {
        let tokens = number::join_number_words(&token::cut(instruction));
        let mut film = Self::default();
        let mut before = None;
        for piece in split::pieces(&tokens, move_words::JOINTS) {
            let part = tokens.get(piece.start..piece.end).unwrap_or_default();
            let quote = |refusal: Refusal| {
                let span = [
                    part.first().map_or(0, |token| token.start),
                    part.last().map_or(0, |token| token.end),
                ];
                refusal.quoting(instruction, span)
            };
            let mut clause = Clause::new(part.iter().collect());
            let beat = one_move::read(&mut clause, before.as_ref());
            let out_of_range =
                matches!(&beat, Err(refusal) if refusal.kind == RefusalKind::OutOfRange);
            if let Some((from, _)) = clause.leftover().filter(|_| !out_of_range) {
                return Err(stopped(instruction, part, from));
            }
            let beat = beat.map_err(quote)?;
            film.assumed.append(&mut clause.assumed);
            film.take(&beat, piece.strong).map_err(quote)?;
            before = beat.name.is_some().then_some(beat).or(before);
        }
        match film.is_empty() {
            true => Err(Refusal::missing(move_words::HOW)
                .quoting(instruction, [0, instruction.chars().count()])),
            false => Ok(film),
        }
    }

    /// Whether nothing says what the camera does.
    fn is_empty(&self) -> bool {
        self.phases.is_empty() && self.fade_in.is_none() && self.fade_out.is_none()
    }

    /// Adds what one piece of the instruction says.
    fn take(&mut self, beat: &Beat, strong: bool) -> Result<(), Refusal> {
        self.seconds = once(self.seconds, beat.whole_seconds, "the length of the video")?;
        self.frames_per_second =
            once(self.frames_per_second, beat.frames_per_second, "the frame rate")?;
        self.fade_in = beat.fade_in.or(self.fade_in);
        self.fade_out = beat.fade_out.or(self.fade_out);
        if beat.holds {
            self.phases.push(Scene { moves: Vec::new(), seconds: beat.seconds });
        }
        let Some(step) = beat.step else { return Ok(()) };
        if strong || self.phases.is_empty() {
            self.phases.push(Scene { moves: vec![step], seconds: beat.seconds });
            return Ok(());
        }
        let Some(scene) = self.phases.last_mut() else { return Ok(()) };
        if scene.moves.iter().any(|other| one_move::same_kind(*other, step)) {
            return Err(Refusal::contradiction(
                "the camera can't do both at the same time; put \"then\" between them or \
                 choose one",
            ));
        }
        scene.seconds = once(scene.seconds, beat.seconds, "the length of the moves")?;
        scene.moves.push(step);
        Ok(())
    }
}

/// One value, or the only one that was said.
fn once<T: PartialEq>(old: Option<T>, new: Option<T>, what: &str) -> Result<Option<T>, Refusal> {
    match (old, new) {
        (Some(old), Some(new)) if old != new => {
            Err(Refusal::contradiction(format!("{what} is given twice with different values")))
        }
        (old, new) => Ok(new.or(old)),
    }
}

/// A refusal that quotes words that no camera can do.
fn stopped(instruction: &str, tokens: &[Token], from: usize) -> Refusal {
    let start = tokens.get(from).map_or(0, |token| token.start);
    let end = tokens.last().map_or(start, |token| token.end);
    let quoted =
        Refusal::new(RefusalKind::NeedsGenerativeModel, "").quoting(instruction, [start, end]);
    let message = format!(
        "\"{}\" needs a model that can generate video; the built-in editor moves a camera over one \
         still image (zoom, pan, rotate, fade), for example \"zoom in slowly, then fade out\"",
        quoted.words
    );
    Refusal { message, ..quoted }
}
