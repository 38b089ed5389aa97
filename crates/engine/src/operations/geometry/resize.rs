//! Resize: to an exact size, by a factor, within limits.

mod resize_words;

use crate::kernels::size::to_u32;
use crate::kernels::{Size, resample};
use crate::length::whole;
use crate::operation::{
    Capability, Control, Described, Operation, Parameter, SIDE, only, scaled_offset, scaled_side,
    within,
};
use crate::{ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Makes the image larger or smaller.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum Resize {
    /// Exactly this size. The aspect ratio may change.
    Exact {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// This width. The aspect ratio doesn't change.
    Width {
        /// Width in pixels.
        width: u32,
        /// Whether the size may only decrease or only increase.
        #[serde(default, skip_serializing_if = "Limit::is_usual")]
        limit: Limit,
    },
    /// This height. The aspect ratio doesn't change.
    Height {
        /// Height in pixels.
        height: u32,
        /// Whether the size may only decrease or only increase.
        #[serde(default, skip_serializing_if = "Limit::is_usual")]
        limit: Limit,
    },
    /// More or less width. The aspect ratio doesn't change: stretching distorts what is shown.
    Wider {
        /// By how many pixels; below 0 is narrower.
        by_px: i32,
    },
    /// More or less height. The aspect ratio doesn't change.
    Taller {
        /// By how many pixels; below 0 is shorter.
        by_px: i32,
    },
    /// This length of the shorter side. The aspect ratio doesn't change.
    Shortest {
        /// The length of the shorter side in pixels.
        px: u32,
        /// Whether the size may only decrease or only increase.
        #[serde(default, skip_serializing_if = "Limit::is_usual")]
        limit: Limit,
    },
    /// This number of pixels. The aspect ratio doesn't change.
    Megapixels {
        /// The number of pixels in millions.
        megapixels: f64,
        /// Whether the size may only decrease or only increase.
        #[serde(default, skip_serializing_if = "Limit::is_usual")]
        limit: Limit,
    },
    /// Both sides scaled by the same percentage.
    Percent {
        /// The new length of each side in percent of the old one.
        percent: f64,
    },
    /// Each side scaled by its own percentage. The aspect ratio changes.
    Stretch {
        /// The new width in percent of the old one.
        width_percent: f64,
        /// The new height in percent of the old one.
        height_percent: f64,
    },
    /// The largest size that fits in a box. The aspect ratio doesn't change.
    Fit {
        /// Width of the box in pixels.
        width: u32,
        /// Height of the box in pixels.
        height: u32,
        /// Whether the size may only decrease or only increase.
        #[serde(default, skip_serializing_if = "Limit::is_usual")]
        limit: Limit,
    },
    /// Fills this size without changing the proportions. What extends beyond it is cropped around
    /// the center.
    Fill {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
}

/// Whether a resize may only make an image smaller or only larger. Other images don't change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Smaller or larger.
    #[default]
    Exactly,
    /// Smaller only.
    AtMost,
    /// Larger only.
    AtLeast,
}

impl Limit {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this shape")]
    fn is_usual(&self) -> bool {
        *self == Self::Exactly
    }

    /// Whether the limit allows this factor.
    fn allows(self, factor: f64) -> bool {
        match self {
            Self::Exactly => true,
            Self::AtMost => factor < 1.0,
            Self::AtLeast => factor > 1.0,
        }
    }
}

/// The smallest size that can be given in megapixels.
const MEGAPIXELS_MIN: f64 = 0.0001;
const MEGAPIXELS: Parameter = Parameter::new("the size", " megapixels", (MEGAPIXELS_MIN, 50.0));
const CHANGE: Parameter = Parameter::new("a change of a side", "px", (-16_383.0, 16_383.0));
const SCALED: Parameter = Parameter::new("the size", "% of the current size", (0.1, 10_000.0));

impl Described for Resize {
    const CAPABILITY: Capability = Capability {
        name: "resize",
        parameters: &[],
        controls: &[
            Control::whole("width", "Width", SIDE),
            Control::whole("height", "Height", SIDE),
            Control::whole("px", "Shorter side", SIDE),
            Control::whole("by_px", "Change", CHANGE),
            Control::number("megapixels", "Megapixels", MEGAPIXELS),
            Control::number("percent", "Size", SCALED),
            Control::number("width_percent", "Width", SCALED),
            Control::number("height_percent", "Height", SCALED),
        ],
        summary: "Makes the image larger or smaller.",
        definition: "Lanczos3 on premultiplied sRGB values; sides are rounded half up, at least 1 \
                     pixel. With \"at most\" or \"at least\", an image that is already within the \
                     limit does not change. \"100 pixels wider\" resizes in proportion, because \
                     stretching distorts and padding adds bars; both have words of their own.",
        examples: &[
            "resize to 800x600",
            "resize to 1200 pixels wide",
            "make it half the size",
            "fit it within 1000x1000",
            "resize to 2 megapixels",
            "resize the shortest side to 600px",
            "make it 100 pixels wider",
            "make it no larger than 1024x1024",
            "stretch the width by 20%",
        ],
    };
}

impl Operation for Resize {
    fn words(&self) -> String {
        resize_words::words_of(self)
    }

    fn check(&self) -> Result<(), String> {
        let percent = |percent: f64| SCALED.check(percent);
        let sides = match *self {
            Self::Percent { percent: both } => return percent(both),
            Self::Stretch { width_percent, height_percent } => {
                percent(width_percent)?;
                return percent(height_percent);
            }
            Self::Megapixels { megapixels, .. } => {
                return MEGAPIXELS.check(megapixels);
            }
            Self::Wider { by_px } | Self::Taller { by_px } => {
                return CHANGE.check(f64::from(by_px));
            }
            Self::Width { width: px, .. }
            | Self::Height { height: px, .. }
            | Self::Shortest { px, .. } => [px, 1],
            Self::Exact { width, height }
            | Self::Fit { width, height, .. }
            | Self::Fill { width, height } => [width, height],
        };
        let longest = f64::from(crate::limits::SIDE_PX_MAX);
        sides
            .iter()
            .try_for_each(|side| within("a side", f64::from(*side), (1.0, longest), " pixels"))
    }

    fn scale(&mut self, factor: f64) {
        match self {
            Self::Percent { .. } | Self::Stretch { .. } => {}
            Self::Megapixels { megapixels, .. } => {
                *megapixels = (*megapixels * factor * factor).max(MEGAPIXELS_MIN);
            }
            Self::Wider { by_px } | Self::Taller { by_px } => {
                let scaled = scaled_offset(by_px.unsigned_abs(), factor);
                *by_px = i32::try_from(scaled).unwrap_or(i32::MAX) * by_px.signum();
            }
            Self::Width { width: px, .. }
            | Self::Height { height: px, .. }
            | Self::Shortest { px, .. } => *px = scaled_side(*px, factor),
            Self::Exact { width, height }
            | Self::Fit { width, height, .. }
            | Self::Fill { width, height } => {
                *width = scaled_side(*width, factor);
                *height = scaled_side(*height, factor);
            }
        }
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let size = inputs.first().copied().unwrap_or((1, 1));
        let (side, by, less) = match *self {
            Self::Wider { by_px } => (size.0, by_px, "narrower"),
            Self::Taller { by_px } => (size.1, by_px, "shorter"),
            _ => return Ok(self.target(size)),
        };
        if i64::from(side) + i64::from(by) < 1 {
            let (width, height) = size;
            let by = by.unsigned_abs();
            return Err(format!(
                "an image of {width}x{height} pixels can't become {by} pixels {less}"
            ));
        }
        Ok(self.target(size))
    }

    fn scratch_bytes(&self, input: Size, result: Size, pixel_bytes: u64) -> u64 {
        resample::working_bytes(input, result, pixel_bytes)
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let picture = only(pictures)?;
        let (width, height) = self.target(picture.size());
        let size = (to_u32(width), to_u32(height));
        match self {
            Self::Fill { .. } => resample::covering(picture, size),
            _ if size == picture.size() => Ok(picture),
            _ => resample::lanczos(&picture, size),
        }
    }
}

impl Resize {
    /// The size of the result.
    fn target(&self, from: Size) -> (u64, u64) {
        let side = |side: u32, factor: f64| whole(f64::from(side) * factor).max(1);
        let kept = (u64::from(from.0), u64::from(from.1));
        let by = |factor: f64, limit: Limit| match limit.allows(factor) {
            true => (side(from.0, factor), side(from.1, factor)),
            false => kept,
        };
        let ratio = |to: u32, from: u32| f64::from(to) / f64::from(from);
        let pixels = f64::from(from.0) * f64::from(from.1);
        match *self {
            Self::Exact { width, height } | Self::Fill { width, height } => {
                (u64::from(width), u64::from(height))
            }
            Self::Width { width, limit } => by(ratio(width, from.0), limit),
            Self::Height { height, limit } => by(ratio(height, from.1), limit),
            Self::Wider { by_px } => {
                by(ratio(from.0.saturating_add_signed(by_px), from.0), Limit::Exactly)
            }
            Self::Taller { by_px } => {
                by(ratio(from.1.saturating_add_signed(by_px), from.1), Limit::Exactly)
            }
            Self::Shortest { px, limit } => by(ratio(px, from.0.min(from.1)), limit),
            Self::Megapixels { megapixels, limit } => by((megapixels * 1e6 / pixels).sqrt(), limit),
            Self::Percent { percent } => by(percent / 100.0, Limit::Exactly),
            Self::Stretch { width_percent, height_percent } => {
                (side(from.0, width_percent / 100.0), side(from.1, height_percent / 100.0))
            }
            Self::Fit { width, height, limit } => {
                by(ratio(width, from.0).min(ratio(height, from.1)), limit)
            }
        }
    }
}
