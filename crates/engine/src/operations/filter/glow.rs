//! Glow: screens the image with a share of its blurred copy.
//!
//! `c + s * b * b * (1 - c)` on values from 0 to 1, where b is the image blurred by 2% of the
//! shorter side (1 to 200 pixels) and s = percent / 100. The square makes bright areas glow and
//! leaves dark ones almost unchanged.

use crate::kernels::Size;
use crate::kernels::gaussian::{self, each_color, reach_px};
use crate::operation::{Capability, Control, Described, Effect, Parameter};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Makes bright areas glow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Glow {
    /// Strength in percent.
    pub percent: f64,
}

const SCALE: [f64; 5] = [10.0, 20.0, 40.0, 70.0, 100.0];
/// Standard deviation of the Gaussian in percent of the shorter side.
const REACH_PERCENT: f64 = 2.0;

const STRENGTH: Parameter =
    Parameter::new("the strength of a glow", "%", (0.0, 100.0)).scaled(SCALE);

impl Described for Glow {
    const CAPABILITY: Capability = Capability {
        name: "glow",
        parameters: &[STRENGTH],
        controls: &[Control::number("percent", "Strength", STRENGTH)],
        summary: "Makes bright areas glow.",
        definition: "Screen with the square of the blurred image: c + s * b^2 * (1 - c), where b \
                     is blurred with a standard deviation of 2% of the shorter side (1 to 200 \
                     pixels) and s = percent / 100; alpha does not change.",
        examples: &["add a glow", "add a soft glow", "add a glow of 60%"],
    };
}

impl Effect for Glow {
    fn words(&self) -> String {
        format!("add a glow of {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        STRENGTH.check(self.percent)
    }

    fn scratch_bytes(&self, input: Size, _: u64) -> u64 {
        gaussian::scratch_bytes(input, reach_px(input, REACH_PERCENT))
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let strength = (self.percent / 100.0) as f32;
        let sigma_px = reach_px(picture.size(), REACH_PERCENT);
        gaussian::blur(picture, sigma_px, |old, blurred| {
            each_color(old, blurred, |old, blurred| {
                let light = blurred * blurred / 255.0;
                old + strength * light * (255.0 - old) / 255.0
            })
        });
    }
}
