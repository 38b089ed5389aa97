//! Resize: Lanczos3 on premultiplied sRGB values (`fast_image_resize`), rounded to the depth
//! of the image.

mod alone;
mod limited;
mod relative;
mod words;

use super::crop::{largest, to_u32};
use super::{Capability, Operation, Size, Spoken, canvas, only, within};
use crate::instruction::Clause;
use crate::length::whole;
use crate::{Depth, ExecuteError, Picture, Place, Refusal, Sample};
use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use rayon::prelude::*;
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

impl Spoken for Resize {
    const CAPABILITY: Capability = Capability {
        name: "resize",
        parameters: &[],
        summary: "Makes the image larger or smaller.",
        definition: "Lanczos3 on premultiplied sRGB values; sides are rounded half up, at least 1 \
                     pixel. With \"at most\" or \"at least\", an image that is already within the \
                     limit does not change.",
        heads: words::HEADS,
        details: words::DETAILS,
        examples: &[
            "resize to 800x600",
            "resize to 1200 pixels wide",
            "make it half the size",
            "fit it within 1000x1000",
            "resize to 2 megapixels",
            "resize the shortest side to 600px",
            "make it no larger than 1024x1024",
            "stretch the width by 20%",
        ],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        words::read(clause)
    }
}

impl Operation for Resize {
    fn words(&self) -> String {
        words::words_of(self)
    }

    fn belongings(&self) -> &'static [&'static str] {
        limited::BELONGINGS
    }

    fn check(&self) -> Result<(), String> {
        let percent =
            |percent: f64| within("the size", percent, (0.1, 10_000.0), "% of the current size");
        let sides = match *self {
            Self::Percent { percent: both } => return percent(both),
            Self::Stretch { width_percent, height_percent } => {
                percent(width_percent)?;
                return percent(height_percent);
            }
            Self::Megapixels { megapixels, .. } => {
                return within("the size", megapixels, (0.0001, 50.0), " megapixels");
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

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        Ok(self.target(inputs.first().copied().unwrap_or((1, 1))))
    }

    fn scratch_bytes(&self, input: Size, result: Size, pixel_bytes: u64) -> u64 {
        working_bytes(input, result, pixel_bytes)
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let picture = only(pictures)?;
        let (width, height) = self.target(picture.size());
        let size = (to_u32(width), to_u32(height));
        if size == picture.size() {
            return Ok(picture);
        }
        if matches!(self, Self::Fill { .. }) {
            // Cropping to the part that fills the size first gives the same image with less work
            // and memory.
            let part = largest(picture.size(), f64::from(size.0) / f64::from(size.1));
            let from = Place::Center.offset(picture.size(), part);
            let part = canvas::part(&picture, from, part)?;
            drop(picture);
            return lanczos(&part, size);
        }
        lanczos(&picture, size)
    }
}

impl Resize {
    /// Combines a width and a height that follow each other into one size.
    pub(crate) const fn together(&self, next: &Self) -> Option<Self> {
        match (self, next) {
            (
                &Self::Width { width, limit: Limit::Exactly },
                &Self::Height { height, limit: Limit::Exactly },
            )
            | (
                &Self::Height { height, limit: Limit::Exactly },
                &Self::Width { width, limit: Limit::Exactly },
            ) => Some(Self::Exact { width, height }),
            _ => None,
        }
    }

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

/// The bytes that [`lanczos`] needs in addition to its source: its result and its working memory.
pub(super) fn resized_bytes(from: Size, to: Size, pixel_bytes: u64) -> u64 {
    pixels(to) * pixel_bytes + working_bytes(from, to, pixel_bytes)
}

/// The resizer keeps a premultiplied copy of the source, and a half-finished image with the width
/// of the result and the height of the source.
fn working_bytes(from: Size, to: Size, pixel_bytes: u64) -> u64 {
    (2 * pixels(from) + pixels((to.0, from.1))) * pixel_bytes
}

fn pixels((width, height): Size) -> u64 {
    u64::from(width) * u64::from(height)
}

/// Resizes to any size.
pub(crate) fn lanczos<S: Sample>(
    picture: &Picture<S>,
    size: Size,
) -> Result<Picture<S>, ExecuteError> {
    let failed = |error: &dyn std::fmt::Display| {
        ExecuteError::Impossible(format!("resizing failed: {error}"))
    };
    let kind = match S::DEPTH {
        Depth::Eight => PixelType::U8x4,
        Depth::Sixteen => PixelType::U16x4,
    };
    let samples = bytemuck::cast_slice(picture.pixels());
    let source = ImageRef::new(picture.width(), picture.height(), samples, kind)
        .map_err(|error| failed(&error))?;
    let mut result = Picture::new(size.0, size.1)?;
    let samples = bytemuck::cast_slice_mut::<S, u8>(result.pixels_mut());
    let mut into =
        Image::from_slice_u8(size.0, size.1, samples, kind).map_err(|error| failed(&error))?;
    let is_opaque = picture.pixels().as_chunks::<4>().0.par_iter().all(|pixel| pixel[3] == S::FULL);
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
        .use_alpha(!is_opaque);
    Resizer::new().resize(&source, &mut into, &options).map_err(|error| failed(&error))?;
    Ok(result)
}
