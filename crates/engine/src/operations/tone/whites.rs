//! Whites: each channel becomes `c + t c^3 / 4`, t = percent / 100.
//!
//! The factor of a quarter is our choice. The change moves the white end and leaves the black end
//! unchanged.

use super::phrases::phrases;
use super::tones::{self, Tones};
use super::{Capability, Operation, Parameter, Point, Spoken};
use crate::Refusal;
use crate::instruction::Clause;
use serde::{Deserialize, Serialize};

/// Makes the lightest tones lighter or darker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Whites {
    /// The change, from -100 (much darker) to 100 (much lighter).
    pub percent: f64,
}

const WORDS: Tones = Tones {
    nouns: &["whites", "white tones"],
    lighter: &["whiter"],
    darker: &["tone down"],
    grows: true,
};

const CHANGE: Parameter =
    Parameter::new("a change in whites", "%", (-100.0, 100.0)).scaled(tones::SCALE.values);

impl Spoken for Whites {
    const CAPABILITY: Capability = Capability {
        name: "whites",
        parameters: &[CHANGE],
        summary: "Makes the lightest tones lighter or darker.",
        definition: "Each sRGB channel becomes c + 0.25t * c^3, t = percent / 100.",
        heads: WORDS.nouns,
        details: phrases!(WORDS.lighter, WORDS.darker),
        examples: &["brighten the whites", "darken the whites by 20%"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        Ok(tones::read(clause, &WORDS)?.map(|percent| Self { percent }))
    }
}

impl Operation for Whites {
    fn words(&self) -> String {
        tones::words_of("whites", self.percent)
    }

    fn change(&self) -> Option<f64> {
        Some(self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let t = self.percent / 100.0;
        vec![Point::curve(move |c| c + 0.25 * t * c.powi(3))]
    }
}
