//! Grayscale: every channel becomes the Rec. 709 luma, like CSS `grayscale()`.

use crate::kernels::Point;
use crate::kernels::point::{LUMA, factor, mix};
use crate::operation::{Capability, Control, Described, Operation, Parameter, applied};
use serde::{Deserialize, Serialize};

/// Converts colors to grays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grayscale {
    /// Amount of the effect in percent; 100 is the full effect.
    pub percent: f64,
}

const SHARE: Parameter =
    Parameter::new("the amount of grayscale", "%", (0.0, 100.0)).usually(100.0);

impl Described for Grayscale {
    const CAPABILITY: Capability = Capability {
        name: "grayscale",
        parameters: &[SHARE],
        controls: &[Control::number("percent", "Amount", SHARE)],
        summary: "Converts colors to grays.",
        definition: "CSS grayscale(a): Rec. 709 luma 0.2126 R + 0.7152 G + 0.0722 B of the sRGB channels.",
        examples: &["make it black and white", "convert to grayscale", "50% grayscale"],
    };
}

impl Operation for Grayscale {
    fn words(&self) -> String {
        applied("grayscale", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        SHARE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        vec![Point::Matrix(mix(
            [[LUMA[0], LUMA[1], LUMA[2], 0.0]; 3],
            factor(self.percent - 100.0),
        ))]
    }
}
