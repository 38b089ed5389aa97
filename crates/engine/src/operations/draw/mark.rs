//! Mark: a line, an arrow, a box, an ellipse or a circle at coordinates, with smooth edges.

mod draw;
mod mark_words;

use super::text::{full, is_full};
use crate::coordinates::Coordinates;
use crate::length::Length;
use crate::operation::{
    AREA, Capability, Control, Described, OFFSETS, Operation, Parameter, check_length, only,
    scaled_length,
};
use crate::{Color, ExecuteError, Picture, Place, Sample};
use serde::{Deserialize, Serialize};

/// Draws one mark on the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// What to draw, and where.
    #[serde(flatten)]
    pub form: Form,
    /// The color of the mark.
    #[serde(alias = "colour")]
    pub color: Color,
    /// The width of the line. Percentages refer to the shorter side. `None` fills the shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<Length>,
    /// Opacity in percent.
    #[serde(default = "full", skip_serializing_if = "is_full")]
    pub opacity_percent: f64,
}

/// What to draw, and where.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "mark", rename_all = "snake_case")]
pub enum Form {
    /// A line with rounded ends.
    Line {
        /// One end.
        from: Coordinates,
        /// The other end.
        to: Coordinates,
    },
    /// A line with an arrowhead.
    Arrow {
        /// The end without the head.
        from: Coordinates,
        /// The tip of the head.
        to: Coordinates,
    },
    /// A rectangle.
    Box {
        /// One corner.
        from: Coordinates,
        /// The opposite corner.
        to: Coordinates,
    },
    /// A rectangle at a position, without a margin.
    Placed {
        /// Its width.
        width: Length,
        /// Its height.
        height: Length,
        /// The position.
        place: Place,
    },
    /// An ellipse that touches the sides of a box.
    Ellipse {
        /// One corner of the box.
        from: Coordinates,
        /// The opposite corner.
        to: Coordinates,
    },
    /// A circle.
    Circle {
        /// The center.
        #[serde(alias = "centre")]
        center: Coordinates,
        /// The distance from the center to the outer edge. Percentages refer to the shorter side.
        radius: Length,
    },
}

const OPACITY: Parameter =
    Parameter::new("the opacity of a mark", "%", (0.0, 100.0)).usually(100.0);

const LINE_PX: Parameter = Parameter::new("the width of a line", "px", (0.5, 2000.0));
const LINE_PERCENT: Parameter = Parameter::new("the width of a line", "%", (0.05, 50.0));
const RADIUS_PX: Parameter = Parameter::new("a radius", "px", (0.5, 16_384.0));
const RADIUS_PERCENT: Parameter = Parameter::new("a radius", "%", (0.05, 200.0));

impl Described for Mark {
    const CAPABILITY: Capability = Capability {
        name: "mark",
        parameters: &[OPACITY, LINE_PX, LINE_PERCENT, RADIUS_PX, RADIUS_PERCENT],
        controls: &[
            Control::color("color", "Color"),
            Control::length("from.x", "Start, from the left", OFFSETS),
            Control::length("from.y", "Start, from the top", OFFSETS),
            Control::length("to.x", "End, from the left", OFFSETS),
            Control::length("to.y", "End, from the top", OFFSETS),
            Control::length("width", "Width", AREA).when("mark", "placed"),
            Control::length("height", "Height", AREA).when("mark", "placed"),
            Control::place("place", "Position").when("mark", "placed"),
            Control::length("center.x", "Center, from the left", OFFSETS),
            Control::length("center.y", "Center, from the top", OFFSETS),
            Control::length("radius", "Radius", [RADIUS_PX, RADIUS_PERCENT]),
            Control::length("line", "Line width", [LINE_PX, LINE_PERCENT]),
            Control::number("opacity_percent", "Opacity", OPACITY),
        ],
        summary: "Draws a line, an arrow, a box, an oval or a circle at given coordinates.",
        definition: "Coordinates start at the top left corner and refer to pixel edges. A box \
                     covers the exact share of each pixel that it overlaps; other forms cover the \
                     share 0.5 - d, limited to 0 to 1, where d is the distance in pixels from the \
                     pixel's center to the edge (for an ellipse, the first-order distance). The \
                     line of a closed form lies inside it; line ends are round. An arrowhead is 4 \
                     line widths long (at least 8px) and equally wide.",
        examples: &[
            "draw a red box from 100,100 to 300,200",
            "draw a filled black 300x100 box at the bottom left",
            "draw a 5px yellow circle around 200,150 with a radius of 40",
            "draw an arrow from the left to the center",
            "black out the area from 10,10 to 200,60",
        ],
    };
}

impl Operation for Mark {
    fn words(&self) -> String {
        mark_words::words_of(self)
    }

    fn check(&self) -> Result<(), String> {
        OPACITY.check(self.opacity_percent)?;
        match self.line {
            Some(line) => check_length(line, &LINE_PX, &LINE_PERCENT)?,
            None if matches!(self.form, Form::Line { .. } | Form::Arrow { .. }) => {
                return Err("a line must have a width".to_owned());
            }
            None => {}
        }
        match self.form {
            Form::Line { from, to }
            | Form::Arrow { from, to }
            | Form::Box { from, to }
            | Form::Ellipse { from, to } => {
                from.check()?;
                to.check()
            }
            Form::Placed { width, height, .. } => {
                check_length(width, &AREA[0], &AREA[1])?;
                check_length(height, &AREA[0], &AREA[1])
            }
            Form::Circle { center, radius } => {
                center.check()?;
                check_length(radius, &RADIUS_PX, &RADIUS_PERCENT)
            }
        }
    }

    fn scale(&mut self, factor: f64) {
        self.line = self.line.map(|line| scaled_length(line, factor, &LINE_PX));
        match &mut self.form {
            Form::Line { from, to }
            | Form::Arrow { from, to }
            | Form::Box { from, to }
            | Form::Ellipse { from, to } => {
                *from = from.at_scale(factor);
                *to = to.at_scale(factor);
            }
            Form::Placed { width, height, .. } => {
                *width = scaled_length(*width, factor, &AREA[0]);
                *height = scaled_length(*height, factor, &AREA[0]);
            }
            Form::Circle { center, radius } => {
                *center = center.at_scale(factor);
                *radius = scaled_length(*radius, factor, &RADIUS_PX);
            }
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
