//! From an instruction to a plan.

use crate::chart::Chart;
use crate::passes;
use crate::refuse;
use crate::sentence::{Outcome, sentence};
use retouch_engine::limits::INSTRUCTION_CHARS_MAX;
use retouch_engine::{Context, Plan, Refusal};

/// Turns an instruction into a plan.
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
    let words = passes::words(instruction);
    let chart = Chart::new(&words.tokens);
    match sentence(&chart, context) {
        Outcome::Read(parts) => {
            let mut plan = refuse::checked(instruction, &chart, &parts)?;
            plan.assumed.splice(0..0, words.assumed);
            plan.check()?;
            plan.unused_inputs = (1..context.inputs).filter(|input| !uses(&plan, *input)).collect();
            Ok(plan)
        }
        Outcome::Ambiguous(plans) => Err(refuse::ambiguous(instruction, &chart, &plans)),
        Outcome::Stuck(stuck) => Err(refuse::stuck(instruction, &chart, stuck)),
    }
}

/// Whether a step uses an input image, counted from 0.
fn uses(plan: &Plan, input: usize) -> bool {
    plan.steps.iter().any(|step| match step {
        retouch_engine::Step::Join(_) => true,
        retouch_engine::Step::Overlay(step) => step.picture == input + 1,
        retouch_engine::Step::Blend(step) => step.picture == input + 1,
        retouch_engine::Step::Mask(step) => step.picture == input + 1,
        _ => false,
    })
}
