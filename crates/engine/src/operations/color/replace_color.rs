//! Replace a color: `c + w a (to - from)`, where w depends on the distance of a pixel's color from
//! the replaced one, and a is how much of that color the pixel contains.
//!
//! The distance is Euclidean in the three sRGB channels, and 1 from black to white. w is 1 within
//! the tolerance and falls smoothly to 0 at one and a half times the tolerance. a is the pixel's
//! share of the replaced color along its direction from black, at most 1, so that a shade of the
//! one color becomes the same shade of the other and shadows remain. If the replaced color is
//! black, a is 1. Only colors count: the editor does not recognize objects.

use crate::Color;
use crate::kernels::Point;
use crate::kernels::point::{channels, factor, fade};
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use serde::{Deserialize, Serialize};

/// Replaces one color with another everywhere in the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplaceColor {
    /// The color to replace.
    pub from: Color,
    /// The new color.
    pub to: Color,
    /// How far a color may differ from the replaced one, in percent of the distance from black to
    /// white.
    pub tolerance_percent: f64,
}

/// The default tolerance.
const TOLERANCE_PERCENT: f64 = 20.0;

const TOLERANCE: Parameter =
    Parameter::new("a tolerance", "%", (0.0, 100.0)).usually(TOLERANCE_PERCENT);

impl Described for ReplaceColor {
    const CAPABILITY: Capability = Capability {
        name: "replace_color",
        parameters: &[TOLERANCE],
        controls: &[
            Control::color("from", "From"),
            Control::color("to", "To"),
            Control::number("tolerance_percent", "Tolerance", TOLERANCE),
        ],
        summary: "Replaces one color with another everywhere in the image.",
        definition: "c + w * a * (to - from) on sRGB channels, a = c.from / from.from limited to 0 to 1 (1 where from is black), w = 1 where the Euclidean distance from the color (black to \
            white is 100%) is within the tolerance, falling as a cubic to 0 at 1.5 times it.",
        examples: &[
            "replace red with blue",
            "change red to blue, tolerance 20%",
            "replace all white pixels with #ffeecc",
        ],
    };
}

impl Operation for ReplaceColor {
    fn words(&self) -> String {
        format!("replace {} with {}, tolerance {}%", self.from, self.to, self.tolerance_percent)
    }

    fn check(&self) -> Result<(), String> {
        if !self.from.is_opaque() || !self.to.is_opaque() {
            return Err("both colors must be opaque".to_owned());
        }
        TOLERANCE.check(self.tolerance_percent)
    }

    fn points(&self) -> Vec<Point> {
        let (from, to) = (channels(self.from), channels(self.to));
        let dot = |one: [f32; 3], other: [f32; 3]| {
            one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
        };
        let whole = dot(from, from);
        // Less than half a level at least, so that a tolerance of nothing means the color itself.
        let near = (factor(self.tolerance_percent - 100.0)).max(0.001);
        vec![Point::colors(move |color| {
            let [red, green, blue] = color;
            let (r, g, b) = (red - from[0], green - from[1], blue - from[2]);
            let distance = ((r * r + g * g + b * b) / 3.0).sqrt();
            let weight = fade(distance, near, near * 1.5);
            let share = if whole == 0.0 { 1.0 } else { (dot(color, from) / whole).clamp(0.0, 1.0) };
            let shift = |channel: f32, from: f32, to: f32| channel + weight * share * (to - from);
            [shift(red, from[0], to[0]), shift(green, from[1], to[1]), shift(blue, from[2], to[2])]
        })]
    }
}
