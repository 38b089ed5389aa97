//! Midtones: the luma Y becomes `Y + 3.2 t Y^2 (1 - Y)^2`, t = percent / 100.
//!
//! Black and white don't change, and the middle moves by at most a fifth of the range.

use super::point::by_luma;
use super::tones::{self, Tones};
use super::{Capability, Operation, Parameter, Point, Spoken};
use crate::Refusal;
use crate::instruction::Clause;
use serde::{Deserialize, Serialize};

/// Makes the midtones lighter or darker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Midtones {
    /// The change, from -100 (much darker) to 100 (much lighter).
    pub percent: f64,
}

const WORDS: Tones = Tones {
    nouns: &["midtones", "mid tones", "middle tones", "midtone", "mids"],
    lighter: &[],
    darker: &[],
    grows: true,
};

const CHANGE: Parameter =
    Parameter::new("a change in midtones", "%", (-100.0, 100.0)).scaled(tones::SCALE.values);

impl Spoken for Midtones {
    const CAPABILITY: Capability = Capability {
        name: "midtones",
        parameters: &[CHANGE],
        summary: "Makes the midtones lighter or darker.",
        definition: "Rec. 709 luma Y of the sRGB channels becomes Y + 3.2t * Y^2 * (1 - Y)^2, t = \
                     percent / 100; the channels are scaled with it, until one reaches its \
                     maximum.",
        heads: WORDS.nouns,
        details: &[],
        examples: &["brighten the midtones", "darken the midtones by 20%"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        Ok(tones::read(clause, &WORDS)?.map(|percent| Self { percent }))
    }
}

impl Operation for Midtones {
    fn words(&self) -> String {
        tones::words_of("midtones", self.percent)
    }

    fn change(&self) -> Option<f64> {
        Some(self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let t = self.percent / 100.0;
        vec![by_luma(move |y| y + 3.2 * t * (y * (1.0 - y)).powi(2))]
    }
}
