//! Words to plan: every word is accounted for, or the whole instruction is refused.

mod budget;
mod clause;
mod coordinates;
mod film;
mod generative;
mod ground;
mod idiom;
mod labeled;
mod labels;
mod letters;
mod listing;
mod number;
mod output;
mod quantity;
mod reader;
mod region;
mod remarks;
mod separators;
mod spelling;
mod split;
mod statement;
mod thing;
mod token;
mod vocabulary;
mod words;

use crate::limits::{INSTRUCTION_CHARS_MAX, SIDE_PX_MAX};
use crate::{Plan, Refusal};
use serde::{Deserialize, Serialize};

pub(crate) use clause::Clause;
pub use film::read_video;
pub(crate) use quantity::{Direction, Quantity, Unit};
pub(crate) use region::REGION_WORDS;
pub(crate) use thing::Thing;
pub use vocabulary::{Vocabulary, vocabulary};

/// What the request says besides the instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// How many pictures came with it; without any, the words say which picture is made.
    pub inputs: usize,
    /// The shape that the result must have, if the request names one.
    pub aspect: Option<AspectRatio>,
    /// The size in pixels that the result must have, if the request names one.
    pub size: Option<(u32, u32)>,
}

impl Default for Context {
    /// One picture and no wishes for the output.
    fn default() -> Self {
        Self { inputs: 1, aspect: None, size: None }
    }
}

/// The shape of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AspectRatio {
    /// Whatever comes out.
    Auto,
    /// Width to height.
    Ratio {
        /// Width of the shape.
        width: u32,
        /// Height of the shape.
        height: u32,
    },
}

/// Reads an instruction into a plan; pure, and within some 50 milliseconds whatever the words are.
///
/// # Errors
/// A [`Refusal`] of the whole instruction that quotes the words that stopped it.
pub fn read(instruction: &str, context: &Context) -> Result<Plan, Refusal> {
    let chars = instruction.chars().count();
    if chars > INSTRUCTION_CHARS_MAX {
        return Err(Refusal::out_of_range(format!(
            "the instruction is too long: {chars} of at most {INSTRUCTION_CHARS_MAX} characters"
        )));
    }
    budget::within(instruction, || finished(reader::steps(instruction, context)?, context))
}

/// Takes a plan that was made before in place of words: the same steps, for other pictures.
///
/// # Errors
/// A [`Refusal`] where the plan has no steps, a step that is not possible, or does not fit the
/// number of pictures.
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
    // What was understood and supposed belongs to the words that it was made of.
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

/// A number of pixels for a side: whole, at least 1, at most [`SIDE_PX_MAX`].
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be in range"
)]
pub(crate) fn whole_pixels(value: f64) -> Option<u32> {
    let fits = value >= 1.0 && value <= f64::from(SIDE_PX_MAX) && value.fract() == 0.0;
    fits.then_some(value as u32)
}

/// The text between quotation marks when a whole string is one quotation.
pub(crate) fn cut_quoted(text: &str) -> Option<String> {
    match token::cut(text).as_slice() {
        [token::Token { kind: token::Kind::Quoted(inner), .. }] => Some(inner.clone()),
        _ => None,
    }
}
