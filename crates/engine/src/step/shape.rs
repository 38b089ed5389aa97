//! Shape: a filled shape on the image, with smooth edges, inside a margin of 4% of the shorter
//! side.

mod draw;
mod words;

use super::{Capability, Operation, Spoken, only, within};
use crate::instruction::Clause;
use crate::length::Length;
use crate::{Color, ExecuteError, Picture, Place, Refusal, Sample};
use serde::{Deserialize, Serialize};

pub(super) use words::{on_ground, read as on_made};

/// Draws a shape.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// Which one.
    pub shape: Outline,
    /// Its color.
    #[serde(alias = "colour")]
    pub color: Color,
    /// Where it stands.
    pub place: Place,
    /// How wide it is; percentages are of the shorter side.
    pub size: Length,
}

/// The outline of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outline {
    /// As high as wide, round.
    Circle,
    /// Two thirds as high as wide, round.
    Ellipse,
    /// As high as wide.
    Square,
    /// Two thirds as high as wide.
    Rectangle,
    /// On its base, as high as wide.
    Triangle,
    /// A square on its corner.
    Diamond,
    /// Five points, one upwards.
    Star,
    /// A circle with a hole of six tenths.
    Ring,
}

impl Outline {
    /// All outlines.
    pub const ALL: [Self; 8] = [
        Self::Circle,
        Self::Ellipse,
        Self::Square,
        Self::Rectangle,
        Self::Triangle,
        Self::Diamond,
        Self::Star,
        Self::Ring,
    ];

    /// The word for it in instructions.
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
        }
    }
}

impl Spoken for Shape {
    const CAPABILITY: Capability = Capability {
        name: "shape",
        parameters: &[],
        summary: "Draws a filled shape at a position.",
        definition: "Each pixel is sampled at 16 points; the shape's opacity there is the share \
                     of points inside it.",
        heads: words::HEADS,
        details: words::DETAILS,
        examples: &["draw a red circle in the center", "draw a small yellow star at the top right"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        words::drawn(clause)
    }
}

impl Operation for Shape {
    fn words(&self) -> String {
        let (color, shape, place, size) =
            (self.color, self.shape.word(), self.place.words(), self.size);
        format!("draw a {color} {shape} at the {place} with a size of {size}")
    }

    fn check(&self) -> Result<(), String> {
        match self.size {
            Length::Pixels(px) => within("the size of a shape", px, (1.0, 16_384.0), "px"),
            Length::Percent(percent) => within("the size of a shape", percent, (0.1, 200.0), "%"),
        }
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
