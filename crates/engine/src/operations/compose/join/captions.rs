//! Captions below joined images.

use super::Join;
use super::layout::Spot;
use crate::kernels::size::to_u32;
use crate::kernels::{Size, canvas};
use crate::length::Length;
use crate::operation::Operation;
use crate::operations::Text;
use crate::{Color, ExecuteError, Picture, Place, Sample};

/// The height of the strip below each image, relative to the first one's shorter side.
const STRIP: Length = Length::Percent(10.0);
/// The size of the letters, relative to the height of the strip.
const LETTERS: Length = Length::Percent(50.0);

impl Join {
    /// The height of the strip below each image, in pixels.
    pub(super) fn strip_px(&self, first: Size) -> u64 {
        if self.captions.is_empty() { 0 } else { STRIP.px(first.0.min(first.1)).max(1) }
    }

    /// Writes each caption below its image.
    pub(super) fn caption<S: Sample>(
        &self,
        places: &[Spot],
        result: &mut Picture<S>,
        warnings: &mut Vec<String>,
    ) -> Result<(), ExecuteError> {
        for (number, text) in self.captions.iter().enumerate() {
            let input = self.order.get(number).map_or(number, |sent| sent - 1);
            let Some(spot) = places.get(input) else { continue };
            let size = (to_u32(spot.size.0), to_u32(spot.strip));
            let strip = canvas::filled(size, self.color)?;
            let strip = self.letters(text).apply(vec![strip], warnings)?;
            canvas::put(&strip, result, (to_u32(spot.at.0), to_u32(spot.at.1 + spot.size.1)));
        }
        Ok(())
    }

    fn letters(&self, text: &str) -> Text {
        let is_clear = self.color.rgba[3] == 0;
        Text {
            text: text.to_owned(),
            place: Place::Center,
            at: None,
            color: if self.color.is_bright() || is_clear { Color::BLACK } else { Color::WHITE },
            size: LETTERS,
            face: crate::operations::Face::default(),
            bold: false,
            italic: false,
            opacity_percent: 100.0,
            degrees: 0.0,
            margin: None,
            lines: None,
            outline: None,
            shadow: None,
            ground: None,
        }
    }
}
