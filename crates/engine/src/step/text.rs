//! Text: shaped and drawn with the bundled `DejaVu Sans`, wrapped inside a margin of 4% of the
//! shorter side, laid over the picture with the smoothed share of each pixel as alpha.

mod draw;
mod words;

use super::{Capability, Operation, Size, Spoken, only, within};
use crate::instruction::Clause;
use crate::length::Length;
use crate::{Colour, ExecuteError, Picture, Place, Refusal};
use serde::{Deserialize, Serialize};

/// Writes on the picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Text {
    /// What is written.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// Its colour.
    pub colour: Colour,
    /// Its size (the em); percent are of the height.
    pub size: Length,
    /// Whether it is bold.
    pub bold: bool,
}

/// Longest text that is drawn, in Unicode scalar values.
const TEXT_CHARS_MAX: usize = 800;

impl Spoken for Text {
    const CAPABILITY: Capability = Capability {
        name: "text",
        summary: "Writes on the picture.",
        definition: "DejaVu Sans, shaped, smoothed, laid over; a size in percent is of the picture's height.",
        heads: &[
            "text",
            "caption",
            "write",
            "saying",
            "words",
            "title",
            "says",
            "label",
            "watermark",
            "heading",
            "writing",
            "reading",
        ],
        details: words::DETAILS,
        examples: &[
            "add the text \"Hello\" in white at the bottom right",
            "write \"SALE\" in bold red at the top with a size of 80px",
        ],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        words::read(clause)
    }
}

impl Operation for Text {
    fn words(&self) -> String {
        let text = words::quoted(&self.text).unwrap_or_default();
        let bold = if self.bold { " in bold" } else { "" };
        let (colour, place, size) = (self.colour, self.place.words(), self.size);
        format!("add the text {text} in {colour} at the {place} with a size of {size}{bold}")
    }

    fn check(&self) -> Result<(), String> {
        if self.text.trim().is_empty() || self.text.chars().count() > TEXT_CHARS_MAX {
            return Err(format!("a text needs 1 to {TEXT_CHARS_MAX} characters"));
        }
        if words::quoted(&self.text).is_none() {
            return Err("a text must leave out one kind of quotation marks".to_owned());
        }
        match self.size {
            Length::Pixels(px) => within("the size of a text", px, (4.0, 2000.0), "px"),
            Length::Percent(percent) => within("the size of a text", percent, (0.5, 100.0), "%"),
        }
    }

    fn in_place(&self) -> bool {
        true
    }

    /// The fonts, and every different letter once as a mask of at most twice its size squared.
    fn scratch_bytes(&self, input: Size, _: Size) -> u64 {
        const FONTS_BYTES: u64 = 8 << 20;
        let side = crate::length::whole(self.size.exact_px(input.1)).max(4);
        let letters = u64::try_from(self.text.chars().count()).unwrap_or(0);
        FONTS_BYTES + letters * side * side * 2
    }

    fn apply(
        &self,
        pictures: Vec<Picture>,
        warnings: &mut Vec<String>,
    ) -> Result<Picture, ExecuteError> {
        let mut picture = only(pictures)?;
        draw::draw(self, &mut picture, warnings);
        Ok(picture)
    }
}
