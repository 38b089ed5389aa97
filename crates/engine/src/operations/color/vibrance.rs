//! Vibrance: a change in saturation that spares colors that are already saturated.
//!
//! `Y + k (c - Y)` with k = 1 + t (1 - (max - min)), t = percent / 100. Y is the luma, and max and
//! min are the largest and the smallest channel.

use crate::kernels::Point;
use crate::kernels::point::{factor, luma};
use crate::operation::{
    CHANGE_SCALE, Capability, Control, Described, Operation, Parameter, changed,
};
use serde::{Deserialize, Serialize};

/// Makes weak colors stronger (or weaker) and hardly changes strong ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Vibrance {
    /// The change in percent of the current value for a color close to gray.
    pub percent: f64,
}

const CHANGE: Parameter =
    Parameter::new("a change in vibrance", "%", (-100.0, 200.0)).scaled(CHANGE_SCALE);

impl Described for Vibrance {
    const CAPABILITY: Capability = Capability {
        name: "vibrance",
        parameters: &[CHANGE],
        controls: &[Control::number("percent", "Amount", CHANGE)],
        summary: "Makes muted colors stronger and leaves strong colors almost unchanged.",
        definition: "Y + k * (c - Y) on sRGB channels, where Y is the Rec. 709 luma and k = 1 + t \
                     * (1 - (max - min)), t = percent / 100.",
        examples: &["increase the vibrance by 30%", "make the colors pop", "a bit more vibrant"],
    };
}

impl Operation for Vibrance {
    fn words(&self) -> String {
        changed("vibrance", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let change = factor(self.percent - 100.0);
        vec![Point::colors(move |color| {
            let [red, green, blue] = color;
            let chroma = red.max(green).max(blue) - red.min(green).min(blue);
            let (middle, factor) = (luma(color), 1.0 + change * (1.0 - chroma));
            color.map(|channel| middle + factor * (channel - middle))
        })]
    }
}
