//! Tint: mixes the image with its luma in the color of the tint, `c * (1 - s) + luma * tint * s` on
//! sRGB values, s = percent / 100.

use crate::Color;
use crate::kernels::Point;
use crate::kernels::point::{LUMA, factor, mix};
use crate::operation::{Capability, Control, Described, Operation, Parameter};
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

const SCALE: [f64; 5] = [5.0, 15.0, 30.0, 50.0, 80.0];

const STRENGTH: Parameter =
    Parameter::new("the strength of a tint", "%", (0.0, 100.0)).scaled(SCALE);

impl Described for Tint {
    const CAPABILITY: Capability = Capability {
        name: "tint",
        parameters: &[STRENGTH],
        controls: &[
            Control::color("color", "Color"),
            Control::number("percent", "Strength", STRENGTH),
        ],
        summary: "Tints the image with a color.",
        definition: "c * (1 - s) + luma * color * s on sRGB channels, Rec. 709 luma, s = percent / 100.",
        examples: &["tint it blue", "add a slight red tint", "tint it with #ff8800 at 20%"],
    };
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
