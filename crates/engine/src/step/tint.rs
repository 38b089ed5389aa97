//! Tint: a mix of the picture and its luma in the tint's colour,
//! `c * (1 - s) + luma * tint * s` on sRGB values, s = percent / 100.

use super::point::{LUMA, mix};
use super::{Capability, Operation, Point, Spoken, within};
use crate::instruction::{Clause, Unit};
use crate::{Colour, Refusal};
use serde::{Deserialize, Serialize};

/// Gives the picture a touch of one colour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tint {
    /// The colour.
    pub colour: Colour,
    /// How strong it is, in percent.
    pub percent: f64,
}

/// Strength in percent of the documented degrees; plain is 30%.
const SCALE_PERCENT: [f64; 5] = [5.0, 15.0, 30.0, 50.0, 80.0];

impl Spoken for Tint {
    const CAPABILITY: Capability = Capability {
        name: "tint",
        summary: "Gives the picture a touch of one colour.",
        definition: "c * (1 - s) + luma * colour * s on sRGB channels, Rec. 709 luma, s = percent / 100.",
        heads: &["tint", "tinted", "tinting", "colour cast"],
        details: &["strength", "intensity"],
        examples: &["tint it blue", "add a slight red tint", "tint it with #ff8800 at 20%"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        if clause.head(&["tint", "tinted", "tinting", "colour cast"]).is_none() {
            return Ok(None);
        }
        let colour = clause
            .colour()
            .ok_or_else(|| Refusal::missing("say the colour of the tint: \"tint it blue\""))?;
        clause.take(Self::CAPABILITY.details);
        let percent = match clause.quantity() {
            Some(quantity) if quantity.unit == Unit::Percent => quantity.value,
            Some(_) => return Err(Refusal::missing("say the strength of the tint in percent")),
            None => {
                let degree = clause.degree().unwrap_or(2);
                let percent = SCALE_PERCENT.get(degree).copied().unwrap_or(30.0);
                clause.assumed.push(format!("the strength of the tint is {percent}%"));
                percent
            }
        };
        Ok(Some(Self { colour, percent }))
    }
}

impl Operation for Tint {
    fn words(&self) -> String {
        format!("tint with {} at {}%", self.colour, self.percent)
    }

    fn check(&self) -> Result<(), String> {
        if !self.colour.is_opaque() {
            return Err("a tint needs an opaque colour".to_owned());
        }
        within("the strength of a tint", self.percent, (0.0, 100.0), "%")
    }

    fn points(&self) -> Vec<Point> {
        let [red, green, blue, _] = self.colour.rgba.map(|channel| f32::from(channel) / 255.0);
        let line = |channel: f32| [LUMA[0] * channel, LUMA[1] * channel, LUMA[2] * channel, 0.0];
        vec![Point::Matrix(mix(
            [line(red), line(green), line(blue)],
            super::point::factor(self.percent - 100.0),
        ))]
    }
}
