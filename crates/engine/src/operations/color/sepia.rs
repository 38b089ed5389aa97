//! Sepia: the CSS `sepia()` matrix (Filter Effects Level 1).

use crate::Refusal;
use crate::instruction::Clause;
use crate::instruction::patterns::share;
use crate::kernels::point::{factor, mix};
use crate::kernels::{Matrix, Point};
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use serde::{Deserialize, Serialize};

/// Gives the image the brown tone of old prints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sepia {
    /// The strength of the effect in percent; 100 is the full effect.
    pub percent: f64,
}

const SHARE: Parameter = Parameter::new("the amount of sepia", "%", (0.0, 100.0)).usually(100.0);

impl Spoken for Sepia {
    const CAPABILITY: Capability = Capability {
        name: "sepia",
        parameters: &[SHARE],
        controls: &[Control::number("percent", "Amount", SHARE)],
        summary: "Gives the image the brown tone of old prints.",
        definition: "CSS sepia(a) on sRGB channels.",
        heads: &["sepia", "sepia tone", "sepia toned", "sepia tones", "sepia effect"],
        details: share::DETAILS,
        examples: &["give it a sepia tone", "60% sepia"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        Ok(share::read(clause, Self::CAPABILITY.heads)?.map(|percent| Self { percent }))
    }
}

impl Operation for Sepia {
    fn words(&self) -> String {
        share::words_of("sepia", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        SHARE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let brown: Matrix =
            [[0.393, 0.769, 0.189, 0.0], [0.349, 0.686, 0.168, 0.0], [0.272, 0.534, 0.131, 0.0]];
        vec![Point::Matrix(mix(brown, factor(self.percent - 100.0)))]
    }
}
