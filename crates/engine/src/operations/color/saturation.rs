//! Saturation: each channel moves away from or towards the luma.
//!
//! The CSS `saturate(k)` matrix with Rec. 709 luma weights, k = 1 + percent / 100.

use crate::kernels::point::{self, LUMA, mix};
use crate::kernels::{Matrix, Point};
use crate::operation::{
    CHANGE_SCALE, Capability, Control, Described, Operation, Parameter, changed,
};
use serde::{Deserialize, Serialize};

/// Makes the colors stronger or weaker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Saturation {
    /// The change in percent: 20 adds a fifth, and -100 leaves only grays.
    pub percent: f64,
}

const CHANGE: Parameter =
    Parameter::new("a change in saturation", "%", (-100.0, 400.0)).scaled(CHANGE_SCALE);

impl Described for Saturation {
    const CAPABILITY: Capability = Capability {
        name: "saturation",
        parameters: &[CHANGE],
        controls: &[Control::number("percent", "Amount", CHANGE)],
        summary: "Makes the colors stronger or weaker.",
        definition: "CSS saturate(k): luma + k * (c - luma), Rec. 709 weights on sRGB channels, k = 1 + percent / 100.",
        examples: &["make the colors more vivid", "desaturate it slightly"],
    };
}

impl Operation for Saturation {
    fn words(&self) -> String {
        changed("saturation", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let gray: Matrix = [[LUMA[0], LUMA[1], LUMA[2], 0.0]; 3];
        vec![Point::Matrix(mix(gray, 1.0 - point::factor(self.percent)))]
    }
}
