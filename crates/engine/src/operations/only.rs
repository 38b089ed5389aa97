//! Only: another edit of one of several images, before they are combined. It isn't in the table of
//! operations, because it does nothing by itself.

use crate::kernels::Size;
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use crate::{ExecuteError, Picture, Sample, Step};
use serde::{Deserialize, Serialize};

/// Limits another edit to one of several images that a later step combines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Only {
    /// The number of the image, from 1, in the order in which they were sent.
    pub picture: usize,
    /// The edit.
    pub step: Box<Step>,
}

/// The number of an image.
const NUMBER: Parameter = Parameter::new("the number of an image", "", (1.0, 64.0));

impl Described for Only {
    const CAPABILITY: Capability = Capability {
        name: "only",
        parameters: &[],
        controls: &[Control::step("step"), Control::whole("picture", "Image", NUMBER)],
        summary: "Limits an edit to one of several images.",
        definition: "The edit is applied to this image alone, before a later step joins the \
                     images or puts this one on the first one.",
        examples: &["make picture 2 black and white, then put them side by side"],
    };
}

impl Operation for Only {
    fn words(&self) -> String {
        format!("{} in picture {}", self.step.operation().words(), self.picture)
    }

    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    fn check(&self) -> Result<(), String> {
        let step = self.step.operation();
        if step.joins() || step.makes() || step.takes().is_some() || step.picks().is_some() {
            return Err(format!("\"{}\" can't be done to one image", step.words()));
        }
        NUMBER.check(self.picture as f64)?;
        step.check()
    }

    fn scale(&mut self, factor: f64) {
        self.step.operation_mut().scale(factor);
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        self.step.operation().result_size(inputs)
    }

    fn scratch_bytes(&self, input: Size, result: Size, pixel_bytes: u64) -> u64 {
        self.step.operation().scratch_bytes(input, result, pixel_bytes)
    }

    fn in_place(&self) -> bool {
        self.step.operation().in_place()
    }

    fn regional(&self) -> bool {
        false
    }

    fn picks(&self) -> Option<usize> {
        Some(self.picture)
    }

    fn finds_size(&self) -> bool {
        self.step.operation().finds_size()
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        warnings: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        self.step.apply(pictures, warnings)
    }
}
