//! Keep one color: grays except for hues close to it, `Y + w (c - Y)`.

//! w is 1 where the HSV hue in degrees is within the tolerance of the color's hue, and falls
//! smoothly to 0 at 1.5 times the tolerance. Grays stay gray.

use crate::instruction::{Clause, Unit};
use crate::kernels::Point;
use crate::kernels::point::{channels, fade, luma};
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use crate::{Color, Refusal};
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
const GRAYS: &[&str] = &[
    "grayscale",
    "black and white",
    "bw",
    "monochrome",
    "desaturate",
    "remove all color",
    "remove all colors",
    "remove all the colors",
];
const EXCEPT: &[&str] = &[
    "except",
    "except for",
    "everything but",
    "all but",
    "but not",
    "apart from",
    "other than",
    "keep",
    "keeping",
    "kept",
    "leave",
    "leaving",
    "but keep",
    "but leave",
    "save for",
];
const ALONE: &[&str] = &["color splash", "selective color", "keep only", "only keep"];
/// Also "keep only", but these words are too common to be heads.
const JUST: &[&str] = &["keep just", "just keep"];

const TOLERANCE: Parameter = Parameter::new("a tolerance", " degrees", (1.0, 120.0));

impl Spoken for KeepColor {
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
        heads: ALONE,
        details: &[
            "except",
            "everything but",
            "all but",
            "apart from",
            "other than",
            "kept",
            "colored",
            "tolerance",
            "save for",
        ],
        examples: &["black and white except red", "keep only the blue, tolerance 20 degrees"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let alone = clause.head(ALONE).is_some() || clause.head(JUST).is_some();
        let grays = clause.take(GRAYS).is_some() || (!alone && clause.take(&["gray"]).is_some());
        let except = alone || (grays && clause.take(EXCEPT).is_some());
        if !except {
            return Ok(None);
        }
        clause.take_all(&[
            "tolerance",
            "everything",
            "all",
            "in color",
            "colored",
            "within",
            "else",
            "rest",
            "everything else",
        ]);
        let Some(color) = clause.color_of_things() else { return Ok(None) };
        clause.take_all(&["in color"]);
        let tolerance_degrees = match clause.quantity() {
            Some(said) if !said.signed && matches!(said.unit, Unit::Degrees | Unit::None) => {
                said.value
            }
            Some(_) => {
                return Err(Refusal::missing(
                    "give the tolerance in degrees of the color wheel: \"tolerance 30 degrees\"",
                ));
            }
            None => {
                let degrees = usual_tolerance(hue(channels(color)));
                clause.assumed.push(format!(
                    "every hue within {degrees} degrees of it is kept, anywhere in the image"
                ));
                degrees
            }
        };
        Ok(Some(Self { color, tolerance_degrees }))
    }
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
