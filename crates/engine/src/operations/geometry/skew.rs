//! Skew: slants the image, so that a rectangle becomes a parallelogram.

use super::affine;
use crate::kernels::Size;
use crate::kernels::size::to_u32;
use crate::length::whole;
use crate::operation::{Capability, Control, Described, Operation, Parameter, only};
use crate::{Color, ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Slants the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Skew {
    /// Which lines are slanted.
    pub axis: SkewAxis,
    /// The angle in degrees by which they turn; clockwise is positive.
    pub degrees: f64,
    /// The color of the corners that appear.
    pub background: Color,
}

/// The direction in which pixels move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkewAxis {
    /// Rows move sideways, so vertical lines are slanted.
    Horizontal,
    /// Columns move up or down, so horizontal lines are slanted.
    Vertical,
}

/// Beyond this, the image is hardly more than a line.
const ANGLE: Parameter = Parameter::new("a skew", " degrees", (-80.0, 80.0));

impl Described for Skew {
    const CAPABILITY: Capability = Capability {
        name: "skew",
        parameters: &[ANGLE],
        controls: &[
            Control::number("degrees", "Angle", ANGLE),
            Control::choice("axis", "Direction", &["horizontal", "vertical"]),
            Control::clear_color("background", "Background"),
        ],
        summary: "Slants the image.",
        definition: "To the right by a: x' = x - y * tan(a), where x and y are counted from the \
                     center and y goes down, so the top moves to the right. To the left, it moves \
                     to the left. Down by a: y' = y + x * tan(a), so the right side moves down. \
                     Bilinear sampling on premultiplied values. The canvas grows, and the corners \
                     are transparent unless a color is given.",
        examples: &[
            "skew it 10 degrees to the right",
            "skew it 15 degrees to the left with a white background",
            "skew it vertically by 10 degrees",
        ],
    };
}

impl Operation for Skew {
    fn words(&self) -> String {
        let way = match (self.axis, self.degrees < 0.0) {
            (SkewAxis::Horizontal, false) => "to the right",
            (SkewAxis::Horizontal, true) => "to the left",
            (SkewAxis::Vertical, false) => "down",
            (SkewAxis::Vertical, true) => "up",
        };
        let words = format!("skew {} degrees {way}", self.degrees.abs());
        if self.background == Color::TRANSPARENT {
            return words;
        }
        format!("{words} with a {} background", self.background)
    }

    fn check(&self) -> Result<(), String> {
        ANGLE.check(self.degrees)
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        Ok(self.grown(inputs.first().copied().unwrap_or((1, 1))))
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let picture = only(pictures)?;
        let size = self.grown(picture.size());
        let slope = self.slope();
        let inverse = match self.axis {
            SkewAxis::Horizontal => [[1.0, slope], [0.0, 1.0]],
            SkewAxis::Vertical => [[1.0, 0.0], [-slope, 1.0]],
        };
        affine::moved(&picture, (inverse, (to_u32(size.0), to_u32(size.1))), self.background)
    }
}

impl Skew {
    fn slope(&self) -> f64 {
        self.degrees.to_radians().tan()
    }

    /// The size that contains the whole slanted image. An excess of up to a thousandth of a pixel is
    /// ignored.
    fn grown(&self, (width, height): Size) -> (u64, u64) {
        let side = |pixels: u32, by: u32| {
            whole((f64::from(pixels) + f64::from(by) * self.slope().abs() - 1e-3).ceil()).max(1)
        };
        match self.axis {
            SkewAxis::Horizontal => (side(width, height), u64::from(height)),
            SkewAxis::Vertical => (u64::from(width), side(height, width)),
        }
    }
}
