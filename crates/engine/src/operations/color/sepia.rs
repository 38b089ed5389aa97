//! Sepia: the CSS `sepia()` matrix (Filter Effects Level 1).

use crate::kernels::point::{factor, mix};
use crate::kernels::{Matrix, Point};
use crate::operation::{Capability, Control, Described, Operation, Parameter, applied};
use serde::{Deserialize, Serialize};

/// Gives the image the brown tone of old prints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sepia {
    /// The strength of the effect in percent; 100 is the full effect.
    pub percent: f64,
}

const SHARE: Parameter = Parameter::new("the amount of sepia", "%", (0.0, 100.0)).usually(100.0);

impl Described for Sepia {
    const CAPABILITY: Capability = Capability {
        name: "sepia",
        parameters: &[SHARE],
        controls: &[Control::number("percent", "Amount", SHARE)],
        summary: "Gives the image the brown tone of old prints.",
        definition: "CSS sepia(a) on sRGB channels.",
        examples: &["give it a sepia tone", "60% sepia"],
    };
}

impl Operation for Sepia {
    fn words(&self) -> String {
        applied("sepia", self.percent)
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
