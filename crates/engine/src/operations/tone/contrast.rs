//! Contrast: `(c - 0.5) * k + 0.5`.

//! k = 1 + percent / 100, on sRGB values, like CSS `contrast(k)` (Filter Effects Level 1).

use crate::kernels::Point;
use crate::kernels::point::{self, diagonal};
use crate::operation::{
    CHANGE_SCALE, Capability, Control, Described, Operation, Parameter, changed,
};
use serde::{Deserialize, Serialize};

/// Increases or reduces the difference between light and dark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contrast {
    /// The change in percent of the current value: 20 adds a fifth, -100 leaves nothing.
    pub percent: f64,
}

const CHANGE: Parameter =
    Parameter::new("a change in contrast", "%", (-100.0, 400.0)).scaled(CHANGE_SCALE);

impl Described for Contrast {
    const CAPABILITY: Capability = Capability {
        name: "contrast",
        parameters: &[CHANGE],
        controls: &[Control::number("percent", "Amount", CHANGE)],
        summary: "Increases or reduces the difference between light and dark.",
        definition: "CSS contrast(k): (c - 0.5) * k + 0.5 on sRGB channels, k = 1 + percent / 100.",
        examples: &["increase the contrast", "add a bit more contrast", "reduce contrast by 15%"],
    };
}

impl Operation for Contrast {
    fn words(&self) -> String {
        changed("contrast", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let factor = point::factor(self.percent);
        vec![Point::Matrix(diagonal([factor; 3], 0.5 - 0.5 * factor))]
    }
}
