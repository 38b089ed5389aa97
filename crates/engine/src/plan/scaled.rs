//! Plans for previews: the same edit of images whose sides are shorter.

use super::Plan;
use super::sizes::Sizing;
use crate::{Depth, Refusal};

impl Plan {
    /// The plan for images whose sides are `factor` times as long, with `factor` between 0 and 1.
    /// Its result looks like that of this plan, at a smaller size: lengths in pixels are scaled,
    /// and stay within their limits. What has a fixed size in pixels, such as grain, stays as it
    /// is.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let mut plan = self.clone();
        plan.steps.iter_mut().for_each(|step| step.operation_mut().scale(factor));
        plan
    }

    /// The longest side of any image that the plan works on or makes, in pixels, for inputs of
    /// these sizes.
    ///
    /// # Errors
    /// As [`Self::working_bytes`].
    pub fn longest_side(&self, inputs: &[(u32, u32)]) -> Result<u32, Refusal> {
        self.check()?;
        let sizing = Sizing { plan: self, depth: Depth::Eight };
        let longest = |sizes: &[(u32, u32)]| {
            sizes.iter().map(|(width, height)| *width.max(height)).max().unwrap_or(1)
        };
        let mut held = inputs.get(..self.inputs_used(inputs.len())).unwrap_or_default().to_vec();
        let mut most = longest(&held);
        for number in 0..self.steps.len() {
            held = sizing.stepped(number, &held)?.0;
            most = most.max(longest(&held));
        }
        Ok(most)
    }

    /// Whether the size of the result depends on the pixels, so that [`Self::result_size`] is only
    /// the largest possible one.
    #[must_use]
    pub fn finds_size(&self) -> bool {
        self.steps.iter().any(|step| step.operation().finds_size())
    }
}
