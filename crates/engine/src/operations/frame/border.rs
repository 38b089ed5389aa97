//! Border: a frame around the image, whose own pixels do not change.

mod border_words;

use crate::kernels::size::to_u32;
use crate::kernels::{Size, canvas};
use crate::length::Length;
use crate::operation::{
    Capability, Control, Described, Operation, Parameter, check_length, only, scaled_length,
};
use crate::{Color, ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Adds a border.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Border {
    /// Width; percentages are of the shorter side.
    pub width: Length,
    /// Its color.
    #[serde(alias = "colour")]
    pub color: Color,
    /// The sides, in the order left, top, right, bottom; all sides if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<Side>,
    /// A second border around the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outer: Option<OuterBorder>,
}

/// The outer of two borders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OuterBorder {
    /// Width; percentages are of the image's shorter side.
    pub width: Length,
    /// Its color.
    #[serde(alias = "colour")]
    pub color: Color,
}

/// A side of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The left side.
    Left,
    /// The top side.
    Top,
    /// The right side.
    Right,
    /// The bottom side.
    Bottom,
}

impl Side {
    /// All sides, in order.
    pub const ALL: [Self; 4] = [Self::Left, Self::Top, Self::Right, Self::Bottom];

    /// The word for it in instructions.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Top => "top",
            Self::Right => "right",
            Self::Bottom => "bottom",
        }
    }
}

const WIDTH_PX: Parameter = Parameter::new("the width of a border", "px", (1.0, 4096.0));
const WIDTH_PERCENT: Parameter =
    Parameter::new("the width of a border", "%", (0.1, 100.0)).usually(border_words::USUAL_PERCENT);

impl Described for Border {
    const CAPABILITY: Capability = Capability {
        name: "border",
        parameters: &[WIDTH_PX, WIDTH_PERCENT],
        controls: &[
            Control::length("width", "Width", [WIDTH_PX, WIDTH_PERCENT]),
            Control::color("color", "Color"),
            Control::length("outer.width", "Outer width", [WIDTH_PX, WIDTH_PERCENT]),
            Control::color("outer.color", "Outer color"),
        ],
        summary: "Adds a border in one or two colors, on all sides or some.",
        definition: "The canvas grows by the width on each chosen side, and again by the outer \
                     width for a double border. Percentages are of the image's shorter side, \
                     rounded half up, at least 1 pixel.",
        examples: &[
            "add a 10px white border",
            "add a thick red frame",
            "add a 20px black border at the top and bottom",
            "add a double border of 10px white inside 4px black",
        ],
    };
}

impl Operation for Border {
    fn words(&self) -> String {
        border_words::words_of(self)
    }

    fn check(&self) -> Result<(), String> {
        let width = |width: Length| check_length(width, &WIDTH_PX, &WIDTH_PERCENT);
        if !self.sides.is_sorted_by(|first, second| first < second) || self.sides.len() > 3 {
            return Err(
                "list the sides of a border in the order left, top, right, bottom; for all \
                        sides, leave the list empty"
                    .to_owned(),
            );
        }
        if self.outer.is_some() && !self.sides.is_empty() {
            return Err("a double border must go around all sides".to_owned());
        }
        width(self.width)?;
        self.outer.as_ref().map_or(Ok(()), |outer| width(outer.width))
    }

    fn scale(&mut self, factor: f64) {
        self.width = scaled_length(self.width, factor, &WIDTH_PX);
        if let Some(outer) = &mut self.outer {
            outer.width = scaled_length(outer.width, factor, &WIDTH_PX);
        }
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        let [left, top, right, bottom] = self.margins((width, height));
        Ok((u64::from(width) + left + right, u64::from(height) + top + bottom))
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let picture = only(pictures)?;
        let inputs = picture.size();
        let size = self.result_size(&[inputs]).map_err(ExecuteError::Impossible)?;
        let size = (to_u32(size.0), to_u32(size.1));
        let [left, top, ..] = self.margins(inputs).map(to_u32);
        let mut result = match &self.outer {
            Some(outer) => {
                let mut result = canvas::filled(size, outer.color)?;
                let around = to_u32(measured(outer.width, inputs));
                let inner = (size.0 - 2 * around, size.1 - 2 * around);
                canvas::put(&canvas::filled(inner, self.color)?, &mut result, (around, around));
                result
            }
            None => canvas::filled(size, self.color)?,
        };
        canvas::put(&picture, &mut result, (left, top));
        Ok(result)
    }

    /// The canvas of the inner border, before the image is placed on it.
    fn scratch_bytes(&self, _: Size, result: Size, pixel_bytes: u64) -> u64 {
        let pixels = u64::from(result.0) * u64::from(result.1);
        if self.outer.is_some() { pixels * pixel_bytes } else { 0 }
    }
}

impl Border {
    /// The pixels added on the left, top, right and bottom.
    fn margins(&self, inputs: Size) -> [u64; 4] {
        let outer = self.outer.as_ref().map_or(0, |outer| measured(outer.width, inputs));
        let width = measured(self.width, inputs) + outer;
        let meant = |side: &Side| self.sides.is_empty() || self.sides.contains(side);
        Side::ALL.map(|side| if meant(&side) { width } else { 0 })
    }
}

/// A width in pixels.
fn measured(width: Length, (across, down): Size) -> u64 {
    width.px(across.min(down)).max(1)
}
