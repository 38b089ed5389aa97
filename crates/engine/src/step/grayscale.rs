//! Grayscale: every channel becomes the Rec. 709 luma, as CSS `grayscale()`.

use super::phrases::phrases;
use super::point::{LUMA, factor, mix};
use super::{Capability, Operation, Parameter, Point, Spoken, share};
use crate::Refusal;
use crate::instruction::Clause;
use serde::{Deserialize, Serialize};

/// Turns colours into greys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grayscale {
    /// How much of the effect is mixed in, in percent: 100 is all of it.
    pub percent: f64,
}

const SHARE: Parameter = Parameter::new("the share of grayscale", "%", (0.0, 100.0)).usually(100.0);

/// What is taken away, with nothing said of which colour.
const COLOURS: &[&str] = &[
    "all the colours",
    "all the colour",
    "all colours",
    "all colour",
    "the colours",
    "the colour",
    "colours",
    "colour",
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
        summary: "Turns colours into greys.",
        definition: "CSS grayscale(a): Rec. 709 luma 0.2126 R + 0.7152 G + 0.0722 B of the sRGB channels.",
        heads: &[
            "greyscale",
            "black and white",
            "b and w",
            "bw",
            "grey scale",
            "monochrome",
            "monochromatic",
            "black n white",
            "shades of grey",
            "in greys",
            "all grey",
            "blackandwhite",
            "desaturate completely",
            "completely desaturate",
            "fully desaturate",
            "desaturate fully",
            "remove the colour",
            "remove all colour",
            "remove all the colour",
            "remove colour",
            "remove the colours",
            "remove all colours",
            "remove all the colours",
            "take out the colour",
            "take out all the colour",
            "take the colour out",
            "without colour",
            "noir",
            "mono",
            "colourless",
            "turn grey",
            "it grey",
            "everything grey",
            "to grey",
            "into grey",
            "picture grey",
            "image grey",
            "photo grey",
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

/// "get rid of the colour", "strip all colours out of it".
fn drained(clause: &mut Clause<'_>) -> bool {
    let mut trial = clause.clone();
    if trial.head(COLOURS).is_none() || trial.take(REMOVES).is_none() {
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
