//! From an instruction to a plan.

use crate::chart::Chart;
use crate::lexicon::lexicon;
use crate::passes;
use crate::refuse;
use crate::sentence::{Outcome, sentence, steps};
use retouch_engine::limits::INSTRUCTION_CHARS_MAX;
use retouch_engine::{Context, Plan, Refusal, RefusalKind, Step};

/// Turns an instruction into a plan.
///
/// # Errors
/// A [`Refusal`] of the whole instruction that quotes the words that caused it.
pub fn read(instruction: &str, context: &Context) -> Result<Plan, Refusal> {
    within_limit(instruction)?;
    let words = passes::words(instruction, lexicon());
    let chart = Chart::new(&words.tokens, lexicon());
    match sentence(&chart, context) {
        Outcome::Read(parts) => {
            let mut plan = refuse::checked(instruction, &chart, &parts)?;
            if context.inputs == 0 && !matches!(plan.steps.first(), Some(Step::Make(_))) {
                let message = "send an image to edit, or say what to create, for example \"a plain \
                    red picture of 512x512\"";
                return Err(Refusal::missing(message));
            }
            plan.assumed.splice(0..0, words.assumed);
            plan.check()?;
            plan.unused_inputs = (1..context.inputs).filter(|input| !uses(&plan, *input)).collect();
            Ok(plan)
        }
        Outcome::Ambiguous(plans) => Err(refuse::ambiguous(instruction, &chart, &plans)),
        Outcome::Stuck(stuck) => {
            let plan = Plan::new(steps(&stuck.parts));
            let nearest = !plan.steps.is_empty() && plan.check().is_ok();
            let nearest = nearest.then(|| plan.render());
            let refusal = refuse::stuck(instruction, &chart, &stuck, nearest);
            // Without an image, unknown words describe one.
            let kind = match refusal.kind {
                RefusalKind::NotUnderstood if context.inputs == 0 => {
                    RefusalKind::NeedsGenerativeModel
                }
                kind => kind,
            };
            Err(Refusal { kind, ..refusal })
        }
    }
}

/// Refuses an instruction that is too long to be read.
pub(crate) fn within_limit(instruction: &str) -> Result<(), Refusal> {
    let chars = instruction.chars().count();
    match chars > INSTRUCTION_CHARS_MAX {
        true => Err(Refusal::out_of_range(format!(
            "the instruction is too long: {chars} of at most {INSTRUCTION_CHARS_MAX} characters"
        ))),
        false => Ok(()),
    }
}

/// Whether a step uses an input image, counted from 0.
fn uses(plan: &Plan, input: usize) -> bool {
    plan.steps.iter().any(|step| match step {
        Step::Join(_) => true,
        Step::Overlay(step) => step.picture == input + 1,
        Step::Blend(step) => step.picture == input + 1,
        Step::Mask(step) => step.picture == input + 1,
        _ => false,
    })
}
