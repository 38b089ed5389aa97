//! Grid: straight lines across and down at even distances, without an outer frame.

use super::text::{full, is_full, opacity_words};
use crate::kernels::canvas::over_pixel;
use crate::length::Length;
use crate::operation::{
    Capability, Control, Described, Operation, Parameter, check_length, only, scaled_length, within,
};
use crate::{Color, ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Draws a grid of lines on the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GridLines {
    /// Where the lines are.
    #[serde(flatten)]
    pub by: GridBy,
    /// The color of the lines.
    pub color: Color,
    /// The width of the lines. Percentages refer to the shorter side.
    pub line: Length,
    /// Opacity in percent.
    #[serde(default = "full", skip_serializing_if = "is_full")]
    pub opacity_percent: f64,
}

/// Where the lines of a grid are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum GridBy {
    /// Between equal cells.
    Cells {
        /// The number of cells in a row.
        columns: u32,
        /// The number of cells in a column.
        rows: u32,
    },
    /// At a distance from each other, counted from the top left.
    Distance {
        /// From the center of one line to that of the next. Percentages refer to the shorter side.
        distance: Length,
    },
}

const CELLS: Parameter = Parameter::new("the number of cells in a row or column", "", (1.0, 200.0));
const DISTANCE_PX: Parameter =
    Parameter::new("the distance of the lines of a grid", "px", (2.0, 16_384.0));
const DISTANCE_PERCENT: Parameter =
    Parameter::new("the distance of the lines of a grid", "%", (0.5, 100.0));
const LINE_PX: Parameter = Parameter::new("the width of a grid's lines", "px", (0.5, 2000.0));
const LINE_PERCENT: Parameter = Parameter::new("the width of a grid's lines", "%", (0.05, 50.0));
const OPACITY: Parameter =
    Parameter::new("the opacity of a grid", "%", (0.0, 100.0)).usually(100.0);

impl Described for GridLines {
    const CAPABILITY: Capability = Capability {
        name: "grid_lines",
        parameters: &[OPACITY, CELLS, DISTANCE_PX, DISTANCE_PERCENT, LINE_PX, LINE_PERCENT],
        controls: &[
            Control::whole("columns", "Columns", CELLS).when("by", "cells"),
            Control::whole("rows", "Rows", CELLS).when("by", "cells"),
            Control::length("distance", "Distance", [DISTANCE_PX, DISTANCE_PERCENT])
                .when("by", "distance"),
            Control::color("color", "Color"),
            Control::length("line", "Line width", [LINE_PX, LINE_PERCENT]),
            Control::number("opacity_percent", "Opacity", OPACITY),
        ],
        summary: "Draws a grid of straight lines on the image.",
        definition: "The lines between equal cells, or lines at a distance from each other that is \
                     counted from the top left; there is none along the edges of the image. A line \
                     is whole pixels wide, at least one, and begins at the pixel nearest to its \
                     place. Where lines cross, they are drawn once. Percentages are of the shorter \
                     side. A rule of thirds has 3 by 3 cells.",
        examples: &[
            "draw a 3x3 grid of white lines over it",
            "overlay a rule of thirds grid",
            "add a grid of lines every 100px, 1px, gray",
        ],
    };
}

impl Operation for GridLines {
    fn words(&self) -> String {
        let (color, line, opacity) = (self.color, self.line, opacity_words(self.opacity_percent));
        match self.by {
            GridBy::Cells { columns, rows } => format!(
                "draw a {columns}x{rows} grid of {color} lines with a thickness of {line}{opacity}"
            ),
            GridBy::Distance { distance } => format!(
                "draw a grid of {color} lines every {distance} with a thickness of {line}{opacity}"
            ),
        }
    }

    fn check(&self) -> Result<(), String> {
        match self.by {
            GridBy::Cells { columns, rows } => {
                for count in [columns, rows] {
                    within(CELLS.what, f64::from(count), CELLS.limits, CELLS.unit)?;
                }
            }
            GridBy::Distance { distance } => {
                check_length(distance, &DISTANCE_PX, &DISTANCE_PERCENT)?;
            }
        }
        check_length(self.line, &LINE_PX, &LINE_PERCENT)?;
        OPACITY.check(self.opacity_percent)
    }

    fn scale(&mut self, factor: f64) {
        self.line = scaled_length(self.line, factor, &LINE_PX);
        if let GridBy::Distance { distance } = &mut self.by {
            *distance = scaled_length(*distance, factor, &DISTANCE_PX);
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
        let (width, height) = picture.size();
        let shorter = width.min(height);
        let line = self.line.exact_px(shorter);
        let (cell_width, cell_height) = match self.by {
            GridBy::Cells { columns, rows } => {
                (f64::from(width) / f64::from(columns), f64::from(height) / f64::from(rows))
            }
            GridBy::Distance { distance } => {
                let distance = distance.exact_px(shorter);
                (distance, distance)
            }
        };
        let (across, down) = (lined(width, cell_width, line), lined(height, cell_height, line));
        let [red, green, blue, alpha] = self.color.rgba.map(S::of);
        let alpha = S::rounded_double(f64::from(alpha.level()) * self.opacity_percent / 100.0);
        let upper = [red, green, blue, alpha];
        picture.each_row(|y, row| {
            let whole = down.get(y).copied().unwrap_or(false);
            for (pixel, lined) in row.as_chunks_mut::<4>().0.iter_mut().zip(&across) {
                if whole || *lined {
                    *pixel = over_pixel(upper, *pixel);
                }
            }
        });
        Ok(picture)
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels of a side")]
/// Which pixels of a side belong to lines. There are lines after each cell but the last.
fn lined(side: u32, cell: f64, line: f64) -> Vec<bool> {
    let line = line.round().max(1.0);
    let mut lined = vec![false; side as usize];
    let mut number = 1.0;
    // The last cell may end a little before the edge, because cells are no whole pixels.
    while number * cell < f64::from(side) - 1e-6 {
        let first = (number * cell - line / 2.0).round().max(0.0);
        let end = (number * cell - line / 2.0).round() + line;
        for pixel in lined.iter_mut().take(end as usize).skip(first as usize) {
            *pixel = true;
        }
        number += 1.0;
    }
    lined
}
