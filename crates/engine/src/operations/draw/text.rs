//! Text: shapes it with the bundled fonts, wraps it inside a margin, makes it smaller if it does
//! not fit, and draws it over the image. Its alpha is the share of each pixel that the outlines
//! cover.

mod draw;
mod fonts;
mod layout;
mod mask;
mod stamp;
mod style;
mod text_words;
mod transform;

use crate::coordinates::Coordinates;
use crate::kernels::Size;
use crate::length::Length;
use crate::operation::{
    Capability, Control, Described, OFFSETS, Operation, Parameter, check_length, only,
    scaled_length,
};
use crate::{Color, ExecuteError, Picture, Place, Sample};
use serde::{Deserialize, Serialize};

pub(super) use draw::Layer;
pub(in crate::operations) use draw::scratch_bytes;
pub(super) use fonts::fonts;
pub use fonts::{FontError, add_fonts};
pub(super) use layout::{Letters, block, turned};
pub(super) use mask::{Area, Mask};
pub(in crate::operations) use style::check_text;
pub(super) use style::check_words;
pub use style::{Face, Lines, Stroke};
pub(super) use style::{
    SIZE_PERCENT, SIZE_PX, angle_words, check_size, full, is_full, is_zero, opacity_words,
    scaled_size,
};
pub(in crate::operations) use text_words::quoted;
pub(super) use transform::then;

/// Writes text on the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Text {
    /// The text, with line breaks.
    pub text: String,
    /// The position of the text.
    pub place: Place,
    /// The top left corner of the text, instead of [`Self::place`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Coordinates>,
    /// The color of the letters.
    #[serde(alias = "colour")]
    pub color: Color,
    /// The font size (the em). Percentages refer to the height of the image.
    pub size: Length,
    /// The typeface.
    #[serde(default, skip_serializing_if = "Face::is_usual")]
    pub face: Face,
    /// Whether it is bold.
    pub bold: bool,
    /// Whether it is italic.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub italic: bool,
    /// Opacity in percent.
    #[serde(default = "full", skip_serializing_if = "is_full")]
    pub opacity_percent: f64,
    /// The rotation in degrees, clockwise.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub degrees: f64,
    /// The distance from the edges, 4% by default. Percentages refer to the shorter side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<Length>,
    /// The alignment of the lines. If `None`, it follows from the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Lines>,
    /// An outline around the letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outline: Option<Stroke>,
    /// The color of a soft shadow at the bottom right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shadow: Option<Color>,
    /// The color of a box behind the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground: Option<Color>,
}

const OPACITY: Parameter =
    Parameter::new("the opacity of a text", "%", (0.0, 100.0)).usually(100.0);
const ANGLE: Parameter = Parameter::new("the angle of a text", " degrees", (-360.0, 360.0));

const MARGIN_PX: Parameter = Parameter::new("a margin", "px", (0.0, 4096.0));
const MARGIN_PERCENT: Parameter =
    Parameter::new("a margin", "%", (0.0, 40.0)).usually(draw::MARGIN.value());
const OUTLINE_PX: Parameter = Parameter::new("the width of an outline", "px", (0.1, 200.0));
const OUTLINE_PERCENT: Parameter = Parameter::new("the width of an outline", "%", (0.1, 50.0));

impl Described for Text {
    const CAPABILITY: Capability = Capability {
        name: "text",
        parameters: &[
            OPACITY,
            ANGLE,
            SIZE_PX,
            SIZE_PERCENT,
            MARGIN_PX,
            MARGIN_PERCENT,
            OUTLINE_PX,
            OUTLINE_PERCENT,
        ],
        controls: &[
            Control::text("text", "Text"),
            Control::place("place", "Position").instead_of("at"),
            Control::length("at.x", "From the left", OFFSETS),
            Control::length("at.y", "From the top", OFFSETS),
            Control::color("color", "Color"),
            Control::length("size", "Size", [SIZE_PX, SIZE_PERCENT]),
            Control::choice("face", "Font", &["sans_serif", "serif", "monospaced", "handwriting"]),
            Control::switch("bold", "Bold"),
            Control::switch("italic", "Italic"),
            Control::number("opacity_percent", "Opacity", OPACITY),
            Control::number("degrees", "Angle", ANGLE),
            Control::length("margin", "Margin", [MARGIN_PX, MARGIN_PERCENT]),
            Control::color("outline.color", "Outline color"),
            Control::length("outline.width", "Outline width", [OUTLINE_PX, OUTLINE_PERCENT]),
            Control::color("shadow", "Shadow"),
            Control::color("ground", "Background"),
        ],
        summary: "Writes text on the image.",
        definition: "Fonts are DejaVu Sans, DejaVu Serif, DejaVu Sans Mono and Dancing Script, for \
                     characters that they don't have DejaVu Sans and Noto Sans, then fonts that the \
                     operator added; characters that no font has are refused. The \
                     text is shaped, wrapped at word boundaries inside the margin (4% of the \
                     shorter side by default) and made smaller, with a warning, if it does not \
                     fit. Drawing covers the exact share of each pixel. Italics slant by 11 \
                     degrees. An outline goes around the letters and has round corners. A shadow \
                     is offset by 6% of the text size and blurred with a Gaussian of 5% of it. \
                     Color emoji keep their colors and have no outline or shadow. A box extends \
                     30% of the text size beyond the text. A text size in percent is relative to \
                     the image's height.",
        examples: &[
            "add the text \"Hello\" in white at the bottom right",
            "write \"SALE\" in bold red at the top with a size of 80px",
            "add the caption \"Summer\" in yellow italics with a 3px black outline at the bottom",
            "write \"Draft\" diagonally in gray at 50% opacity",
            "write \"Menu\" in a serif font at the top",
            "add the text \"Fog\" in black on a white background at the top left",
        ],
    };
}

impl Operation for Text {
    fn words(&self) -> String {
        style::words(self)
    }

    fn check(&self) -> Result<(), String> {
        check_text(&self.text)?;
        check_size(self.size)?;
        OPACITY.check(self.opacity_percent)?;
        ANGLE.check(self.degrees)?;
        self.at.map_or(Ok(()), Coordinates::check)?;
        self.margin.map_or(Ok(()), |width| check_length(width, &MARGIN_PX, &MARGIN_PERCENT))?;
        let width = self.outline.map_or(Length::Pixels(1.0), |outline| outline.width);
        check_length(width, &OUTLINE_PX, &OUTLINE_PERCENT)
    }

    fn scale(&mut self, factor: f64) {
        self.size = scaled_size(self.size, factor);
        self.at = self.at.map(|at| at.at_scale(factor));
        self.margin = self.margin.map(|margin| scaled_length(margin, factor, &MARGIN_PX));
        if let Some(outline) = &mut self.outline {
            outline.width = scaled_length(outline.width, factor, &OUTLINE_PX);
        }
    }

    fn in_place(&self) -> bool {
        true
    }

    fn scratch_bytes(&self, input: Size, _: Size, _: u64) -> u64 {
        scratch_bytes(input)
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        warnings: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let mut picture = only(pictures)?;
        draw::draw(self, &mut picture, warnings)?;
        Ok(picture)
    }
}
