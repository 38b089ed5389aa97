//! Highlights: the luma Y becomes `1 - (1 - Y) * 2^(-2 t Y^3)`, t = percent / 100.

//! This mirrors the change of the shadows: white stays white.

use super::point::by_luma;
use super::tones::{self, Tones};
use super::{Capability, Operation, Parameter, Point, Spoken};
use crate::Refusal;
use crate::instruction::Clause;
use serde::{Deserialize, Serialize};

/// Makes the bright tones lighter or darker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Highlights {
    /// How much, from -100 (much darker) to 100 (much lighter).
    pub percent: f64,
}

const WORDS: Tones = Tones {
    nouns: &[
        "highlights",
        "highlight areas",
        "highlight tones",
        "bright areas",
        "bright parts",
        "bright tones",
        "light areas",
        "light parts",
        "light tones",
        "brighter areas",
        "brighter parts",
        "brightest parts",
        "lightest parts",
        "highlight detail",
        "highlight details",
    ],
    lighter: &[],
    darker: &["recover", "tame", "tone down", "bring back", "pull back", "take down"],
    grows: true,
};

const CHANGE: Parameter =
    Parameter::new("a change in highlights", "%", (-100.0, 100.0)).scaled(tones::SCALE.values);

impl Spoken for Highlights {
    const CAPABILITY: Capability = Capability {
        name: "highlights",
        parameters: &[CHANGE],
        summary: "Makes the bright tones lighter or darker.",
        definition: "Rec. 709 luma Y of the sRGB channels becomes 1 - (1 - Y) * 2^(-2tY^3), t = \
                     percent / 100; the channels are scaled with it, until one reaches its \
                     maximum.",
        heads: WORDS.nouns,
        details: WORDS.darker,
        examples: &[
            "bring down the highlights",
            "reduce the highlights by 30%",
            "brighten the highlights",
        ],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        Ok(tones::read(clause, &WORDS)?.map(|percent| Self { percent }))
    }
}

impl Operation for Highlights {
    fn words(&self) -> String {
        tones::words_of("highlights", self.percent)
    }

    fn change(&self) -> Option<f64> {
        Some(self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let t = self.percent / 100.0;
        vec![by_luma(move |y| 1.0 - (1.0 - y) * (-2.0 * t * y.powi(3)).exp2())]
    }
}
