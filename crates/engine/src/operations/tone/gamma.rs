//! Gamma: each sRGB channel to the power `1 / gamma`.

use crate::kernels::Point;
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use serde::{Deserialize, Serialize};

/// Lightens or darkens the midtones; black and white do not change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gamma {
    /// Values above 1 are lighter, below 1 darker.
    pub gamma: f64,
}

const GAMMA: Parameter = Parameter::new("a gamma", "", (0.1, 10.0));

impl Described for Gamma {
    const CAPABILITY: Capability = Capability {
        name: "gamma",
        parameters: &[GAMMA],
        controls: &[Control::number("gamma", "Gamma", GAMMA)],
        summary: "Lightens or darkens the midtones; black and white do not change.",
        definition: "Each sRGB channel to the power 1 / gamma.",
        examples: &["set the gamma to 1.2", "apply a gamma of 0.8", "increase the gamma slightly"],
    };
}

impl Operation for Gamma {
    fn words(&self) -> String {
        format!("set the gamma to {}", self.gamma)
    }

    fn check(&self) -> Result<(), String> {
        GAMMA.check(self.gamma)
    }

    fn points(&self) -> Vec<Point> {
        let power = 1.0 / self.gamma;
        vec![Point::curve(move |value| value.powf(power))]
    }
}
