//! Threshold: white where the luma reaches the threshold, black elsewhere.

use crate::Refusal;
use crate::instruction::{Clause, Direction, Unit};
use crate::kernels::Point;
use crate::kernels::point::to_luma;
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
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

impl Spoken for Threshold {
    const CAPABILITY: Capability = Capability {
        name: "threshold",
        parameters: &[THRESHOLD],
        controls: &[Control::number("percent", "Threshold", THRESHOLD)],
        summary: "Converts the image to pure black and white.",
        definition: "White where the Rec. 709 luma of the sRGB channels is at least percent / \
                     100, else black; alpha does not change.",
        heads: &[
            "threshold",
            "thresholded",
            "pure black and white",
            "pure black and pure white",
            "only pure black and white",
            "binarize",
            "stark black and white",
        ],
        details: &["level"],
        examples: &["apply a threshold of 50%", "threshold at 128", "make it pure black and white"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        if clause.head(Self::CAPABILITY.heads).is_none() {
            return Ok(None);
        }
        clause.take_all(Self::CAPABILITY.heads);
        clause.take_all(Self::CAPABILITY.details);
        let missing =
            || Refusal::missing("give the threshold in percent: \"apply a threshold of 50%\"");
        if matches!(clause.direction(), Some(Direction::Up | Direction::Down)) {
            return Err(missing());
        }
        let percent = match clause.quantity() {
            Some(said) if said.signed => return Err(missing()),
            Some(said) if said.unit == Unit::Percent => said.value,
            Some(said) if said.unit == Unit::None && said.value > 1.0 => {
                clause.assumed.push(format!("{} is a level from 0 to 255", said.value));
                said.value / 2.55
            }
            Some(_) => return Err(missing()),
            None => {
                clause.assumed.push("the threshold is 50%".to_owned());
                50.0
            }
        };
        Ok(Some(Self { percent }))
    }
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
