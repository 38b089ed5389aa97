//! Watermark: repeats a text over the whole image.
//!
//! There are three ems between texts and between rows, and every second row is shifted by half a
//! step. The rows are rotated around the center of the image, where one text is centered.

use super::text::{self, Area, Face, Layer, Letters, Lines, Mask};
use crate::kernels::Size;
use crate::kernels::angle::direction;
use crate::length::Length;
use crate::operation::{Capability, Control, Described, Operation, Parameter, only};
use crate::{Color, ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};
use zeno::{Command, Transform};

/// Repeats a text over the whole image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Watermark {
    /// The text.
    pub text: String,
    /// The color of the text.
    #[serde(alias = "colour")]
    pub color: Color,
    /// The font size (the em). Percentages refer to the height of the image.
    pub size: Length,
    /// Whether it is bold.
    pub bold: bool,
    /// Opacity in percent.
    pub opacity_percent: f64,
    /// The rotation of the rows in degrees, clockwise.
    pub degrees: f64,
}

/// The space between texts in a row and between rows, in ems.
const STEPS: (f32, f32) = (3.0, 3.0);
/// The approximate maximum number of texts. With more, drawing would take long, so they are spaced
/// further apart.
const TEXTS_MAX: f32 = 20_000.0;

const OPACITY: Parameter = Parameter::new("the opacity of a watermark", "%", (0.0, 100.0));
const ANGLE: Parameter = Parameter::new("the angle of a watermark", " degrees", (-360.0, 360.0));

impl Described for Watermark {
    const CAPABILITY: Capability = Capability {
        name: "watermark",
        parameters: &[OPACITY, ANGLE],
        controls: &[
            Control::text("text", "Text"),
            Control::color("color", "Color"),
            Control::length("size", "Size", [text::SIZE_PX, text::SIZE_PERCENT]),
            Control::switch("bold", "Bold"),
            Control::number("opacity_percent", "Opacity", OPACITY),
            Control::number("degrees", "Angle", ANGLE),
        ],
        summary: "Repeats a text over the whole image.",
        definition: "The text repeats in rows that are 3 ems apart, with 3 ems between \
                     repetitions and every second row shifted by half a step. The pattern is \
                     rotated around the center of the image, where one repetition is centered. \
                     The spacing grows if there would be more than 20,000 repetitions. Letters \
                     are drawn as in \"Text\".",
        examples: &[
            "tile the watermark \"Sample\" over the picture",
            "add a tiled diagonal watermark saying \"DRAFT\" in red at 20% opacity",
        ],
    };
}

impl Operation for Watermark {
    fn words(&self) -> String {
        let quoted = text::quoted(&self.text).unwrap_or_default();
        let bold = if self.bold { " in bold" } else { "" };
        let (color, size, percent) = (self.color, self.size, self.opacity_percent);
        let degrees = match self.degrees {
            0.0 => " rotated 0 degrees".to_owned(),
            turned => text::angle_words(turned),
        };
        format!(
            "tile the watermark {quoted} in {color} with a size of {size}{bold} at {percent}% opacity{degrees}"
        )
    }

    fn check(&self) -> Result<(), String> {
        text::check_text(&self.text)?;
        text::check_size(self.size)?;
        OPACITY.check(self.opacity_percent)?;
        ANGLE.check(self.degrees)
    }

    fn scale(&mut self, factor: f64) {
        self.size = text::scaled_size(self.size, factor);
    }

    fn in_place(&self) -> bool {
        true
    }

    fn scratch_bytes(&self, input: Size, _: Size, _: u64) -> u64 {
        text::scratch_bytes(input)
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let mut picture = only(pictures)?;
        let letters = Letters {
            text: &self.text,
            size_px: (self.size.exact_px(picture.height()) as f32).clamp(4.0, 2000.0),
            face: Face::default(),
            bold: self.bold,
            italic: false,
            lines: Lines::Middle,
            wrap_px: None,
        };
        let mut fonts = text::fonts();
        let block = text::block(&mut fonts, &letters)?;
        let (turn, outer) = text::turned((block.width, block.height), self.degrees);
        let step = (
            block.width + STEPS.0 * letters.size_px,
            block.height.max(letters.size_px) - letters.size_px * 1.25 + STEPS.1 * letters.size_px,
        );
        let step = spaced(picture.size(), step);
        let mut layer = Layer::new(picture.size())?;
        let area = Area { size: picture.size(), beyond_px: 0 };
        let places: Vec<Transform> = middles(picture.size(), step, (self.degrees, outer))
            .into_iter()
            .map(|(x, y)| Transform::translation(x - outer.0 / 2.0, y - outer.1 / 2.0))
            .collect();
        let path: Vec<Command> =
            block.path.iter().map(|command| command.transform(&turn)).collect();
        for place in &places {
            let path: Vec<Command> = path.iter().map(|command| command.transform(place)).collect();
            layer.lay(&Mask::filled(&path, area), self.color);
        }
        for stamp in &block.stamps {
            let Some((emoji, within)) = stamp.picture(&mut fonts)? else { continue };
            for place in &places {
                layer.stamp(&emoji, &text::then(&text::then(&within, &turn), place));
            }
        }
        layer.over(&mut picture, self.opacity_percent);
        Ok(picture)
    }
}

/// The distances between texts, enlarged if there would be too many texts.
fn spaced(size: Size, step: (f32, f32)) -> (f32, f32) {
    let texts = size.0 as f32 * size.1 as f32 / (step.0 * step.1);
    let wider = (texts / TEXTS_MAX).sqrt().max(1.0);
    (step.0 * wider, step.1 * wider)
}

/// The centers of all texts that touch the image.
fn middles(size: Size, step: (f32, f32), (degrees, outer): (f64, (f32, f32))) -> Vec<(f32, f32)> {
    let (width, height) = (size.0 as f32, size.1 as f32);
    let (cosine, sine) = direction(degrees);
    let (cosine, sine) = (cosine as f32, sine as f32);
    let reach = width.hypot(height) / 2.0 + outer.0.max(outer.1);
    let (across, down) = ((reach / step.0).ceil() as i32 + 1, (reach / step.1).ceil() as i32);
    let mut middles = Vec::new();
    for row in -down..=down {
        for column in -across..=across {
            let shift = if row.rem_euclid(2) == 1 { 0.5 } else { 0.0 };
            let (x, y) = ((column as f32 + shift) * step.0, row as f32 * step.1);
            let at = (width / 2.0 + x * cosine - y * sine, height / 2.0 + x * sine + y * cosine);
            let inside = |at: f32, side: f32, outer: f32| at + outer > 0.0 && at - outer < side;
            if inside(at.0, width, outer.0) && inside(at.1, height, outer.1) {
                middles.push(at);
            }
        }
    }
    middles
}
