//! Within: limits an edit to a part of the image.

use crate::kernels::Size;
use crate::operation::{AREA, Capability, Control, Described, OFFSETS, Operation, SIDE, only};
use crate::region::Region;
use crate::{ExecuteError, Picture, Sample, Step};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Limits another edit to a part of the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Within {
    /// The part of the image that changes.
    pub region: Region,
    /// The edit.
    pub step: Box<Step>,
}

impl Described for Within {
    const CAPABILITY: Capability = Capability {
        name: "within",
        parameters: &[],
        controls: &[
            Control::step("step"),
            Control::place("region.place", "Position"),
            Control::length("region.width", "Width", AREA).when("region.kind", "part"),
            Control::length("region.height", "Height", AREA).when("region.kind", "part"),
            Control::length("region.width", "Width", AREA).when("region.kind", "edges"),
            Control::whole("region.x", "From the left", OFFSETS[0]),
            Control::whole("region.y", "From the top", OFFSETS[0]),
            Control::whole("region.width", "Width", SIDE).when("region.kind", "box"),
            Control::whole("region.height", "Height", SIDE).when("region.kind", "box"),
            Control::length("region.side", "Side", AREA),
        ],
        summary: "Limits an edit to part of the image.",
        definition: "The edit is applied to the whole image. Its result is kept inside the part, \
                     byte for byte; outside, the image does not change. Sides are rounded half \
                     up, at least 1 pixel.",
        examples: &[
            "brighten the top half",
            "blur a 200x100 box at 50,80",
            "make the left third black and white",
            "desaturate the corners",
        ],
    };
}

impl Operation for Within {
    fn words(&self) -> String {
        format!("{} in {}", self.step.operation().words(), self.region.words())
    }

    fn check(&self) -> Result<(), String> {
        if !self.step.operation().regional() {
            let words = self.step.operation().words();
            return Err(format!("\"{words}\" can only be applied to the whole image"));
        }
        self.region.check()?;
        self.step.operation().check()
    }

    fn scale(&mut self, factor: f64) {
        self.region.scale(factor);
        self.step.operation_mut().scale(factor);
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let size = inputs.first().copied().unwrap_or((1, 1));
        self.region.rectangles(size)?;
        self.step.operation().result_size(inputs)
    }

    /// A copy of the original image, in addition to what the edit needs.
    fn scratch_bytes(&self, input: Size, result: Size, pixel_bytes: u64) -> u64 {
        let copy = u64::from(input.0) * u64::from(input.1) * pixel_bytes;
        let step = self.step.operation();
        let new = if step.in_place() { 0 } else { copy };
        copy + new + step.scratch_bytes(input, result, pixel_bytes)
    }

    fn in_place(&self) -> bool {
        true
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        warnings: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let mut picture = only(pictures)?;
        let rectangles =
            self.region.rectangles(picture.size()).map_err(ExecuteError::Impossible)?;
        let edited = self.step.apply(vec![picture.clone()], warnings)?;
        let row_samples = picture.row_samples();
        let lines = picture
            .pixels_mut()
            .par_chunks_mut(row_samples)
            .zip(edited.pixels().par_chunks(row_samples));
        lines.enumerate().for_each(|(y, (to, from))| {
            for [left, top, right, bottom] in &rectangles {
                if (*top as usize..*bottom as usize).contains(&y) {
                    let samples = *left as usize * 4..*right as usize * 4;
                    if let (Some(to), Some(from)) = (to.get_mut(samples.clone()), from.get(samples))
                    {
                        to.copy_from_slice(from);
                    }
                }
            }
        });
        Ok(picture)
    }
}
