//! Edge gradient: the image turns into a color towards one edge, for example as a backing for text.
//! Soft edges do so towards all four, and a vignette towards the corners.

use super::Side;
use crate::kernels::canvas::faded;
use crate::length::Length;
use crate::operation::{
    Capability, Control, Described, Operation, Parameter, check_length, only, scaled_length,
};
use crate::{Color, ExecuteError, Picture, Place, Region, Sample};
use serde::{Deserialize, Serialize};

/// Fades the image into a color towards one edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EdgeGradient {
    /// The edge.
    pub side: Side,
    /// How far from the edge the image begins to fade. Percentages refer to the width for the left
    /// and the right edge, and to the height for the others.
    pub size: Length,
    /// The color that the image fades to. A transparent color only changes alpha.
    #[serde(default = "usual_color")]
    pub color: Color,
    /// How much of the color there is at the edge, in percent.
    pub percent: f64,
}

const fn usual_color() -> Color {
    Color::BLACK
}

const SIZE_PX: Parameter = Parameter::new("the size of a gradient", "px", (1.0, 16_384.0));
const SIZE_PERCENT: Parameter = Parameter::new("the size of a gradient", "%", (0.1, 100.0));
const STRENGTH: Parameter =
    Parameter::new("the strength of a gradient", "%", (0.0, 100.0)).usually(100.0);

impl Described for EdgeGradient {
    const CAPABILITY: Capability = Capability {
        name: "edge_gradient",
        parameters: &[STRENGTH, SIZE_PX, SIZE_PERCENT],
        controls: &[
            Control::choice("side", "Edge", &["left", "top", "right", "bottom"]),
            Control::length("size", "Size", [SIZE_PX, SIZE_PERCENT]),
            Control::clear_color("color", "Color"),
            Control::number("percent", "Strength", STRENGTH),
        ],
        summary: "Fades the image into a color towards one edge.",
        definition: "c + s * smoothstep(1 - d / size) * (color - c), where d is the distance from \
                     the pixel's center to the edge, and s = percent / 100. Alpha does not change; \
                     if the color is transparent, only alpha does, to alpha * (1 - s * smoothstep(1 \
                     - d / size)). Percentages are of the height for the top and bottom edges, and \
                     of the width for the others. Unless you say how far it reaches, the gradient \
                     covers half of the image.",
        examples: &[
            "fade the bottom third to black",
            "darken the lower third with a gradient",
            "black gradient at the bottom, 200px high, 60% opacity",
            "add a white gradient in the left 30%",
        ],
    };
}

impl Operation for EdgeGradient {
    fn words(&self) -> String {
        let Self { color, percent, .. } = self;
        // All of the image has no name of its own that says where the edge is.
        let region = match self.size {
            Length::Percent(100.0) => format!("the {} 100%", self.side.word()),
            _ => self.region().words(),
        };
        let strength = match *percent {
            100.0 => String::new(),
            percent => format!(" with a strength of {percent}%"),
        };
        format!("add a {color} gradient{strength} in {region}")
    }

    fn check(&self) -> Result<(), String> {
        check_length(self.size, &SIZE_PX, &SIZE_PERCENT)?;
        STRENGTH.check(self.percent)?;
        if self.color.is_opaque() || self.color == Color::TRANSPARENT {
            return Ok(());
        }
        Err("the color of a gradient must be opaque or \"transparent\"".to_owned())
    }

    fn scale(&mut self, factor: f64) {
        self.size = scaled_length(self.size, factor, &SIZE_PX);
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
        let side_px = if self.is_across() { picture.width() } else { picture.height() };
        let size = self.size.exact_px(side_px);
        let is_first = matches!(self.side, Side::Left | Side::Top);
        let shares: Vec<f64> = (0..side_px)
            .map(|at| {
                let from_edge = if is_first { at } else { side_px - 1 - at };
                let t = (1.0 - (f64::from(from_edge) + 0.5) / size).max(0.0);
                self.percent / 100.0 * t * t * (3.0 - 2.0 * t)
            })
            .collect();
        picture.each_row(|y, row| {
            let of_row = shares.get(y).copied().filter(|_| !self.is_across());
            if of_row == Some(0.0) {
                return;
            }
            for (pixel, x) in row.as_chunks_mut::<4>().0.iter_mut().zip(0..) {
                let share = of_row.or(shares.get(x).copied()).unwrap_or(0.0);
                *pixel = faded(*pixel, self.color, share);
            }
        });
        Ok(picture)
    }
}

impl EdgeGradient {
    /// Whether it runs from left to right or back.
    const fn is_across(&self) -> bool {
        matches!(self.side, Side::Left | Side::Right)
    }

    /// The edge as a place.
    #[must_use]
    pub const fn place(&self) -> Place {
        match self.side {
            Side::Left => Place::Left,
            Side::Top => Place::Top,
            Side::Right => Place::Right,
            Side::Bottom => Place::Bottom,
        }
    }

    /// The strip that it covers.
    fn region(&self) -> Region {
        let (whole, place) = (Length::Percent(100.0), self.place());
        match self.is_across() {
            true => Region::Part { width: self.size, height: whole, place },
            false => Region::Part { width: whole, height: self.size, place },
        }
    }
}
