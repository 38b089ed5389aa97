//! Fade: the look of an old print: weaker colors, lifted blacks, softer whites.
//!
//! The saturation is multiplied by `1 - 0.4 s`. Then each channel runs from `0.15 s` (black) to
//! `1 - 0.05 s` (white), with s = percent / 100. The three numbers are our choice.

use crate::kernels::Point;
use crate::kernels::point::{diagonal, factor, mix, to_luma};
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use serde::{Deserialize, Serialize};

/// Gives the image the washed-out look of an old print.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fade {
    /// Strength in percent.
    pub percent: f64,
}

/// Strength in percent for the documented degrees; plain is 60%.
const SCALE_PERCENT: [f64; 5] = [15.0, 30.0, 60.0, 80.0, 100.0];

const STRENGTH: Parameter =
    Parameter::new("the strength of a faded look", "%", (0.0, 100.0)).scaled(SCALE_PERCENT);

impl Described for Fade {
    const CAPABILITY: Capability = Capability {
        name: "fade",
        parameters: &[STRENGTH],
        controls: &[Control::number("percent", "Strength", STRENGTH)],
        summary: "Gives the image the washed-out look of an old print.",
        definition: "Rec. 709 saturation times 1 - 0.4s, then 0.15s + c * (1 - 0.2s) on sRGB channels, s = percent / 100.",
        examples: &["give it a faded look", "make it look washed out", "fade it by 40%"],
    };
}

impl Operation for Fade {
    fn words(&self) -> String {
        format!("fade by {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        STRENGTH.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let share = factor(self.percent - 100.0);
        vec![
            Point::Matrix(mix(to_luma(), 0.4 * share)),
            Point::Matrix(diagonal([1.0 - 0.2 * share; 3], 0.15 * share)),
        ]
    }
}
