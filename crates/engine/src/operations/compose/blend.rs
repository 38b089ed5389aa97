//! Blend: blends another image into the first, in one of the usual modes of image editors.

mod blend_words;
mod mode;

use crate::kernels::{Size, canvas, resample};
use crate::operation::{Capability, Control, Described, Operation, Parameter, both};
use crate::{ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

pub use mode::Mode;

/// Blends another image into the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Blend {
    /// The number of the other image; the first image is 1.
    pub picture: usize,
    /// The blend mode.
    pub mode: Mode,
    /// How opaque the other image is, in percent.
    pub percent: f64,
}

const OPACITY: Parameter = Parameter::new("the opacity", "%", (0.0, 100.0)).usually(100.0);

impl Described for Blend {
    const CAPABILITY: Capability = Capability {
        name: "blend",
        parameters: &[OPACITY],
        controls: &[
            Control::choice(
                "mode",
                "Mode",
                &[
                    "normal",
                    "multiply",
                    "screen",
                    "overlay",
                    "darken",
                    "lighten",
                    "difference",
                    "add",
                    "subtract",
                ],
            ),
            Control::number("percent", "Opacity", OPACITY),
        ],
        summary: "Blends another image into the first: normal, multiply, screen, overlay, darken, \
                  lighten, difference, add or subtract.",
        definition: "W3C Compositing and Blending Level 1 on sRGB values, with the first image at \
                     the bottom. It has no mode to add or subtract; these are min(below + above, 1) \
                     and max(below - above, 0), as in the GIMP manual. The other image is cropped \
                     around its center to the first one's aspect ratio and resized (Lanczos3); to \
                     show a difference or to subtract, images must have the same size.",
        examples: &[
            "blend with picture 2 in multiply mode",
            "blend the second picture over the first at 40%",
            "show the difference between the two pictures",
            "subtract picture 2 from picture 1",
        ],
    };
}

/// Checks that a number can refer to an image other than the first.
pub(super) fn is_other(picture: usize) -> Result<(), String> {
    if (2..=16).contains(&picture) {
        return Ok(());
    }
    Err(format!("the other image must be number 2 to 16, not {picture}"))
}

impl Operation for Blend {
    fn words(&self) -> String {
        blend_words::words_of(self)
    }

    fn check(&self) -> Result<(), String> {
        is_other(self.picture)?;
        OPACITY.check(self.percent)
    }

    fn takes(&self) -> Option<usize> {
        Some(self.picture)
    }

    fn in_place(&self) -> bool {
        true
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let [below, above] = inputs else { return Ok((1, 1)) };
        let what = match self.mode {
            Mode::Difference => "a difference",
            Mode::Subtract => "subtracting",
            _ => return Ok((u64::from(below.0), u64::from(below.1))),
        };
        if below != above {
            return Err(format!(
                "{what} needs images of the same size; these are {}x{} and {}x{} pixels",
                below.0, below.1, above.0, above.1
            ));
        }
        Ok((u64::from(below.0), u64::from(below.1)))
    }

    /// The part of the other image that covers the first, its resized copy, and what the resizer
    /// needs.
    fn scratch_bytes(&self, input: Size, result: Size, pixel_bytes: u64) -> u64 {
        let pixels = |size: Size| u64::from(size.0) * u64::from(size.1);
        let half_done = u64::from(result.0) * u64::from(input.1);
        (3 * pixels(input) + pixels(result) + half_done) * pixel_bytes
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let (mut below, above) = both(pictures)?;
        let above = resample::covering(above, below.size())?;
        canvas::under(&mut below, (&above, (0, 0)), |below, above| {
            self.mode.laid(below, above, self.percent / 100.0)
        });
        Ok(below)
    }
}
