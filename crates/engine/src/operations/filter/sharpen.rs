//! Sharpen: an unsharp mask, `c + k * (c - blurred)`, with a Gaussian, on straight colors. Alpha
//! doesn't change. k = percent / 100. Differences up to the threshold are not amplified.

use crate::kernels::point::factor;
use crate::kernels::{Size, gaussian};
use crate::operation::{Capability, Control, Described, Effect, Parameter};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Makes edges sharper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sharpen {
    /// Strength in percent.
    pub percent: f64,
    /// The standard deviation of the mask in pixels.
    #[serde(default = "usual_radius_px")]
    pub radius_px: f64,
    /// The largest difference that is not amplified, in levels from 0 to 255.
    #[serde(default)]
    pub threshold_levels: f64,
}

const SCALE: [f64; 5] = [25.0, 50.0, 100.0, 200.0, 300.0];

const fn usual_radius_px() -> f64 {
    1.0
}

const STRENGTH: Parameter =
    Parameter::new("the strength of sharpening", "%", (0.0, 500.0)).scaled(SCALE);
const RADIUS: Parameter =
    Parameter::new("the radius of sharpening", "px", (0.1, 100.0)).usually(1.0);
const THRESHOLD: Parameter =
    Parameter::new("the threshold of sharpening", " levels", (0.0, 255.0)).usually(0.0);

impl Described for Sharpen {
    const CAPABILITY: Capability = Capability {
        name: "sharpen",
        parameters: &[STRENGTH, RADIUS, THRESHOLD],
        controls: &[
            Control::number("percent", "Strength", STRENGTH),
            Control::number("radius_px", "Radius", RADIUS),
            Control::number("threshold_levels", "Threshold", THRESHOLD),
        ],
        summary: "Makes edges sharper.",
        definition: "Unsharp mask c + k * (c - Gaussian), k = percent / 100, radius = standard \
                     deviation (1px by default). Where the difference is at most the threshold \
                     (in levels of 255), c does not change; alpha does not change.",
        examples: &[
            "sharpen it a little",
            "increase the sharpness by 80%",
            "sharpen by 150% with a radius of 2px and a threshold of 4",
        ],
    };
}

impl Effect for Sharpen {
    fn words(&self) -> String {
        let mut words = format!("sharpen by {}%", self.percent);
        if self.radius_px != usual_radius_px() {
            words.push_str(&format!(" with a radius of {}px", self.radius_px));
        }
        if self.threshold_levels != 0.0 {
            words.push_str(&format!(" at a threshold of {}", self.threshold_levels));
        }
        words
    }

    fn check(&self) -> Result<(), String> {
        STRENGTH.check(self.percent)?;
        RADIUS.check(self.radius_px)?;
        THRESHOLD.check(self.threshold_levels)
    }

    fn scale(&mut self, factor: f64) {
        self.radius_px = RADIUS.at_scale(self.radius_px, factor);
    }

    fn scratch_bytes(&self, input: Size, _: u64) -> u64 {
        gaussian::scratch_bytes(input, self.radius_px)
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let strength = factor(self.percent - 100.0);
        let threshold = self.threshold_levels as f32;
        gaussian::blur(picture, self.radius_px, |old, blurred| {
            gaussian::each_color(old, blurred, |old, blurred| {
                let difference = old - blurred;
                if difference.abs() <= threshold { old } else { old + strength * difference }
            })
        });
    }
}
