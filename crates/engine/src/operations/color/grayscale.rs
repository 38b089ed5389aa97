//! Grayscale: every channel becomes the Rec. 709 luma, like CSS `grayscale()`.

use crate::Refusal;
use crate::instruction::patterns::share;
use crate::instruction::{Clause, phrases};
use crate::kernels::Point;
use crate::kernels::point::{LUMA, factor, mix};
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use serde::{Deserialize, Serialize};

/// Converts colors to grays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grayscale {
    /// Amount of the effect in percent; 100 is the full effect.
    pub percent: f64,
}

const SHARE: Parameter =
    Parameter::new("the amount of grayscale", "%", (0.0, 100.0)).usually(100.0);

/// Objects to remove that mean all colors.
const COLORS: &[&str] = &[
    "all the colors",
    "all the color",
    "all colors",
    "all color",
    "the colors",
    "the color",
    "colors",
    "color",
];
const REMOVES: &[&str] = &[
    "remove",
    "removing",
    "strip",
    "strip out",
    "strip away",
    "take",
    "take out",
    "take away",
    "drain",
    "suck",
    "kill",
    "lose",
    "get rid of",
    "drop",
    "discard",
    "eliminate",
    "delete",
];

impl Spoken for Grayscale {
    const CAPABILITY: Capability = Capability {
        name: "grayscale",
        parameters: &[SHARE],
        controls: &[Control::number("percent", "Amount", SHARE)],
        summary: "Converts colors to grays.",
        definition: "CSS grayscale(a): Rec. 709 luma 0.2126 R + 0.7152 G + 0.0722 B of the sRGB channels.",
        heads: &[
            "grayscale",
            "black and white",
            "b and w",
            "bw",
            "gray scale",
            "monochrome",
            "monochromatic",
            "black n white",
            "shades of gray",
            "in grays",
            "all gray",
            "blackandwhite",
            "desaturate completely",
            "completely desaturate",
            "fully desaturate",
            "desaturate fully",
            "remove the color",
            "remove all color",
            "remove all the color",
            "remove color",
            "remove the colors",
            "remove all colors",
            "remove all the colors",
            "take out the color",
            "take out all the color",
            "take the color out",
            "without color",
            "noir",
            "mono",
            "colorless",
            "turn gray",
            "it gray",
            "everything gray",
            "to gray",
            "into gray",
            "picture gray",
            "image gray",
            "photo gray",
        ],
        details: phrases!(share::DETAILS, REMOVES),
        examples: &["make it black and white", "convert to grayscale", "50% grayscale"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        if drained(clause) {
            return Ok(Some(Self { percent: 100.0 }));
        }
        Ok(share::read(clause, Self::CAPABILITY.heads)?.map(|percent| Self { percent }))
    }
}

/// "get rid of the color", "strip all colors out of it".
fn drained(clause: &mut Clause<'_>) -> bool {
    let mut trial = clause.clone();
    if trial.head(COLORS).is_none() || trial.take(REMOVES).is_none() {
        return false;
    }
    trial.take(&["out of", "out", "away", "from", "off"]);
    let all = trial.leftover().is_none();
    if all {
        *clause = trial;
    }
    all
}

impl Operation for Grayscale {
    fn words(&self) -> String {
        share::words_of("grayscale", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        SHARE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        vec![Point::Matrix(mix(
            [[LUMA[0], LUMA[1], LUMA[2], 0.0]; 3],
            factor(self.percent - 100.0),
        ))]
    }
}
