//! Opacity: `alpha * percent / 100`, rounded half up. Colors don't change.

use crate::instruction::{Clause, Direction, Unit, phrases};
use crate::operation::{Capability, Control, Effect, Parameter, Spoken};
use crate::{Picture, Refusal, Sample};
use serde::{Deserialize, Serialize};

/// Makes the image partly transparent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opacity {
    /// The remaining opacity in percent.
    pub percent: f64,
}

const OPAQUE: &[&str] = &["opacity", "opaque"];
const CLEAR: &[&str] = &["transparent", "transparency", "see through", "translucent"];
const HALF: &[&str] = &["semi transparent", "half transparent", "half opaque"];

const OPACITY: Parameter = Parameter::new("the opacity", "%", (0.0, 100.0));

impl Spoken for Opacity {
    const CAPABILITY: Capability = Capability {
        name: "opacity",
        parameters: &[OPACITY],
        controls: &[Control::number("percent", "Opacity", OPACITY)],
        summary: "Makes the image partly transparent.",
        definition: "Alpha times percent / 100, rounded half up.",
        heads: phrases!(OPAQUE, CLEAR, HALF),
        details: &["semi", "half"],
        examples: &["set the opacity to 50%", "make it 30% transparent"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let half = clause.head(HALF).is_some();
        let clear = !half && clause.head(CLEAR).is_some();
        if half {
            return Ok(Some(Self { percent: 50.0 }));
        }
        if !clear && clause.head(OPAQUE).is_none() {
            return Ok(None);
        }
        let missing =
            || Refusal::missing("give the opacity in percent: \"set the opacity to 50%\"");
        let direction = clause.direction();
        let amount = clause
            .quantity()
            .filter(|amount| !amount.signed && amount.unit != Unit::Pixels)
            .ok_or_else(missing)?;
        let value = amount.value;
        let percent = match (direction, amount.to, clear) {
            (Some(Direction::Down), false, false) => 100.0 - value,
            (Some(Direction::Up), false, true)
            | (None | Some(Direction::Set), _, true)
            | (_, true, true) => 100.0 - value,
            (None | Some(Direction::Set), _, false) | (_, true, false) => value,
            _ => return Err(missing()),
        };
        Ok(Some(Self { percent }))
    }
}

impl Effect for Opacity {
    fn words(&self) -> String {
        format!("set the opacity to {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        OPACITY.check(self.percent)
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        for pixel in picture.pixels_mut().chunks_exact_mut(4) {
            if let [.., alpha] = pixel {
                *alpha = S::rounded_double(f64::from(alpha.level()) * self.percent / 100.0);
            }
        }
    }
}
