//! How much memory a plan needs: for images of any depth, and per pixel, for documentation.

use super::Plan;
use super::sizes::{Sizing, area};
use crate::kernels::Size;
use crate::{Depth, Refusal};

/// Width and height in pixels, and the depth of the channels.
type Shape = ((u32, u32), Depth);

/// The image size for which documents state the memory: 12 megapixels, as from a phone camera.
const STATED_FOR: (u32, u32) = (4000, 3000);

impl Plan {
    /// Like [`Self::working_bytes`], for images of any depth. All images that the plan uses are
    /// converted to the greatest depth among them, and the result to 8 bits per channel.
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
        // Images are converted one at a time: first to the common depth, at the end back to 8 bits.
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

    /// The peak memory in bytes per pixel of the inputs, for `inputs` images of 4000x3000 pixels:
    /// [`Self::working_bytes_any`] divided by their pixels. For a plan that creates its image, per
    /// pixel of that image. Documents state this value for the first example of each operation.
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

/// The memory that one image takes, in bytes.
fn bytes((size, depth): &Shape) -> u64 {
    area(*size) * depth.pixel_bytes()
}
