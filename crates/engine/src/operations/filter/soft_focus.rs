//! Soft focus: mixes the image with a blurred copy, which veils it but keeps details.

use crate::kernels::Size;
use crate::kernels::gaussian::{self, each_color, reach_px};
use crate::operation::{Capability, Control, Described, Effect, Parameter};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Softens the image like a soft-focus lens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SoftFocus {
    /// The share of the blurred copy in percent.
    pub percent: f64,
}

const SCALE: [f64; 5] = [15.0, 30.0, 50.0, 70.0, 90.0];
/// Standard deviation of the Gaussian in percent of the shorter side.
const REACH_PERCENT: f64 = 1.5;

const STRENGTH: Parameter =
    Parameter::new("the strength of a soft focus", "%", (0.0, 100.0)).scaled(SCALE);

impl Described for SoftFocus {
    const CAPABILITY: Capability = Capability {
        name: "soft_focus",
        parameters: &[STRENGTH],
        controls: &[Control::number("percent", "Strength", STRENGTH)],
        summary: "Softens the image like a soft-focus lens.",
        definition: "c + s * (b - c), where b is blurred by a Gaussian with a standard deviation \
                     of 1.5% of the shorter side (1 to 200 pixels) and s = percent / 100; alpha \
                     does not change.",
        examples: &["apply a soft focus", "soft focus of 30%", "make it dreamy"],
    };
}

impl Effect for SoftFocus {
    fn words(&self) -> String {
        format!("apply a soft focus of {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        STRENGTH.check(self.percent)
    }

    fn scratch_bytes(&self, input: Size, _: u64) -> u64 {
        gaussian::scratch_bytes(input, reach_px(input, REACH_PERCENT))
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let share = (self.percent / 100.0) as f32;
        let sigma_px = reach_px(picture.size(), REACH_PERCENT);
        gaussian::blur(picture, sigma_px, |old, blurred| {
            each_color(old, blurred, |old, blurred| old + share * (blurred - old))
        });
    }
}
