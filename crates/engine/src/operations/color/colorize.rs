//! Colorize: all shades of one color, with the luma of the image.

//! From black, through the color at its own luma, to white: `t Y / Yt` below the color's luma Yt
//! and `t + (1 - t) (Y - Yt) / (1 - Yt)` above. At less than 100%, the result is mixed with the
//! image.

use crate::Color;
use crate::kernels::Point;
use crate::kernels::point::{channels, factor, luma};
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use serde::{Deserialize, Serialize};

/// Renders the image in shades of one color.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Colorize {
    /// The color.
    #[serde(alias = "colour")]
    pub color: Color,
    /// Amount of the effect in percent; 100 is the full effect.
    pub percent: f64,
}

const STRENGTH: Parameter =
    Parameter::new("the strength of colorizing", "%", (0.0, 100.0)).usually(100.0);

impl Described for Colorize {
    const CAPABILITY: Capability = Capability {
        name: "colorize",
        parameters: &[STRENGTH],
        controls: &[
            Control::color("color", "Color"),
            Control::number("percent", "Strength", STRENGTH),
        ],
        summary: "Renders the image in shades of one color.",
        definition: "Y / Yt * t below the color's luma Yt, t + (1 - t) * (Y - Yt) / (1 - Yt) above, on sRGB channels with Rec. \
            709 luma, mixed in by percent / 100.",
        examples: &["colorize it in blue", "in shades of #704214", "colorize with teal at 50%"],
    };
}

impl Operation for Colorize {
    fn words(&self) -> String {
        format!("colorize in {} at {}%", self.color, self.percent)
    }

    fn check(&self) -> Result<(), String> {
        if !self.color.is_opaque() {
            return Err("the color must be opaque".to_owned());
        }
        STRENGTH.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let share = factor(self.percent - 100.0);
        let tint = channels(self.color);
        let own = luma(tint);
        vec![Point::colors(move |color| {
            let gray = luma(color);
            let below = gray / own.max(1e-6);
            let above = (gray - own) / (1.0 - own).max(1e-6);
            let shade = |tint: f32| {
                if gray <= own { tint * below } else { tint + (1.0 - tint) * above }
            };
            let [red, green, blue] = color;
            [
                red + share * (shade(tint[0]) - red),
                green + share * (shade(tint[1]) - green),
                blue + share * (shade(tint[2]) - blue),
            ]
        })]
    }
}
