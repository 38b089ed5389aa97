//! Dehaze: the dark channel prior, refined by a guided filter.
//!
//! Haze mixes the color of each pixel with that of the air: c = J * t + A * (1 - t), where J is the
//! clear color, A the air and t the share of light that gets through. Without haze, nearly every patch
//! of an outdoor photo has some pixel with a dark channel, so what is bright there is taken for haze:
//! K. He, J. Sun and X. Tang, "Single Image Haze Removal Using Dark Channel Prior", CVPR 2009. The
//! estimate is aligned with edges as in their "Guided Image Filtering", ECCV 2010, and measured on a
//! grid of squares as in K. He and J. Sun, "Fast Guided Filter", 2015. So the work grows with the
//! number of pixels, and the memory is limited.

mod grid;
mod haze;

use crate::kernels::Size;
use crate::operation::{Capability, Control, Described, Effect, Parameter};
use crate::{Picture, Sample};
use haze::Haze;
use serde::{Deserialize, Serialize};

/// Removes haze.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dehaze {
    /// How much of the haze is removed, in percent.
    pub percent: f64,
}

const SCALE: [f64; 5] = [20.0, 40.0, 60.0, 80.0, 100.0];
/// The share that is removed at 100%. A little haze keeps distances visible (section 4.1 of the first
/// paper).
const MOST: f64 = 0.95;

const STRENGTH: Parameter =
    Parameter::new("the strength of a haze removal", "%", (0.0, 100.0)).scaled(SCALE);

impl Described for Dehaze {
    const CAPABILITY: Capability = Capability {
        name: "dehaze",
        parameters: &[STRENGTH],
        controls: &[Control::number("percent", "Strength", STRENGTH)],
        summary: "Removes haze from outdoor photos.",
        definition: "(c - A) / t + A for each sRGB channel, from 0 to 1. It is measured on a grid: \
                     the means of squares whose side is the longer side of the image divided by \
                     1024, rounded up. D is the smallest channel in the (2r + 1)^2 squares around \
                     each one, with r = 1.25% of the longer side of the grid, at least 1. A is the \
                     mean color of the squares with the 0.1% largest D, at least 1/255. With D computed again \
                     from c / A and limited to 1, t is 1 - 0.95 * D * percent / 100, through a \
                     guided filter (radius 4r, epsilon 0.001, guided by Rec. 709 luma), with its \
                     coefficients interpolated between squares, from 0.1 to 1; alpha does not \
                     change (dark channel prior: He, Sun and Tang, 2009).",
        examples: &["remove the haze", "dehaze by 30%", "dehaze it a lot"],
    };
}

impl Effect for Dehaze {
    fn words(&self) -> String {
        format!("dehaze by {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        STRENGTH.check(self.percent)
    }

    fn scratch_bytes(&self, input: Size, _: u64) -> u64 {
        haze::scratch_bytes(input)
    }

    #[expect(clippy::cast_possible_truncation, reason = "a share from 0 to 1")]
    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        if let Some(haze) = Haze::of(picture, (MOST * self.percent / 100.0) as f32) {
            haze.remove_from(picture);
        }
    }
}
