//! QR code: draws a code that phones read, after ISO/IEC 18004, with error correction level M.
//!
//! Its squares are whole pixels, black on white, and at least four squares of white are around it, as
//! the standard requires.

use super::text;
use crate::length::Length;
use crate::operation::{Capability, Control, Described, Operation, Parameter, check_length, only};
use crate::{ExecuteError, Picture, Place, Sample};
use qrcode::{Color, EcLevel};
use serde::{Deserialize, Serialize};

/// Draws a QR code on the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QrCode {
    /// What a reader of the code gets, for example an address.
    pub text: String,
    /// The position of the code.
    pub place: Place,
    /// The width of the code with its white edge. Percentages refer to the shorter side.
    pub size: Length,
}

const SIZE_PX: Parameter = Parameter::new("the size of a QR code", "px", (1.0, 16_384.0));
const SIZE_PERCENT: Parameter = Parameter::new("the size of a QR code", "%", (0.1, 100.0));
/// The most bytes in a code of level M (ISO/IEC 18004, version 40).
const BYTES_MAX: usize = 2331;
/// The least white edge, in squares (ISO/IEC 18004, 9.1).
const EDGE: usize = 4;
/// Phones often fail to read smaller squares.
const SQUARE_PX_MIN: usize = 2;

impl Described for QrCode {
    const CAPABILITY: Capability = Capability {
        name: "qr_code",
        parameters: &[],
        controls: &[
            Control::text("text", "Address or text"),
            Control::place("place", "Position"),
            Control::length("size", "Size", [SIZE_PX, SIZE_PERCENT]),
        ],
        summary: "Draws a QR code at a position.",
        definition: "ISO/IEC 18004 with error correction level M, black on white, with the white \
                     edge of four squares that readers need. Squares are whole pixels; what is left \
                     of the size widens the edge. A code is at most as large as the shorter side.",
        examples: &[
            "put a QR code for \"https://example.com\" in the bottom right corner",
            "add a QR code for https://example.com/menu at the top left, 300 px",
        ],
    };
}

impl Operation for QrCode {
    fn words(&self) -> String {
        let quoted = text::quoted(&self.text).unwrap_or_default();
        format!(
            "add a QR code for {quoted} at the {} with a size of {}",
            self.place.words(),
            self.size
        )
    }

    fn check(&self) -> Result<(), String> {
        text::check_words(&self.text)?;
        if self.text.len() > BYTES_MAX {
            return Err(format!("a QR code holds at most {BYTES_MAX} bytes; shorten its text"));
        }
        check_length(self.size, &SIZE_PX, &SIZE_PERCENT)
    }

    fn scale(&mut self, factor: f64) {
        self.size = super::shape::scaled(self.size, factor);
    }

    fn in_place(&self) -> bool {
        true
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        notes: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let mut picture = only(pictures)?;
        let code = qrcode::QrCode::with_error_correction_level(&self.text, EcLevel::M).map_err(
            |_too_long| ExecuteError::Impossible("the text is too long for a QR code".to_owned()),
        )?;
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        let shorter = width.min(height);
        let exact = self.size.exact_px(picture.width().min(picture.height()));
        let side = (exact.round() as usize).clamp(1, shorter);
        let squares = code.width() + 2 * EDGE;
        let square_px = side / squares;
        if square_px < SQUARE_PX_MIN {
            notes.push("The QR code may be too small to be read; make it larger.".to_owned());
        }
        // What is left over widens the white edge. A code of less than a pixel a square is only a hint
        // of one.
        let inner = if square_px == 0 { side } else { square_px * squares };
        let edge = (side - inner) / 2;
        let margin = (shorter as f64 * super::shape::MARGIN) as usize;
        let start = |third: u32, outer: usize| match third {
            0 => margin.min(outer - side),
            1 => (outer - side) / 2,
            _ => (outer - side).saturating_sub(margin),
        };
        let (column, row) = self.place.column_row();
        let (left, top) = (start(column, width), start(row, height));
        let colors = code.to_colors();
        let square = |offset: usize| {
            let at = offset.checked_sub(edge)? * squares / inner;
            at.checked_sub(EDGE).filter(|at| *at < code.width())
        };
        let is_dark = |x: usize, y: usize| {
            let at = square(x).zip(square(y)).map(|(x, y)| y * code.width() + x);
            at.and_then(|at| colors.get(at)) == Some(&Color::Dark)
        };
        picture.each_row(|y, row| {
            let Some(y) = y.checked_sub(top).filter(|y| *y < side) else { return };
            let pixels = row.as_chunks_mut::<4>().0.iter_mut().skip(left).take(side);
            for (x, pixel) in pixels.enumerate() {
                let level = S::of(if is_dark(x, y) { 0 } else { u8::MAX });
                *pixel = [level, level, level, S::of(u8::MAX)];
            }
        });
        Ok(picture)
    }
}
