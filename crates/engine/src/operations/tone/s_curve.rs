//! S-curve: darkens dark tones and lightens light tones. Black, middle gray and white don't change.

use crate::kernels::Point;
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use serde::{Deserialize, Serialize};

/// Increases contrast with an S-shaped curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SCurve {
    /// Strength in percent.
    pub percent: f64,
}

const SCALE: [f64; 5] = [10.0, 25.0, 50.0, 75.0, 100.0];
const STRENGTH: Parameter =
    Parameter::new("the strength of an s-curve", "%", (0.0, 100.0)).scaled(SCALE);

impl Described for SCurve {
    const CAPABILITY: Capability = Capability {
        name: "s_curve",
        parameters: &[STRENGTH],
        controls: &[Control::number("percent", "Strength", STRENGTH)],
        summary: "Darkens dark tones and lightens light tones along a curve; black, middle gray \
                  and white do not change.",
        definition: "c + t * (3c^2 - 2c^3 - c) on sRGB channels, t = percent / 100.",
        examples: &["apply an s-curve", "add a gentle s-curve", "s-curve of 30%"],
    };
}

impl Operation for SCurve {
    fn words(&self) -> String {
        format!("apply an s-curve of {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        STRENGTH.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let strength = self.percent / 100.0;
        vec![Point::curve(move |value| {
            let bent = value * value * (3.0 - 2.0 * value);
            value + strength * (bent - value)
        })]
    }
}
