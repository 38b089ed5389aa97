//! Gamma: each sRGB channel to the power `1 / gamma`.

use crate::Refusal;
use crate::instruction::{Clause, Direction, Unit};
use crate::kernels::Point;
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use serde::{Deserialize, Serialize};

/// Lightens or darkens the midtones; black and white do not change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gamma {
    /// Values above 1 are lighter, below 1 darker.
    pub gamma: f64,
}

/// The documented scale for vague amounts: the change from a gamma of 1.
const SCALE: [f64; 5] = [0.05, 0.1, 0.2, 0.4, 0.6];

const GAMMA: Parameter = Parameter::new("a gamma", "", (0.1, 10.0));

impl Spoken for Gamma {
    const CAPABILITY: Capability = Capability {
        name: "gamma",
        parameters: &[GAMMA],
        controls: &[Control::number("gamma", "Gamma", GAMMA)],
        summary: "Lightens or darkens the midtones; black and white do not change.",
        definition: "Each sRGB channel to the power 1 / gamma.",
        heads: &["gamma", "gamma correction"],
        details: &["correction", "value"],
        examples: &["set the gamma to 1.2", "apply a gamma of 0.8", "increase the gamma slightly"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        if clause.head(Self::CAPABILITY.heads).is_none() {
            return Ok(None);
        }
        clause.take_all(Self::CAPABILITY.details);
        let missing = || {
            Refusal::missing(
                "give a value for gamma, for example \"set the gamma to 1.2\" \
                                 (lighter)",
            )
        };
        let direction = clause.direction();
        let sign = match direction {
            Some(Direction::Up) => 1.0,
            Some(Direction::Down) => -1.0,
            None | Some(Direction::Set) => 0.0,
        };
        let gamma = match clause.quantity() {
            Some(said) if said.signed => return Err(missing()),
            Some(said) if said.unit == Unit::Percent && sign != 0.0 && !said.to => {
                1.0 + sign * said.value / 100.0
            }
            Some(said) if said.unit == Unit::None && (sign == 0.0 || said.to) => said.value,
            None if sign != 0.0 => {
                let degree = clause.degree().unwrap_or(2);
                let gamma = 1.0 + sign * SCALE.get(degree).copied().unwrap_or(0.2);
                clause.assumed.push(format!("the gamma is {gamma}"));
                gamma
            }
            _ => return Err(missing()),
        };
        Ok(Some(Self { gamma }))
    }
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
