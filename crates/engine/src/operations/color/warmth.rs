//! Warmth: raises red and lowers blue, or the reverse.
//!
//! With t = percent / 100: red * (1 + 0.25 t), green * (1 + 0.05 t), blue * (1 - 0.25 t). The gains
//! are our choice. They change gray about as much as 100% on the temperature slider of a photo
//! editor.

use crate::kernels::Point;
use crate::kernels::point::{diagonal, factor};
use crate::operation::{
    CHANGE_SCALE, Capability, Control, Described, Operation, Parameter, changed,
};
use serde::{Deserialize, Serialize};

/// Makes the colors warmer or cooler.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Warmth {
    /// The change in percent. Positive values are warmer, negative values are cooler.
    pub percent: f64,
}

const CHANGE: Parameter =
    Parameter::new("a change in warmth", "%", (-100.0, 100.0)).scaled(CHANGE_SCALE);

impl Described for Warmth {
    const CAPABILITY: Capability = Capability {
        name: "warmth",
        parameters: &[CHANGE],
        controls: &[Control::number("percent", "Amount", CHANGE)],
        summary: "Makes the colors warmer or cooler.",
        definition: "Red * (1 + 0.25 t), green * (1 + 0.05 t), blue * (1 - 0.25 t) on sRGB channels, t = percent / 100.",
        examples: &["make it warmer", "make it a bit cooler", "increase the warmth by 30%"],
    };
}

impl Operation for Warmth {
    fn words(&self) -> String {
        changed("warmth", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let share = factor(self.percent) - 1.0;
        vec![Point::Matrix(diagonal(
            [1.0 + 0.25 * share, 1.0 + 0.05 * share, 1.0 - 0.25 * share],
            0.0,
        ))]
    }
}
