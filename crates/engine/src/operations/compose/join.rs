//! Join: several images side by side, stacked or in a grid. Images that already have the right size
//! are copied byte for byte; the others are resized with Lanczos3.

mod captions;
mod join_words;
mod layout;

use crate::kernels::size::to_u32;
use crate::kernels::{Size, canvas, resample};
use crate::length::Length;
use crate::operation::{
    Capability, Control, Described, Operation, Parameter, check_length, scaled_length,
};
use crate::operations::draw::{check_text, text_bytes};
use crate::{Color, ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Combines all images into one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Join {
    /// The arrangement.
    pub layout: Layout,
    /// Gap between images; percentages are of the first one's shorter side.
    #[serde(default = "no_gap", skip_serializing_if = "is_no_gap")]
    pub gap: Length,
    /// The color of gaps and empty areas.
    #[serde(default = "nothing", skip_serializing_if = "is_nothing", alias = "colour")]
    pub color: Color,
    /// Whether images keep their sizes and are centered in their row or column.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep_sizes: bool,
    /// The numbers of the images, from 1, in the order in which they are placed; if empty, the order
    /// in which they were sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<usize>,
    /// A text below each image, in the order in which they are placed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub captions: Vec<String>,
}

/// How joined images are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// From left to right.
    SideBySide,
    /// From top to bottom.
    Stacked,
    /// In rows of cells, each as large as the first image.
    Grid {
        /// Images per row; 0 makes the grid as square as possible.
        columns: u32,
        /// Rows; 0 for as many as are needed.
        rows: u32,
    },
}

/// Most columns or rows of a grid.
const GRID_SIDE_MAX: u32 = 16;

fn no_gap() -> Length {
    Length::ZERO
}

fn is_no_gap(gap: &Length) -> bool {
    *gap == Length::ZERO
}

fn nothing() -> Color {
    Color::TRANSPARENT
}

fn is_nothing(color: &Color) -> bool {
    *color == Color::TRANSPARENT
}

const GRID_SIDE: Parameter = Parameter::new("a side of a grid", "", (0.0, GRID_SIDE_MAX as f64));
const GAP_PX: Parameter = Parameter::new("a gap", "px", (0.0, 4096.0)).usually(0.0);
const GAP_PERCENT: Parameter = Parameter::new("a gap", "%", (0.0, 100.0));

impl Described for Join {
    const CAPABILITY: Capability = Capability {
        name: "join",
        parameters: &[GAP_PX, GAP_PERCENT],
        controls: &[
            Control::whole("layout.grid.columns", "Columns", GRID_SIDE),
            Control::whole("layout.grid.rows", "Rows", GRID_SIDE),
            Control::length("gap", "Gap", [GAP_PX, GAP_PERCENT]),
            Control::clear_color("color", "Color"),
        ],
        summary: "Combines several images into one: side by side, stacked or in a grid.",
        definition: "All images are resized to the first one's height (or width) with Lanczos3 \
                     and placed edge to edge, with the gap between them; or they keep their sizes \
                     and are centered in the row or column. In a grid, each image fills a cell of \
                     the first one's size; what is wider or higher is cropped around the middle. A \
                     caption is on a strip below its image, in black or white, whichever is \
                     further from the color of the gaps. The strip is 10% as high as the shorter \
                     side of the first image, and the text half as high as the strip.",
        examples: &[
            "put both pictures side by side",
            "stack the pictures",
            "put them side by side with a 10px white gap",
            "arrange the pictures in a 2x2 grid",
            "put them side by side in reverse order",
            "put the pictures side by side with the captions \"Before\" and \"After\"",
        ],
    };
}

impl Operation for Join {
    fn words(&self) -> String {
        join_words::words_of(self)
    }

    fn check(&self) -> Result<(), String> {
        check_length(self.gap, &GAP_PX, &GAP_PERCENT)?;
        self.captions.iter().try_for_each(|caption| check_text(caption))?;
        if !(1..=self.order.len()).all(|number| self.order.contains(&number)) {
            return Err("the order must name each image once".to_owned());
        }
        match self.layout {
            Layout::Grid { columns, rows } if columns.max(rows) > GRID_SIDE_MAX => Err(format!(
                "a grid can have at most {GRID_SIDE_MAX} columns and rows, not {columns}x{rows}"
            )),
            Layout::Grid { columns: 0, rows } if rows > 0 => {
                Err("a grid with a number of rows also needs a number of columns".to_owned())
            }
            Layout::Grid { .. } if self.keep_sizes => {
                Err("images in a grid cannot keep their sizes; they are resized to its cells"
                    .to_owned())
            }
            _ => Ok(()),
        }
    }

    fn scale(&mut self, factor: f64) {
        self.gap = scaled_length(self.gap, factor, &GAP_PX);
    }

    fn joins(&self) -> bool {
        true
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        Ok(self.places(inputs)?.0)
    }

    /// One resized image at a time, and what the resizer needs for it: at most the size of the
    /// result, twice the input, and an intermediate image that is no larger than both together. Also
    /// one caption at a time.
    fn scratch_bytes(&self, input: Size, result: Size, pixel_bytes: u64) -> u64 {
        let captions = match self.captions.is_empty() {
            true => 0,
            false => text_bytes((result.0, to_u32(self.strip_px(result)))),
        };
        resample::resized_bytes(input, result, pixel_bytes) + captions
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        warnings: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let sizes: Vec<Size> = pictures.iter().map(Picture::size).collect();
        let (whole_size, places) = self.places(&sizes).map_err(ExecuteError::Impossible)?;
        let mut result = canvas::filled((to_u32(whole_size.0), to_u32(whole_size.1)), self.color)?;
        let is_grid = matches!(self.layout, Layout::Grid { .. });
        let mut cropped: Vec<String> = Vec::new();
        for ((number, picture), place) in (1..).zip(pictures).zip(&places) {
            let (whole, size) = (picture.size(), (to_u32(place.size.0), to_u32(place.size.1)));
            if is_grid && resample::covering_part(whole, size) != whole {
                cropped.push(number.to_string());
            }
            let fitted = match is_grid {
                true => resample::covering(picture, size)?,
                false if whole == size => picture,
                false => resample::lanczos(&picture, size)?,
            };
            canvas::put(&fitted, &mut result, (to_u32(place.at.0), to_u32(place.at.1)));
        }
        self.caption(&places, &mut result, warnings)?;
        match cropped.as_slice() {
            [] => {}
            [one] => warnings.push(format!("image {one} was cropped to fill its cell")),
            _ => warnings
                .push(format!("images {} were cropped to fill their cells", cropped.join(", "))),
        }
        Ok(result)
    }
}
