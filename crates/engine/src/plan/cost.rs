//! What a plan costs in memory: for pictures of any depth, and as a number that people can compare.

use super::Plan;
use super::sizes::{Sizing, area};
use crate::step::Size;
use crate::{Depth, Refusal};

/// Width and height in pixels, and the depth.
type Shape = ((u32, u32), Depth);

/// The size that costs are stated for: 12 megapixels, as cameras of telephones take them.
const STATED_FOR: (u32, u32) = (4000, 3000);

impl Plan {
    /// As [`Self::working_bytes`], for pictures of any depth: all that are used take the depth of
    /// the deepest, and the result becomes one of 8 bits a channel.
    ///
    /// # Errors
    /// As [`Self::working_bytes`].
    pub fn working_bytes_any(&self, inputs: &[((u32, u32), Depth)]) -> Result<u64, Refusal> {
        self.check()?;
        let used = inputs.get(..self.inputs_used(inputs.len())).unwrap_or_default();
        let sizes: Vec<Size> = used.iter().map(|(size, _)| *size).collect();
        let depth = used.iter().map(|(_, depth)| *depth).max().unwrap_or_default();
        let sent_bytes: u64 = inputs.iter().map(bytes).sum();
        let steps_bytes = self.bytes_from(0, &sizes, depth)?;
        // One picture after the other gets the depth of all; the result loses it.
        let sizing = Sizing { plan: self, depth };
        let shallow = used.iter().filter(|(_, own)| *own != depth);
        let widened_bytes = sizing.bytes(&sizes) + shallow.map(bytes).max().unwrap_or(0);
        let result = self.result_size(&sizes)?;
        let narrowed_bytes = match depth {
            Depth::Eight => 0,
            Depth::Sixteen => bytes(&(result, depth)) + bytes(&(result, Depth::Eight)),
        };
        Ok(sent_bytes.max(steps_bytes).max(widened_bytes).max(narrowed_bytes))
    }

    /// The most bytes for each pixel of the inputs, or of the picture that is made, while the plan
    /// runs on so many pictures of 4000 by 3000 pixels: [`Self::working_bytes_any`] over their
    /// pixels. What documents state for an operation is this of its first example.
    ///
    /// # Errors
    /// As [`Self::working_bytes`].
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    pub fn bytes_a_pixel(&self, inputs: usize, depth: Depth) -> Result<f64, Refusal> {
        if self.makes() {
            let made = self.result_size(&[])?;
            return Ok(self.working_bytes(&[])? as f64 / area(made) as f64);
        }
        let bytes = self.working_bytes_any(&vec![(STATED_FOR, depth); inputs])?;
        Ok(bytes as f64 / (area(STATED_FOR) * inputs.max(1) as u64) as f64)
    }
}

/// What one picture takes.
fn bytes((size, depth): &Shape) -> u64 {
    area(*size) * depth.pixel_bytes()
}
