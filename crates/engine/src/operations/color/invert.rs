//! Invert: `1 - c`, like CSS `invert()`; exactly 255 - c for bytes.

use crate::Refusal;
use crate::instruction::Clause;
use crate::instruction::patterns::share;
use crate::kernels::Point;
use crate::kernels::point::{diagonal, factor, mix};
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use serde::{Deserialize, Serialize};

/// Inverts the colors, like a photographic negative.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Invert {
    /// Amount of the effect in percent; 100 is the full effect.
    pub percent: f64,
}

const SHARE: Parameter =
    Parameter::new("the amount of inversion", "%", (0.0, 100.0)).usually(100.0);

impl Spoken for Invert {
    const CAPABILITY: Capability = Capability {
        name: "invert",
        parameters: &[SHARE],
        controls: &[Control::number("percent", "Amount", SHARE)],
        summary: "Inverts the colors, like a photographic negative.",
        definition: "CSS invert(a): 1 - c on sRGB channels.",
        heads: &[
            "invert",
            "inverted",
            "inverting",
            "invert the colors",
            "inverted colors",
            "negative",
            "negate",
            "invert all colors",
        ],
        details: share::DETAILS,
        examples: &["invert the colors", "make it a negative"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        Ok(share::read(clause, Self::CAPABILITY.heads)?.map(|percent| Self { percent }))
    }
}

impl Operation for Invert {
    fn words(&self) -> String {
        share::words_of("invert", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        SHARE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        vec![Point::Matrix(mix(diagonal([-1.0; 3], 1.0), factor(self.percent - 100.0)))]
    }
}
