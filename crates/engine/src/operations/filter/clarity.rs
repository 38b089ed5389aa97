//! Clarity: local contrast of luma against a wide Gaussian, strongest in the midtones.
//!
//! `c + k * w * (Y - blurred Y)` for each channel, with w = 1 - (2Y - 1)^2, so that black and white
//! do not change. The Gaussian has a standard deviation of 2% of the shorter side (1 to 200
//! pixels); k = percent / 100.

use crate::kernels::Size;
use crate::kernels::gaussian::{self, reach_px};
use crate::kernels::point::luma;
use crate::operation::{CHANGE_SCALE, Capability, Control, Described, Effect, Parameter, changed};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Makes midtones stand out from their surroundings, or blend into them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clarity {
    /// The change in percent: below 0 it softens.
    pub percent: f64,
}

/// Standard deviation of the Gaussian in percent of the shorter side.
const REACH_PERCENT: f64 = 2.0;

const CHANGE: Parameter =
    Parameter::new("a change in clarity", "%", (-100.0, 300.0)).scaled(CHANGE_SCALE);

impl Described for Clarity {
    const CAPABILITY: Capability = Capability {
        name: "clarity",
        parameters: &[CHANGE],
        controls: &[Control::number("percent", "Amount", CHANGE)],
        summary: "Increases or reduces local contrast.",
        definition: "c + k * (1 - (2Y - 1)^2) * (Y - Gaussian of Y), where Y is the Rec. 709 luma \
                     and the Gaussian has a standard deviation of 2% of the shorter side (1 to \
                     200 pixels), k = percent / 100; alpha stays.",
        examples: &["increase the clarity by 30%", "make it a bit clearer", "less clarity"],
    };
}

impl Effect for Clarity {
    fn words(&self) -> String {
        changed("clarity", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn scratch_bytes(&self, input: Size, _: u64) -> u64 {
        gaussian::scratch_bytes(input, reach_px(input, REACH_PERCENT))
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let strength = (self.percent / 100.0) as f32;
        let sigma_px = reach_px(picture.size(), REACH_PERCENT);
        gaussian::blur(picture, sigma_px, |old, [red, green, blue, alpha]| {
            let [r, g, b, opacity] = old.map(S::level);
            if opacity == 0.0 {
                return [r, g, b, opacity];
            }
            let here = luma([r, g, b]);
            let around = luma([red, green, blue]) / alpha * 255.0;
            let tone = here / 127.5 - 1.0;
            let change = strength * (1.0 - tone * tone) * (here - around);
            [r + change, g + change, b + change, opacity]
        });
    }
}
