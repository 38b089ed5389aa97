//! Invert: `1 - c`, like CSS `invert()`; exactly 255 - c for bytes.

use crate::kernels::Point;
use crate::kernels::point::{diagonal, factor, mix};
use crate::operation::{Capability, Control, Described, Operation, Parameter, applied};
use serde::{Deserialize, Serialize};

/// Inverts the colors, like a photographic negative.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Invert {
    /// Amount of the effect in percent; 100 is the full effect.
    pub percent: f64,
}

const SHARE: Parameter =
    Parameter::new("the amount of inversion", "%", (0.0, 100.0)).usually(100.0);

impl Described for Invert {
    const CAPABILITY: Capability = Capability {
        name: "invert",
        parameters: &[SHARE],
        controls: &[Control::number("percent", "Amount", SHARE)],
        summary: "Inverts the colors, like a photographic negative.",
        definition: "CSS invert(a): 1 - c on sRGB channels.",
        examples: &["invert the colors", "make it a negative"],
    };
}

impl Operation for Invert {
    fn words(&self) -> String {
        applied("invert", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        SHARE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        vec![Point::Matrix(mix(diagonal([-1.0; 3], 1.0), factor(self.percent - 100.0)))]
    }
}
