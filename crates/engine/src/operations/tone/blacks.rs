//! Blacks: each channel becomes `c + t (1 - c)^3 / 4`, t = percent / 100.

//! This mirrors the change of the whites: it moves the black end and leaves the white end
//! unchanged.

use super::phrases::phrases;
use super::tones::{self, Tones};
use super::{Capability, Operation, Parameter, Point, Spoken};
use crate::Refusal;
use crate::instruction::Clause;
use serde::{Deserialize, Serialize};

/// Makes the darkest tones lighter or darker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Blacks {
    /// How much, from -100 (much darker) to 100 (much lighter).
    pub percent: f64,
}

const WORDS: Tones = Tones {
    nouns: &["blacks", "black tones"],
    lighter: &["fade"],
    darker: &["crush", "crushed", "richer", "blacker"],
    grows: false,
};

const CHANGE: Parameter =
    Parameter::new("a change in blacks", "%", (-100.0, 100.0)).scaled(tones::SCALE.values);

impl Spoken for Blacks {
    const CAPABILITY: Capability = Capability {
        name: "blacks",
        parameters: &[CHANGE],
        summary: "Makes the darkest tones lighter or darker.",
        definition: "Each sRGB channel becomes c + 0.25t * (1 - c)^3, t = percent / 100.",
        heads: WORDS.nouns,
        details: phrases!(WORDS.lighter, WORDS.darker),
        examples: &["lift the blacks", "deepen the blacks by 20%"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        Ok(tones::read(clause, &WORDS)?.map(|percent| Self { percent }))
    }
}

impl Operation for Blacks {
    fn words(&self) -> String {
        tones::words_of("blacks", self.percent)
    }

    fn change(&self) -> Option<f64> {
        Some(self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let t = self.percent / 100.0;
        vec![Point::curve(move |c| c + 0.25 * t * (1.0 - c).powi(3))]
    }
}
