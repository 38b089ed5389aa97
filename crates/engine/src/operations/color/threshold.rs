//! Threshold: white where the luma reaches the threshold, black elsewhere.

use crate::kernels::Point;
use crate::kernels::point::to_luma;
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use serde::{Deserialize, Serialize};

/// Converts the image to pure black and white.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Threshold {
    /// The lowest luma that becomes white, in percent of the full value.
    pub percent: f64,
}

/// The tolerance for rounding errors of the luma: a quarter of a 16-bit level.
const ROUNDING: f64 = 1.0 / 262_144.0;

const THRESHOLD: Parameter = Parameter::new("a threshold", "%", (0.0, 100.0));

impl Described for Threshold {
    const CAPABILITY: Capability = Capability {
        name: "threshold",
        parameters: &[THRESHOLD],
        controls: &[Control::number("percent", "Threshold", THRESHOLD)],
        summary: "Converts the image to pure black and white.",
        definition: "White where the Rec. 709 luma of the sRGB channels is at least percent / \
                     100, else black; alpha does not change.",
        examples: &["apply a threshold of 50%", "threshold at 128", "make it pure black and white"],
    };
}

impl Operation for Threshold {
    fn words(&self) -> String {
        format!("apply a threshold of {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        THRESHOLD.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let least = self.percent / 100.0 - ROUNDING;
        let step = move |luma: f64| if luma >= least { 1.0 } else { 0.0 };
        vec![Point::Matrix(to_luma()), Point::steps(step)]
    }
}
