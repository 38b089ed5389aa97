//! Solarize: `1 - c` for channels that reach the threshold, like a print exposed to light during
//! development.

use crate::Refusal;
use crate::instruction::{Clause, Unit};
use crate::kernels::Point;
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use serde::{Deserialize, Serialize};

/// Inverts bright tones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Solarize {
    /// The value from which a channel is inverted, in percent of the full value.
    pub percent: f64,
}

const THRESHOLD: Parameter = Parameter::new("the threshold for solarizing", "%", (0.0, 100.0));

impl Spoken for Solarize {
    const CAPABILITY: Capability = Capability {
        name: "solarize",
        parameters: &[THRESHOLD],
        controls: &[Control::number("percent", "Threshold", THRESHOLD)],
        summary: "Inverts bright tones.",
        definition: "1 - c where the sRGB channel is at least percent / 100, else c.",
        heads: &["solarize", "solarized", "solarizing", "solarization", "solarization"],
        details: &["threshold", "above", "from"],
        examples: &["solarize it", "solarize above 60%"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        if clause.head(Self::CAPABILITY.heads).is_none() {
            return Ok(None);
        }
        clause.take_all(Self::CAPABILITY.details);
        let percent = match clause.quantity() {
            Some(said) if said.unit == Unit::Percent && !said.signed => said.value,
            Some(_) => {
                return Err(Refusal::missing(
                    "give the threshold in percent: \"solarize above 50%\"",
                ));
            }
            None => {
                clause.assumed.push("the threshold is 50%".to_owned());
                50.0
            }
        };
        Ok(Some(Self { percent }))
    }
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
