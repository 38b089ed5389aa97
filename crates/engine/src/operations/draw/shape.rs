//! Shape: draws a filled shape with smooth edges, inside a margin of 4% of the shorter side.

mod draw;

use crate::length::Length;
use crate::operation::{Capability, Control, Described, Operation, Parameter, check_length, only};
use crate::{Color, ExecuteError, Picture, Place, Sample};
use serde::{Deserialize, Serialize};

/// Draws a shape on the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// The kind of shape.
    pub shape: Outline,
    /// The color of the shape.
    #[serde(alias = "colour")]
    pub color: Color,
    /// The position of the shape.
    pub place: Place,
    /// The width of the shape. Percentages refer to the shorter side.
    pub size: Length,
}

/// The outline of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outline {
    /// A circle.
    Circle,
    /// An ellipse whose height is two thirds of its width.
    Ellipse,
    /// A square.
    Square,
    /// A rectangle whose height is two thirds of its width.
    Rectangle,
    /// A triangle as high as wide, with its base at the bottom.
    Triangle,
    /// A square standing on a corner.
    Diamond,
    /// A star with five points, one of them at the top.
    Star,
    /// A ring. Its hole has six tenths of its diameter.
    Ring,
    /// A heart: a square standing on a corner, with half a circle on each of its upper sides.
    Heart,
}

impl Outline {
    /// All outlines.
    pub const ALL: [Self; 9] = [
        Self::Circle,
        Self::Ellipse,
        Self::Square,
        Self::Rectangle,
        Self::Triangle,
        Self::Diamond,
        Self::Star,
        Self::Ring,
        Self::Heart,
    ];

    /// The word for the shape in instructions.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Ellipse => "ellipse",
            Self::Square => "square",
            Self::Rectangle => "rectangle",
            Self::Triangle => "triangle",
            Self::Diamond => "diamond",
            Self::Star => "star",
            Self::Ring => "ring",
            Self::Heart => "heart",
        }
    }
}

/// The margin around shapes, as a fraction of the shorter side. It is the same as around texts.
pub(super) const MARGIN: f64 = 0.04;
const SIZE_PX: Parameter = Parameter::new("the size of a shape", "px", (1.0, 16_384.0));
const SIZE_PERCENT: Parameter = Parameter::new("the size of a shape", "%", (0.1, 200.0));

/// The size on an image that is scaled by a factor.
pub(super) fn scaled(size: Length, factor: f64) -> Length {
    match size {
        Length::Pixels(px) => Length::Pixels((px * factor).max(1.0)),
        share @ Length::Percent(_) => share,
    }
}

impl Described for Shape {
    const CAPABILITY: Capability = Capability {
        name: "shape",
        parameters: &[],
        controls: &[
            Control::choice(
                "shape",
                "Shape",
                &[
                    "circle",
                    "ellipse",
                    "square",
                    "rectangle",
                    "triangle",
                    "diamond",
                    "star",
                    "ring",
                    "heart",
                ],
            ),
            Control::color("color", "Color"),
            Control::place("place", "Position"),
            Control::length("size", "Size", [SIZE_PX, SIZE_PERCENT]),
        ],
        summary: "Draws a filled shape at a position.",
        definition: "Each pixel is sampled at 16 points; the shape's opacity there is the share \
                     of points inside it. A heart is a square standing on a corner, with half a \
                     circle on each upper side.",
        examples: &["draw a red circle in the center", "draw a small yellow star at the top right"],
    };
}

impl Operation for Shape {
    fn words(&self) -> String {
        let (color, shape, place, size) =
            (self.color, self.shape.word(), self.place.words(), self.size);
        format!("draw a {color} {shape} at the {place} with a size of {size}")
    }

    fn check(&self) -> Result<(), String> {
        check_length(self.size, &SIZE_PX, &SIZE_PERCENT)
    }

    fn scale(&mut self, factor: f64) {
        self.size = scaled(self.size, factor);
    }

    fn in_place(&self) -> bool {
        true
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let mut picture = only(pictures)?;
        draw::draw(self, &mut picture);
        Ok(picture)
    }
}
