//! Colourise: all shades of one colour, with the luma of the picture.

//! From black over the colour, at its own luma, to white: `t Y / Yt` below the colour's luma Yt and
//! `t + (1 - t) (Y - Yt) / (1 - Yt)` above. Less than all of it is mixed with the picture.

use super::phrases::phrases;
use super::point::{channels, luma};
use super::{Capability, Operation, Parameter, Point, Spoken};
use crate::instruction::{Clause, Unit};
use crate::{Colour, Refusal, RefusalKind};
use serde::{Deserialize, Serialize};

/// Prints the picture in shades of one colour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Colourise {
    /// The colour.
    pub colour: Colour,
    /// How much of the effect is mixed in, in percent: 100 is all of it.
    pub percent: f64,
}

const HEADS: &[&str] = &["colourise", "colourised", "colourising"];
/// These name it only with a colour that has a hue: shades of grey are another step.
const WITH_HUE: &[&str] = &["shades of", "in tones of", "monotone"];
/// The same; alone they are heads of greyscale.
const OF_GREYS_TOO: &[&str] = &["monochrome", "monochromatic"];

const STRENGTH: Parameter =
    Parameter::new("the strength of colourising", "%", (0.0, 100.0)).usually(100.0);

impl Spoken for Colourise {
    const CAPABILITY: Capability = Capability {
        name: "colourise",
        parameters: &[STRENGTH],
        summary: "Prints the picture in shades of one colour.",
        definition: "Y / Yt * t below the colour's luma Yt, t + (1 - t) * (Y - Yt) / (1 - Yt) above, on sRGB channels with Rec. \
            709 luma, mixed in by percent / 100.",
        heads: phrases!(HEADS, WITH_HUE),
        details: &["one colour", "strength", "intensity"],
        examples: &["colourise it in blue", "in shades of #704214", "colourise with teal at 50%"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let sure = clause.head(HEADS).is_some();
        if !sure && clause.head(WITH_HUE).is_none() && clause.head(OF_GREYS_TOO).is_none() {
            return Ok(None);
        }
        let colour = clause.colour().filter(|colour| {
            let [red, green, blue, _] = colour.rgba;
            colour.is_opaque() && (sure || red != green || green != blue)
        });
        let Some(colour) = colour else {
            return if sure && clause.leftover().is_none() { Err(generative()) } else { Ok(None) };
        };
        clause.take_all(&["strength", "intensity"]);
        let percent = match clause.quantity() {
            Some(said) if said.unit == Unit::Percent && !said.signed => said.value,
            Some(_) => {
                return Err(Refusal::missing(
                    "say how strong it is in percent, for example \"50%\"",
                ));
            }
            None => 100.0,
        };
        Ok(Some(Self { colour, percent }))
    }
}

fn generative() -> Refusal {
    Refusal::new(
        RefusalKind::NeedsGenerativeModel,
        "giving things their colours needs a generative model; this editor can print the picture in shades of one \
         colour: \"colourise it in blue\"",
    )
}

impl Operation for Colourise {
    fn words(&self) -> String {
        format!("colourise in {} at {}%", self.colour, self.percent)
    }

    fn check(&self) -> Result<(), String> {
        if !self.colour.is_opaque() {
            return Err("colourising needs an opaque colour".to_owned());
        }
        STRENGTH.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let share = super::point::factor(self.percent - 100.0);
        let tint = channels(self.colour);
        let own = luma(tint);
        vec![Point::colours(move |colour| {
            let grey = luma(colour);
            let below = grey / own.max(1e-6);
            let above = (grey - own) / (1.0 - own).max(1e-6);
            let shade = |tint: f32| {
                if grey <= own { tint * below } else { tint + (1.0 - tint) * above }
            };
            let [red, green, blue] = colour;
            [
                red + share * (shade(tint[0]) - red),
                green + share * (shade(tint[1]) - green),
                blue + share * (shade(tint[2]) - blue),
            ]
        })]
    }
}
