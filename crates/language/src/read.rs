//! From an instruction to a plan.

use crate::build::whole_dpi;
use crate::chart::Chart;
use crate::lexicon::{Lexicon, lexicon};
use crate::passes::spelling::means;
use crate::passes::{self, Words};
use crate::refuse;
use crate::sentence::{Outcome, sentence, steps};
use crate::value::Category;
use retouch_engine::limits::INSTRUCTION_CHARS_MAX;
use retouch_engine::{Context, Plan, Refusal, RefusalKind, Saving, Step};

/// The most words of an instruction whose misspelled words are tried, and the most tries.
const UNSURE_TOKENS_MAX: usize = 60;
const TRIES_MAX: usize = 12;

/// Turns an instruction into a plan.
///
/// # Errors
/// A [`Refusal`] of the whole instruction that quotes the words that caused it.
pub fn read(instruction: &str, context: &Context) -> Result<Plan, Refusal> {
    let read = |words: &Words| read_words(instruction, words, context);
    spelled(instruction, lexicon(), read, |one, other| one.steps == other.steps)
}

/// Reads an instruction. If that fails, tries what misspelled words may be. If several plans come of
/// it, nobody could tell which is meant.
pub(crate) fn spelled<P>(
    instruction: &str,
    lexicon: &'static Lexicon,
    read: impl Fn(&Words) -> Result<P, Refusal>,
    same: impl Fn(&P, &P) -> bool,
) -> Result<P, Refusal> {
    let chars = instruction.chars().count();
    if chars > INSTRUCTION_CHARS_MAX {
        return Err(Refusal::out_of_range(format!(
            "the instruction is too long: {chars} of at most {INSTRUCTION_CHARS_MAX} characters"
        )));
    }
    let words = passes::words(instruction, lexicon);
    read(&words).or_else(|refusal| {
        let tries = spellings(&words);
        let mut plans = tries.iter().filter_map(|words| read(words).ok());
        let plan = plans.next().ok_or_else(|| refusal.clone())?;
        if plans.all(|other| same(&other, &plan)) { Ok(plan) } else { Err(refusal) }
    })
}

/// The words with each correction of those that are misspelled, if that is few.
fn spellings(words: &Words) -> Vec<Words> {
    if words.unsure.is_empty() || words.tokens.len() > UNSURE_TOKENS_MAX {
        return Vec::new();
    }
    let mut tries = vec![Words { unsure: Vec::new(), ..words.clone() }];
    for (span, candidates) in &words.unsure {
        tries = tries
            .into_iter()
            .flat_map(|words| {
                candidates.iter().map(move |found| corrected(words.clone(), *span, found))
            })
            .take(TRIES_MAX + 1)
            .collect();
    }
    if tries.len() > TRIES_MAX { Vec::new() } else { tries }
}

/// The words with a correction.
fn corrected(mut words: Words, span: [usize; 2], found: &str) -> Words {
    if let Some(token) = words.tokens.iter_mut().find(|token| token.span == span) {
        words.assumed.push(means(&token.text, found));
        found.clone_into(&mut token.text);
    }
    words
}

fn read_words(instruction: &str, words: &Words, context: &Context) -> Result<Plan, Refusal> {
    let chart = Chart::new(&words.tokens, words.lexicon);
    match sentence(&chart, context) {
        Outcome::Read(parts) => {
            let mut plan = refuse::checked(instruction, &chart, &parts)?;
            plan.output = resolved(plan.output, words.dpi)?;
            if context.inputs == 0 && !matches!(plan.steps.first(), Some(Step::Make(_))) {
                return Err(no_image(instruction));
            }
            plan.assumed.splice(0..0, words.assumed.iter().cloned());
            plan.finish(context)
        }
        Outcome::Ambiguous(plans) => Err(refuse::ambiguous(instruction, &chart, &plans)),
        Outcome::Stuck(_) if context.inputs == 0 && edits_an_image(&chart, context) => {
            Err(no_image(instruction))
        }
        Outcome::Stuck(stuck) => {
            let plan = Plan::new(steps(&stuck.parts));
            // After a correction, what was read may be what is not wanted.
            let corrected = (0..chart.tokens.len())
                .flat_map(|at| chart.at(at))
                .any(|edge| edge.category == Category::Correction);
            let is_sure = !corrected && stuck.is_apart(&chart);
            let nearest = !plan.steps.is_empty() && plan.check().is_ok() && is_sure;
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

/// How the result is saved if it has a resolution.
fn resolved(output: Option<Saving>, dpi: Option<f64>) -> Result<Option<Saving>, Refusal> {
    let Some(dpi) = dpi else { return Ok(output) };
    let resolved = Saving { dpi: Some(whole_dpi(dpi)?), ..Saving::default() };
    output.unwrap_or_default().with(resolved).map(Some)
}

/// Whether an image is all that is missing.
fn edits_an_image(chart: &Chart<'_>, context: &Context) -> bool {
    matches!(sentence(chart, &Context { inputs: 1, ..*context }), Outcome::Read(_))
}

fn no_image(instruction: &str) -> Refusal {
    let message = "send an image to edit, or say what to create, for example \"a plain red picture \
        of 512x512\"";
    Refusal::missing(message).quoting(instruction, [0, instruction.chars().count()])
}
