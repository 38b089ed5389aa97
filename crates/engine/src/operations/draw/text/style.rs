//! The style of a text, and its rendering in words that parse back to it.

use super::{Text, fonts, text_words};
use crate::Color;
use crate::length::Length;
use crate::operation::{Parameter, check_length, scaled_length};
use serde::{Deserialize, Serialize};

/// The longest text that is drawn, in Unicode scalar values.
const TEXT_CHARS_MAX: usize = 800;
/// The most characters that are listed if no font has them.
const NAMED_MAX: usize = 5;

/// An outline around letters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stroke {
    /// The color of the outline.
    #[serde(alias = "colour")]
    pub color: Color,
    /// The width of the outline outside the letters. Percentages refer to the font size.
    pub width: Length,
}

/// The typeface of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Face {
    /// Without serifs.
    #[default]
    SansSerif,
    /// With serifs, as in books.
    Serif,
    /// All letters equally wide, as of a typewriter.
    Monospaced,
    /// As if written by hand.
    Handwriting,
}

impl Face {
    /// The words for the typeface, unless it is the usual one.
    const fn words(self) -> &'static str {
        match self {
            Self::SansSerif => "",
            Self::Serif => " in a serif font",
            Self::Monospaced => " in a monospaced font",
            Self::Handwriting => " in handwriting",
        }
    }

    /// Whether plans leave it out.
    pub(super) fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// The alignment of the lines of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lines {
    /// Aligned at the left.
    Left,
    /// Centered.
    Middle,
    /// Aligned at the right.
    Right,
}

impl Lines {
    /// The word for the alignment in instructions.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Middle => "center",
            Self::Right => "right",
        }
    }

    /// How much of the free space is before a line, from 0 to 1.
    pub(super) const fn share(self) -> f32 {
        match self {
            Self::Left => 0.0,
            Self::Middle => 0.5,
            Self::Right => 1.0,
        }
    }
}

/// Full opacity in percent.
pub(crate) const fn full() -> f64 {
    100.0
}

pub(crate) fn is_full(percent: &f64) -> bool {
    *percent == 100.0
}

pub(crate) fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// Renders a text as words that parse back to it.
pub(super) fn words(text: &Text) -> String {
    let quoted = text_words::quoted(&text.text).unwrap_or_default();
    let (color, size) = (text.color, text.size);
    let place = match text.at {
        Some(point) => format!("at {point}"),
        None => format!("at the {}", text.place.words()),
    };
    let mut said = format!("add the text {quoted} in {color} {place} with a size of {size}");
    said.push_str(text.face.words());
    if text.bold {
        said.push_str(" in bold");
    }
    if text.italic {
        said.push_str(" in italics");
    }
    if let Some(Stroke { color, width }) = text.outline {
        said.push_str(&format!(" with a {color} outline of {width}"));
    }
    if let Some(color) = text.shadow {
        said.push_str(&format!(" with a {color} shadow"));
    }
    if let Some(color) = text.ground {
        said.push_str(&format!(" on a {color} background"));
    }
    if let Some(margin) = text.margin {
        said.push_str(&format!(" with a margin of {margin}"));
    }
    if let Some(lines) = text.lines {
        said.push_str(&format!(" aligned {}", lines.word()));
    }
    said + &opacity_words(text.opacity_percent) + &angle_words(text.degrees)
}

pub(crate) fn opacity_words(percent: f64) -> String {
    if is_full(&percent) { String::new() } else { format!(" at {percent}% opacity") }
}

pub(crate) fn angle_words(degrees: f64) -> String {
    match degrees {
        0.0 => String::new(),
        below if below < 0.0 => format!(" rotated {} degrees counterclockwise", -below),
        _ => format!(" rotated {degrees} degrees clockwise"),
    }
}

/// Checks the text itself, and that a font has its characters. Returns a message about what is wrong.
pub(crate) fn check_text(text: &str) -> Result<(), String> {
    check_words(text)?;
    let lacking = fonts::lacking(text);
    if lacking.is_empty() { Ok(()) } else { Err(no_font(&lacking)) }
}

/// Checks that a text can be said in an instruction. Returns a message about what is wrong.
pub(in crate::operations::draw) fn check_words(text: &str) -> Result<(), String> {
    if text.trim().is_empty() || text.chars().count() > TEXT_CHARS_MAX {
        return Err(format!("the text must have 1 to {TEXT_CHARS_MAX} characters"));
    }
    if text.contains("\\n") {
        return Err("use an actual line break in the text, not a backslash and n".to_owned());
    }
    if text_words::quoted(text).is_none() {
        return Err(
            "the text cannot contain every kind of quotation mark; remove one kind".to_owned()
        );
    }
    Ok(())
}

/// The message about characters that no font has.
fn no_font(lacking: &[char]) -> String {
    let named: Vec<String> =
        lacking.iter().take(NAMED_MAX).map(|character| format!("\"{character}\"")).collect();
    let more = if lacking.len() > NAMED_MAX { " and others" } else { "" };
    let named = named.join(", ");
    format!("no font on this server can draw {named}{more}; leave them out or use other characters")
}

/// The font size in pixels.
pub(in crate::operations::draw) const SIZE_PX: Parameter =
    Parameter::new("the size of a text", "px", (4.0, 2000.0));
/// The font size in percent of the height of the image.
pub(in crate::operations::draw) const SIZE_PERCENT: Parameter =
    Parameter::new("the size of a text", "%", (0.5, 100.0)).usually(text_words::USUAL_PERCENT);

/// A font size for an image whose sides are `factor` times as long.
pub(crate) fn scaled_size(size: Length, factor: f64) -> Length {
    scaled_length(size, factor, &SIZE_PX)
}

/// Checks a font size. Returns a message about what is wrong.
pub(crate) fn check_size(size: Length) -> Result<(), String> {
    check_length(size, &SIZE_PX, &SIZE_PERCENT)
}
