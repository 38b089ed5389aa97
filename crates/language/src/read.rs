//! From an instruction to a plan.

use crate::chart::Chart;
use crate::passes;
use crate::refuse;
use crate::sentence::{Outcome, sentence};
use retouch_engine::limits::INSTRUCTION_CHARS_MAX;
use retouch_engine::{Context, Plan, Refusal, RefusalKind, Step};

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
            if context.inputs == 0 && !matches!(plan.steps.first(), Some(Step::Make(_))) {
                let message = "send an image to edit, or say what to create, for example \"a plain \
                    red picture of 512x512\"";
                return Err(Refusal::missing(message));
            }
            plan.assumed.splice(0..0, words.assumed);
            plan.finish(context)
        }
        Outcome::Ambiguous(plans) => Err(refuse::ambiguous(instruction, &chart, &plans)),
        Outcome::Stuck(stuck) => {
            let refusal = refuse::stuck(instruction, &chart, &stuck);
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
