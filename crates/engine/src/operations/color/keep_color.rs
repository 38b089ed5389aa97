//! Keep one color: grays except for hues close to it, `Y + w (c - Y)`.

//! w is 1 where the HSV hue in degrees is within the tolerance of the color's hue, and falls
//! smoothly to 0 at 1.5 times the tolerance. Grays stay gray.

use crate::Color;
use crate::kernels::Point;
use crate::kernels::point::{channels, fade, luma};
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use serde::{Deserialize, Serialize};

/// Converts everything except one color to grays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeepColor {
    /// The color to keep.
    #[serde(alias = "colour")]
    pub color: Color,
    /// How far a hue may differ and still be kept, in degrees of the color wheel.
    pub tolerance_degrees: f64,
}

/// The default tolerances: small between red and yellow, where color names are close together and
/// wood or skin must not count as red, and large elsewhere, where greens and blues are far apart.
const TOLERANCE_DEGREES: [f64; 2] = [15.0, 40.0];
/// The range of hues whose names are close together, in degrees.
const CLOSE_DEGREES: (f32, f32) = (-30.0, 65.0);

const TOLERANCE: Parameter = Parameter::new("a tolerance", " degrees", (1.0, 120.0));

impl Described for KeepColor {
    const CAPABILITY: Capability = Capability {
        name: "keep_color",
        parameters: &[TOLERANCE],
        controls: &[
            Control::color("color", "Color"),
            Control::number("tolerance_degrees", "Tolerance", TOLERANCE),
        ],
        summary: "Converts everything except one color to grays.",
        definition: "Y + w * (c - Y) on sRGB channels, where Y is the Rec. 709 luma and w = 1 \
                     where the HSV hue is within the tolerance of the color's hue, falling as a \
                     cubic to 0 at 1.5 times the tolerance.",
        examples: &["black and white except red", "keep only the blue, tolerance 20 degrees"],
    };
}

/// The default tolerance around a hue, in degrees.
pub(super) fn usual_tolerance(hue: f32) -> f64 {
    let [close, far] = TOLERANCE_DEGREES;
    if hue >= CLOSE_DEGREES.0 && hue <= CLOSE_DEGREES.1 { close } else { far }
}

/// The hue of HSV in degrees, from -60 to 300; 0 for grays.
pub(super) fn hue([red, green, blue]: [f32; 3]) -> f32 {
    let (largest, smallest) = (red.max(green).max(blue), red.min(green).min(blue));
    let chroma = largest - smallest;
    if chroma <= 0.0 {
        0.0
    } else if largest == red {
        60.0 * (green - blue) / chroma
    } else if largest == green {
        60.0 * (blue - red) / chroma + 120.0
    } else {
        60.0 * (red - green) / chroma + 240.0
    }
}

impl Operation for KeepColor {
    fn words(&self) -> String {
        format!("keep only {}, tolerance {} degrees", self.color, self.tolerance_degrees)
    }

    fn check(&self) -> Result<(), String> {
        let [red, green, blue, _] = self.color.rgba;
        if !self.color.is_opaque() || (red == green && green == blue) {
            return Err(format!("{} has no hue to keep", self.color));
        }
        TOLERANCE.check(self.tolerance_degrees)
    }

    #[expect(clippy::cast_possible_truncation, reason = "an angle")]
    fn points(&self) -> Vec<Point> {
        let kept = hue(channels(self.color));
        let near = self.tolerance_degrees as f32;
        vec![Point::colors(move |color| {
            let apart = (hue(color) - kept).abs();
            let weight = fade(apart.min(360.0 - apart), near, near * 1.5);
            let gray = luma(color);
            color.map(|channel| gray + weight * (channel - gray))
        })]
    }
}
