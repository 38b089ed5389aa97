//! What will be done, as data: typed, versioned, replayable, and back in plain words.

use crate::limits::{PIXEL_BYTES, PIXELS_MAX, SIDE_PX_MAX, STEPS_MAX};
use crate::step::Size;
use crate::{Refusal, Step};
use serde::{Deserialize, Serialize};

/// The version that [`Plan::version`] carries; a plan of another version is refused.
pub const PLAN_VERSION: u32 = 1;

/// The steps of one edit, in order, with where they come from.
///
/// Where a step joins several pictures, the steps before it are done to every input; without
/// one, only the first input is edited. Where the first step makes a picture, there is no input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The version of this shape: 1.
    pub version: u32,
    /// What is done, in order.
    pub steps: Vec<Step>,
    /// Which words were understood as what.
    #[serde(default)]
    pub understood: Vec<Understood>,
    /// What had to be supposed: amounts, corrected spelling.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// Inputs that no step uses, counted from 0.
    #[serde(default)]
    pub unused_inputs: Vec<usize>,
}

/// One part of the instruction and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Understood {
    /// Start and end in the instruction, counted in Unicode scalar values.
    pub span: [usize; 2],
    /// The words as they were written.
    pub words: String,
    /// The step that they became; none for words that change nothing ("don't touch the colours").
    pub step: Option<usize>,
}

impl Plan {
    /// Makes a plan of steps alone.
    #[must_use]
    pub const fn new(steps: Vec<Step>) -> Self {
        Self {
            version: PLAN_VERSION,
            steps,
            understood: Vec::new(),
            assumed: Vec::new(),
            unused_inputs: Vec::new(),
        }
    }

    /// The plan in plain words; reading them gives the same steps.
    #[must_use]
    pub fn render(&self) -> String {
        self.words().join(", then ")
    }

    /// Each step in plain words, in order.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        self.steps.iter().map(|step| step.operation().words()).collect()
    }

    /// Checks every parameter, so that a plan from outside is as good as one that was read.
    ///
    /// # Errors
    /// A [`Refusal`] that names the first parameter outside its limits, with the limits.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.version != PLAN_VERSION {
            return Err(Refusal::out_of_range(format!(
                "the plan has version {}; this editor does version {PLAN_VERSION}",
                self.version
            )));
        }
        if self.steps.len() > STEPS_MAX {
            return Err(Refusal::out_of_range(format!(
                "the plan has {} steps; at most {STEPS_MAX} are done in one edit",
                self.steps.len()
            )));
        }
        if let Some(late) = self.steps.iter().skip(1).position(|step| step.operation().makes()) {
            let message = "only the first step can make a picture out of nothing".to_owned();
            return Err(self.refused(late + 1, message));
        }
        self.steps.iter().enumerate().try_for_each(|(number, step)| {
            step.operation().check().map_err(|message| self.refused(number, message))
        })
    }

    /// The most bytes that pictures take at once while the plan runs, inputs included.
    ///
    /// # Errors
    /// A [`Refusal`] when a parameter is out of range, a step cannot be done to pictures of these
    /// sizes (width and height in pixels), or a result would be over the limits.
    pub fn working_bytes(&self, inputs: &[(u32, u32)]) -> Result<u64, Refusal> {
        self.check()?;
        let mut held = inputs.to_vec();
        let mut most_bytes = bytes(&held);
        held.truncate(self.inputs_used(held.len()));
        for (number, step) in self.steps.iter().enumerate() {
            let groups = groups(step, &held);
            let mut results = Vec::with_capacity(groups.len());
            for group in groups {
                let result = self.result(number, group)?;
                let input = group.iter().copied().max_by_key(|size| area(*size)).unwrap_or((1, 1));
                let operation = step.operation();
                let new = if operation.in_place() { 0 } else { area(result) * PIXEL_BYTES };
                let scratch = operation.scratch_bytes(input, result);
                // Others of the group before are done already, those after are still as they were.
                let others = bytes(&held).max(bytes(&results) + bytes(&held));
                most_bytes = most_bytes.max(others + new + scratch);
                results.push(result);
            }
            held = results;
        }
        Ok(most_bytes)
    }

    /// The size of the picture that comes out, for inputs of these sizes.
    ///
    /// # Errors
    /// As [`Self::working_bytes`].
    pub fn result_size(&self, inputs: &[(u32, u32)]) -> Result<(u32, u32), Refusal> {
        self.check()?;
        let mut held = inputs.to_vec();
        held.truncate(self.inputs_used(held.len()));
        for (number, step) in self.steps.iter().enumerate() {
            held = groups(step, &held)
                .into_iter()
                .map(|group| self.result(number, group))
                .collect::<Result<_, _>>()?;
        }
        Ok(held.first().copied().unwrap_or((1, 1)))
    }

    /// How many of so many inputs the plan works on.
    pub(crate) fn inputs_used(&self, inputs: usize) -> usize {
        if self.makes() {
            return 0;
        }
        if self.joins() { inputs } else { inputs.min(1) }
    }

    /// Whether the first step makes the picture that the others work on.
    pub(crate) fn makes(&self) -> bool {
        self.steps.first().is_some_and(|step| step.operation().makes())
    }

    /// Whether a step makes one picture of several.
    pub(crate) fn joins(&self) -> bool {
        self.steps.iter().any(|step| step.operation().joins())
    }

    fn result(&self, number: usize, group: &[Size]) -> Result<Size, Refusal> {
        let Some(step) = self.steps.get(number) else { return Ok((1, 1)) };
        let (width, height) =
            step.operation().result_size(group).map_err(|message| self.refused(number, message))?;
        let side_max = u64::from(SIDE_PX_MAX);
        let pixels = width.checked_mul(height);
        if width > side_max || height > side_max || pixels.is_none_or(|pixels| pixels > PIXELS_MAX)
        {
            let message = format!(
                "the result would be {width}x{height} pixels; at most {SIDE_PX_MAX} a side and {PIXELS_MAX} in all are possible"
            );
            return Err(self.refused(number, message));
        }
        Ok((u32::try_from(width).unwrap_or(1), u32::try_from(height).unwrap_or(1)))
    }

    /// A refusal that quotes the words of a step.
    fn refused(&self, number: usize, message: String) -> Refusal {
        let mut refusal = Refusal::out_of_range(message);
        if let Some(found) = self.understood.iter().find(|found| found.step == Some(number)) {
            refusal.words.clone_from(&found.words);
            refusal.span = found.span;
        }
        refusal
    }
}

/// What a step gets at a time: all pictures, or each for itself.
fn groups<'s>(step: &Step, held: &'s [Size]) -> Vec<&'s [Size]> {
    let operation = step.operation();
    if operation.joins() || operation.makes() { vec![held] } else { held.chunks(1).collect() }
}

fn area(size: Size) -> u64 {
    u64::from(size.0) * u64::from(size.1)
}

fn bytes(sizes: &[Size]) -> u64 {
    sizes.iter().map(|size| area(*size) * PIXEL_BYTES).sum()
}
