//! Turns an instruction into a plan. Every word must have a meaning, or the whole instruction is
//! refused.

mod background_color;
mod budget;
mod camera_moves;
mod clause;
mod color_and_measure;
mod common_words;
mod coordinates;
mod edit_lists;
mod generative;
mod idiom;
mod image_labels;
mod labeled_numbers;
mod number;
mod observations;
mod output;
pub(crate) mod patterns;
pub(crate) mod phrase_lists;
mod quantity;
mod reader;
mod reasons;
mod region;
mod salutations;
mod separators;
mod spelling;
mod split;
mod token;
mod vocabulary;

use crate::limits::{INSTRUCTION_CHARS_MAX, SIDE_PX_MAX};
use crate::{Plan, Refusal};
use serde::{Deserialize, Serialize};

pub use budget::comparisons;
pub use camera_moves::read_video;
pub(crate) use clause::Clause;
pub(crate) use color_and_measure::Thing;
pub(crate) use phrase_lists::phrases;
pub(crate) use quantity::{Direction, Quantity, Unit};
pub(crate) use region::REGION_WORDS;
pub use vocabulary::{Vocabulary, vocabulary};

/// The fields of the request that affect how its instruction is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// How many images were sent. Without any, the words describe the image to create.
    pub inputs: usize,
    /// The aspect ratio that the result must have, if the request has one.
    pub aspect: Option<AspectRatio>,
    /// The size in pixels that the result must have, if the request has one.
    pub size: Option<(u32, u32)>,
}

impl Default for Context {
    /// One image, with no constraint on the output.
    fn default() -> Self {
        Self { inputs: 1, aspect: None, size: None }
    }
}

/// The aspect ratio of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AspectRatio {
    /// Whatever the edit produces.
    Auto,
    /// A fixed ratio of width to height.
    Ratio {
        /// Width of the ratio.
        width: u32,
        /// Height of the ratio.
        height: u32,
    },
}

/// Turns an instruction into a plan. This is a pure function, and it takes at most about 50
/// milliseconds for any words.
///
/// # Errors
/// A [`Refusal`] of the whole instruction that quotes the words that caused it.
pub fn read(instruction: &str, context: &Context) -> Result<Plan, Refusal> {
    let chars = instruction.chars().count();
    if chars > INSTRUCTION_CHARS_MAX {
        return Err(Refusal::out_of_range(format!(
            "the instruction is too long: {chars} of at most {INSTRUCTION_CHARS_MAX} characters"
        )));
    }
    budget::within(instruction, || finished(reader::steps(instruction, context)?, context))
}

/// Prepares an earlier plan, instead of an instruction, to be run on other images.
///
/// # Errors
/// A [`Refusal`] if the plan has no steps, has an impossible step, or doesn't fit the number of
/// images.
pub fn replay(plan: Plan, context: &Context) -> Result<Plan, Refusal> {
    let misfit = match context.inputs {
        _ if plan.steps.is_empty() => {
            let message = "the plan has no steps, so there is nothing to do";
            return Err(Refusal::new(crate::RefusalKind::AsksForNothing, message));
        }
        0 if !plan.makes() => Some("this plan edits an image, but none was sent"),
        1.. if plan.makes() => Some("this plan creates an image; send it without one"),
        1 if plan.joins() => Some("this plan combines images; send at least two"),
        _ => None,
    };
    if let Some(message) = misfit {
        return Err(Refusal::missing(message));
    }
    // What was understood and assumed belongs to the original instruction, so it is dropped.
    finished(Plan { version: plan.version, ..Plan::new(plan.steps) }, context)
}

fn finished(mut plan: Plan, context: &Context) -> Result<Plan, Refusal> {
    if context.inputs > 0 {
        output::add(&mut plan, context);
    }
    plan.check()?;
    plan.unused_inputs = (1..context.inputs).filter(|input| !plan.uses(*input)).collect();
    Ok(plan)
}

/// Converts a number to the pixels of a side: whole, at least 1 and at most [`SIDE_PX_MAX`].
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be in range"
)]
pub(crate) fn whole_pixels(value: f64) -> Option<u32> {
    let fits = value >= 1.0 && value <= f64::from(SIDE_PX_MAX) && value.fract() == 0.0;
    fits.then_some(value as u32)
}

/// The text between the quotation marks, if the whole string is one quotation.
pub(crate) fn cut_quoted(text: &str) -> Option<String> {
    match token::cut(text).as_slice() {
        [token::Token { kind: token::Kind::Quoted(inner), .. }] => Some(inner.clone()),
        _ => None,
    }
}
