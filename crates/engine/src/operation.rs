//! What an operation is: the trait that each one implements, its entry in the table, its parameters
//! and its input images.

mod capability;
mod control;
mod effect;
mod inputs;
mod parameter;
mod sentences;

use crate::kernels::Size;
use crate::kernels::point::{Point, apply_all as apply_points};
use crate::{ExecuteError, Picture, Sample};

pub use capability::Capability;
pub(crate) use capability::Described;
pub(crate) use control::{AREA, OFFSETS, RATIO, SIDE};
pub use control::{Control, Input};
pub(crate) use effect::Effect;
pub(crate) use inputs::{both, on_levels, only};
pub use parameter::Parameter;
pub(crate) use parameter::{check_length, scaled_length, scaled_offset, scaled_side, within};
pub(crate) use sentences::{CHANGE_SCALE, applied, changed};

/// What an operation does to pixels.
pub(crate) trait Operation {
    /// Renders the step as plain words that parse back to the same step.
    fn words(&self) -> String;

    /// Checks the parameters; the error message contains the numbers.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Changes lengths in pixels for images whose sides are `factor` times as long, so that the
    /// result looks the same. Lengths stay within their limits.
    fn scale(&mut self, _factor: f64) {}

    /// The size of the result, or why the operation can't be applied to these inputs.
    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        Ok((u64::from(width), u64::from(height)))
    }

    /// Bytes needed while it runs, besides the inputs and the result, for images with this number
    /// of bytes per pixel. An operation can also work in place (see [`Self::in_place`]).
    fn scratch_bytes(&self, _input: Size, _result: Size, _pixel_bytes: u64) -> u64 {
        0
    }

    /// Whether the result overwrites the input, without a second image. By default, operations that
    /// don't move pixels do.
    fn in_place(&self) -> bool {
        self.regional()
    }

    /// The operation as changes of each pixel's color, so that consecutive steps can run in one
    /// pass. Empty if it is more than that.
    fn points(&self) -> Vec<Point> {
        Vec::new()
    }

    /// Whether it changes each pixel's color in a way that depends on measurements of the image.
    fn measures(&self) -> bool {
        false
    }

    /// Measures the image and returns the changes of each pixel's color. Warns if there is nothing
    /// to do.
    fn measured<S: Sample>(&self, _: &Picture<S>, _warnings: &mut Vec<String>) -> Vec<Point>
    where
        Self: Sized,
    {
        self.points()
    }

    /// Whether it can be limited to a part of the image, because it doesn't move pixels.
    fn regional(&self) -> bool {
        self.measures() || !self.points().is_empty()
    }

    /// Whether it combines all inputs into one image.
    fn joins(&self) -> bool {
        false
    }

    /// The number of another image, from 2, that it combines with the first; [`Self::apply`] gets
    /// both.
    fn takes(&self) -> Option<usize> {
        None
    }

    /// The number of the only image, from 1, that it changes, if later steps combine several.
    fn picks(&self) -> Option<usize> {
        None
    }

    /// The number of the image that it names, from 1.
    fn names(&self) -> Option<usize> {
        self.takes().or(self.picks())
    }

    /// Whether the size of the result depends on the pixels. Then [`Self::result_size`] returns the
    /// largest possible size.
    fn finds_size(&self) -> bool {
        false
    }

    /// Whether it creates an image, so that it can only be the first step.
    fn makes(&self) -> bool {
        false
    }

    /// Applies the operation. Joining operations get all images, those that take another image get
    /// two, and the others exactly one.
    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        warnings: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError>
    where
        Self: Sized,
    {
        let mut picture = only(pictures)?;
        let points = self.measured(&picture, warnings);
        apply_points(&mut picture, &points);
        Ok(picture)
    }
}
