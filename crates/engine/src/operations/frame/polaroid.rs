//! Polaroid: the frame of an instant photo, with its wide lower edge.

use crate::kernels::size::to_u32;
use crate::kernels::{Size, canvas};
use crate::length::Length;
use crate::operation::{Capability, Control, Described, Operation, only};
use crate::{Color, ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Frames the image like an instant photo.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Polaroid {
    /// The color of the paper.
    #[serde(alias = "colour")]
    pub color: Color,
}

/// The width of the frame at the left, top and right, relative to the shorter side. A real print is
/// 88 mm wide and shows an image of 79 mm.
const SIDES: Length = Length::Percent(6.0);
/// The width of the frame at the bottom, relative to the shorter side.
const BELOW: Length = Length::Percent(22.0);

impl Described for Polaroid {
    const CAPABILITY: Capability = Capability {
        name: "polaroid",
        parameters: &[],
        controls: &[Control::color("color", "Color")],
        summary: "Adds a frame like that of an instant photo.",
        definition: "The frame is 6% of the shorter side on the left, top and right and 22% at \
                     the bottom, rounded half up, at least 1 pixel; white unless a color is \
                     given.",
        examples: &["add a polaroid frame", "put it in a black polaroid frame"],
    };
}

impl Operation for Polaroid {
    fn words(&self) -> String {
        format!("add a {} polaroid frame", self.color)
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let size = inputs.first().copied().unwrap_or((1, 1));
        let (side, below) = edges(size);
        Ok((u64::from(size.0) + 2 * side, u64::from(size.1) + side + below))
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let picture = only(pictures)?;
        let size = self.result_size(&[picture.size()]).map_err(ExecuteError::Impossible)?;
        let mut result = canvas::filled((to_u32(size.0), to_u32(size.1)), self.color)?;
        let side = to_u32(edges(picture.size()).0);
        canvas::put(&picture, &mut result, (side, side));
        Ok(result)
    }
}

/// The width of the frame on three sides, and at the bottom, in pixels.
fn edges((width, height): Size) -> (u64, u64) {
    let px = |length: Length| length.px(width.min(height)).max(1);
    (px(SIDES), px(BELOW))
}
