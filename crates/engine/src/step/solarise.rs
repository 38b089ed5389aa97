//! Solarise: `1 - c` where a channel reaches the threshold, as in a print that saw light.

use super::{Capability, Operation, Parameter, Point, Spoken};
use crate::Refusal;
use crate::instruction::{Clause, Unit};
use serde::{Deserialize, Serialize};

/// Inverts what is bright.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Solarise {
    /// From which value on a channel is inverted, in percent of full.
    pub percent: f64,
}

const THRESHOLD: Parameter = Parameter::new("the threshold of solarising", "%", (0.0, 100.0));

impl Spoken for Solarise {
    const CAPABILITY: Capability = Capability {
        name: "solarise",
        parameters: &[THRESHOLD],
        summary: "Inverts what is bright.",
        definition: "1 - c where the sRGB channel is at least percent / 100, else c.",
        heads: &["solarise", "solarised", "solarising", "solarisation", "solarization"],
        details: &["threshold", "above", "from"],
        examples: &["solarise it", "solarise above 60%"],
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
                    "say the threshold in percent: \"solarise above 50%\"",
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

impl Operation for Solarise {
    fn words(&self) -> String {
        format!("solarise above {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        THRESHOLD.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let least = self.percent / 100.0;
        vec![Point::steps(move |value| if value >= least - 1e-6 { 1.0 - value } else { value })]
    }
}
