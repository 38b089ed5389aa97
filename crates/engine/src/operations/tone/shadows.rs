//! Shadows: the luma Y becomes `Y * 2^(2 t (1 - Y)^3)`, t = percent / 100.
//!
//! Every channel is scaled like the luma, but never beyond its maximum, so that hue and saturation
//! do not change. The factor of two stops at black is our choice.

use super::point::by_luma;
use super::tones::{self, Tones};
use super::{Capability, Operation, Parameter, Point, Spoken};
use crate::Refusal;
use crate::instruction::Clause;
use serde::{Deserialize, Serialize};

/// Makes the dark tones lighter or darker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shadows {
    /// The change, from -100 (much darker) to 100 (much lighter).
    pub percent: f64,
}

const WORDS: Tones = Tones {
    nouns: &[
        "shadows",
        "shadow areas",
        "shadow tones",
        "dark areas",
        "dark parts",
        "dark tones",
        "darker areas",
        "darker parts",
        "darkest parts",
        "shadow detail",
        "shadow details",
    ],
    lighter: &["recover", "bring out", "open", "boost"],
    darker: &[],
    grows: false,
};

const CHANGE: Parameter =
    Parameter::new("a change in shadows", "%", (-100.0, 100.0)).scaled(tones::SCALE.values);

impl Spoken for Shadows {
    const CAPABILITY: Capability = Capability {
        name: "shadows",
        parameters: &[CHANGE],
        summary: "Makes the dark tones lighter or darker.",
        definition: "Rec. 709 luma Y of the sRGB channels becomes Y * 2^(2t(1 - Y)^3), t = \
                     percent / 100; the channels are scaled with it, until one reaches its \
                     maximum.",
        heads: WORDS.nouns,
        details: tones::DETAILS,
        examples: &["lift the shadows", "brighten the shadows by 30%", "darken the shadows a bit"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        Ok(tones::read(clause, &WORDS)?.map(|percent| Self { percent }))
    }
}

impl Operation for Shadows {
    fn words(&self) -> String {
        tones::words_of("shadows", self.percent)
    }

    fn change(&self) -> Option<f64> {
        Some(self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let t = self.percent / 100.0;
        vec![by_luma(move |y| y * (2.0 * t * (1.0 - y).powi(3)).exp2())]
    }
}
