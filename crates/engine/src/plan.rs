//! The plan of an edit: typed, versioned data that can be replayed and written out in plain words.

mod cost;
mod finish;
mod people;
mod saving;
mod scaled;
mod sizes;

use crate::kernels::Size;
use crate::limits::STEPS_MAX;
use crate::{Depth, Refusal, Step};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use saving::{FileFormat, Saving};
pub(crate) use sizes::Reach;
use sizes::Sizing;

/// The only supported value of [`Plan::version`]; plans of other versions are refused.
pub const PLAN_VERSION: u32 = 1;

/// The steps of one edit, in order, and the words that each of them came from.
///
/// If a step joins several images, the steps before it are applied to every input. Otherwise only
/// the first input is edited, and a step may overlay another, unedited input on it. If the first
/// step creates an image, there is no input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The version of this format: [`PLAN_VERSION`].
    pub version: u32,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// How the result is saved, if the words say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Saving>,
    /// How each part of the instruction was understood.
    #[serde(default)]
    pub understood: Vec<Understood>,
    /// What the editor had to assume, such as amounts and corrected spelling.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// Inputs that no step uses, counted from 0.
    #[serde(default)]
    pub unused_inputs: Vec<usize>,
}

/// One part of the instruction and how it was understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Understood {
    /// Start and end in the instruction, counted in Unicode scalar values.
    pub span: [usize; 2],
    /// The words as written.
    pub words: String,
    /// The step that they became. `None` for words that change nothing ("don't touch the colors").
    pub step: Option<usize>,
}

impl Plan {
    /// Makes a plan that has only steps.
    #[must_use]
    pub const fn new(steps: Vec<Step>) -> Self {
        Self {
            version: PLAN_VERSION,
            steps,
            output: None,
            understood: Vec::new(),
            assumed: Vec::new(),
            unused_inputs: Vec::new(),
        }
    }

    /// The plan as JSON.
    ///
    /// # Errors
    /// If a number in it is not finite.
    // Here and not where it is used, because every crate would compile it again for each operation.
    pub fn to_json(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    /// Reads what [`Self::to_json`] wrote. Unknown fields are ignored.
    ///
    /// # Errors
    /// If it is not a plan.
    pub fn from_json(plan: &Value) -> serde_json::Result<Self> {
        Self::deserialize(plan)
    }

    /// The plan in plain words. Reading them again gives the same plan.
    #[must_use]
    pub fn render(&self) -> String {
        self.words().join(", then ")
    }

    /// Each step in plain words, in order, and how the result is saved.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let steps = self.steps.iter().map(|step| step.operation().words());
        steps.chain(self.output.map(Saving::words)).collect()
    }

    /// Each step as people read it: like [`Self::words`], with rounded numbers.
    #[must_use]
    pub fn shown(&self) -> Vec<String> {
        self.words().iter().map(|words| people::for_people(words)).collect()
    }

    /// What the editor assumed, as people read it: [`Self::assumed`] with rounded numbers.
    #[must_use]
    pub fn shown_assumptions(&self) -> Vec<String> {
        self.assumed.iter().map(|words| people::for_people(words)).collect()
    }

    /// Checks every parameter, so that a plan from a client is as safe as one read from words.
    ///
    /// # Errors
    /// A [`Refusal`] that names the first parameter outside its limits, and the limits.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.version != PLAN_VERSION {
            return Err(Refusal::out_of_range(format!(
                "the plan has version {}, but this editor supports only version {PLAN_VERSION}",
                self.version
            )));
        }
        if self.steps.len() > STEPS_MAX {
            return Err(Refusal::out_of_range(format!(
                "the plan has {} steps; the limit is {STEPS_MAX}",
                self.steps.len()
            )));
        }
        if let Some(late) = self.steps.iter().skip(1).position(|step| step.operation().makes()) {
            let message = "only the first step can create an image".to_owned();
            return Err(self.refused(late + 1, message));
        }
        if let Some(idle) = (0..self.steps.len()).find(|number| self.is_idle(*number)) {
            let message = "no later step uses this image, so the edit would be lost".to_owned();
            return Err(self.refused(idle, message));
        }
        self.output.map_or(Ok(()), Saving::check)?;
        self.steps.iter().enumerate().try_for_each(|(number, step)| {
            step.operation().check().map_err(|message| self.refused(number, message))
        })
    }

    /// The peak memory of images with 8 bits per channel while the plan runs, inputs included, in
    /// bytes.
    ///
    /// # Errors
    /// A [`Refusal`] if a parameter is out of range, a step is impossible for images of these sizes
    /// (width and height in pixels), or a result would exceed the limits.
    pub fn working_bytes(&self, inputs: &[(u32, u32)]) -> Result<u64, Refusal> {
        let inputs: Vec<_> = inputs.iter().map(|size| (*size, Depth::Eight)).collect();
        self.working_bytes_any(&inputs)
    }

    /// The peak memory of the steps from `start` on, in bytes, given the images held before it.
    pub(crate) fn bytes_from(
        &self,
        start: usize,
        held: &[Size],
        depth: Depth,
    ) -> Result<u64, Refusal> {
        let sizing = Sizing { plan: self, depth };
        let (mut held, mut most_bytes) = (held.to_vec(), sizing.bytes(held));
        for number in start..self.steps.len() {
            let (next, step_bytes) = sizing.stepped(number, &held)?;
            most_bytes = most_bytes.max(step_bytes);
            held = next;
        }
        Ok(most_bytes)
    }

    /// The size of the result for inputs of these sizes. If a step crops by pixel content (see
    /// `trim`), this is the largest possible size.
    ///
    /// # Errors
    /// As [`Self::working_bytes`].
    pub fn result_size(&self, inputs: &[(u32, u32)]) -> Result<(u32, u32), Refusal> {
        self.check()?;
        let mut held = inputs.get(..self.inputs_used(inputs.len())).unwrap_or_default().to_vec();
        let sizing = Sizing { plan: self, depth: Depth::Eight };
        for number in 0..self.steps.len() {
            held = sizing.stepped(number, &held)?.0;
        }
        Ok(held.first().copied().unwrap_or((1, 1)))
    }

    /// Whether the first step creates the image that the other steps edit.
    pub(crate) fn makes(&self) -> bool {
        self.steps.first().is_some_and(|step| step.operation().makes())
    }

    /// Whether a step joins several images into one.
    pub(crate) fn joins(&self) -> bool {
        self.steps.iter().any(|step| step.operation().joins())
    }

    /// Whether a step edits one of several images that no later step uses.
    fn is_idle(&self, number: usize) -> bool {
        let mut steps = self.steps.iter().skip(number).map(Step::operation);
        let Some(picked) = steps.next().and_then(|step| step.picks()) else { return false };
        !steps.any(|step| step.joins() || step.takes() == Some(picked))
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
