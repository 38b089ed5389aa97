//! Tint: mixes the image with its luma in the color of the tint, `c * (1 - s) + luma * tint * s` on
//! sRGB values, s = percent / 100.

use crate::instruction::Clause;
use crate::instruction::patterns::strength::{self, Scale};
use crate::kernels::Point;
use crate::kernels::point::{LUMA, factor, mix};
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use crate::{Color, Refusal};
use serde::{Deserialize, Serialize};

/// Tints the image with a color.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tint {
    /// The color.
    #[serde(alias = "colour")]
    pub color: Color,
    /// Strength in percent.
    pub percent: f64,
}

const SCALE: Scale =
    Scale { what: "the strength of the tint", values: [5.0, 15.0, 30.0, 50.0, 80.0] };
const HEADS: &[&str] = &["tint", "tinted", "tinting", "color cast"];

const STRENGTH: Parameter =
    Parameter::new("the strength of a tint", "%", (0.0, 100.0)).scaled(SCALE.values);

impl Spoken for Tint {
    const CAPABILITY: Capability = Capability {
        name: "tint",
        parameters: &[STRENGTH],
        controls: &[
            Control::color("color", "Color"),
            Control::number("percent", "Strength", STRENGTH),
        ],
        summary: "Tints the image with a color.",
        definition: "c * (1 - s) + luma * color * s on sRGB channels, Rec. 709 luma, s = percent / 100.",
        heads: HEADS,
        details: strength::DETAILS,
        examples: &["tint it blue", "add a slight red tint", "tint it with #ff8800 at 20%"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        if clause.head(HEADS).is_none() {
            return Ok(None);
        }
        let color = clause
            .color()
            .ok_or_else(|| Refusal::missing("name the color of the tint: \"tint it blue\""))?;
        Ok(Some(Self { color, percent: SCALE.percent(clause)? }))
    }
}

impl Operation for Tint {
    fn words(&self) -> String {
        format!("tint with {} at {}%", self.color, self.percent)
    }

    fn check(&self) -> Result<(), String> {
        if !self.color.is_opaque() {
            return Err("the color of a tint must be opaque".to_owned());
        }
        STRENGTH.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let [red, green, blue, _] = self.color.rgba.map(|channel| f32::from(channel) / 255.0);
        let line = |channel: f32| [LUMA[0] * channel, LUMA[1] * channel, LUMA[2] * channel, 0.0];
        vec![Point::Matrix(mix([line(red), line(green), line(blue)], factor(self.percent - 100.0)))]
    }
}
