//! Solarize: `1 - c` for channels that reach the threshold, like a print exposed to light during
//! development.

use crate::kernels::Point;
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use serde::{Deserialize, Serialize};

/// Inverts bright tones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Solarize {
    /// The value from which a channel is inverted, in percent of the full value.
    pub percent: f64,
}

const THRESHOLD: Parameter = Parameter::new("the threshold for solarizing", "%", (0.0, 100.0));

impl Described for Solarize {
    const CAPABILITY: Capability = Capability {
        name: "solarize",
        parameters: &[THRESHOLD],
        controls: &[Control::number("percent", "Threshold", THRESHOLD)],
        summary: "Inverts bright tones.",
        definition: "1 - c where the sRGB channel is at least percent / 100, else c.",
        examples: &["solarize it", "solarize above 60%"],
    };
}

impl Operation for Solarize {
    fn words(&self) -> String {
        format!("solarize above {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        THRESHOLD.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let least = self.percent / 100.0;
        vec![Point::steps(move |value| if value >= least - 1e-6 { 1.0 - value } else { value })]
    }
}
