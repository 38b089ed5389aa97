//! Resize: Lanczos3 on premultiplied sRGB values (`fast_image_resize`), rounded to 8 bits.

mod words;

use super::crop::{largest, to_u32};
use super::{Capability, Operation, Size, Spoken, canvas, only, within};
use crate::instruction::Clause;
use crate::length::whole;
use crate::{ExecuteError, Picture, Place, Refusal};
use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use serde::{Deserialize, Serialize};

/// Makes the picture larger or smaller.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum Resize {
    /// Both sides as said; the shape may change.
    Exact {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The width as said, the shape kept.
    Width {
        /// Width in pixels.
        width: u32,
    },
    /// The height as said, the shape kept.
    Height {
        /// Height in pixels.
        height: u32,
    },
    /// Both sides in percent.
    Percent {
        /// Percent of each side.
        percent: f64,
    },
    /// As large as fits inside, the shape kept.
    Fit {
        /// Width of the box in pixels.
        width: u32,
        /// Height of the box in pixels.
        height: u32,
    },
    /// Covers the size exactly, the shape kept, what is over is cut off around the centre.
    Fill {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
}

impl Spoken for Resize {
    const CAPABILITY: Capability = Capability {
        name: "resize",
        summary: "Makes the picture larger or smaller.",
        definition: "Lanczos3 on premultiplied sRGB values; sides are rounded half up, at least 1 pixel.",
        heads: words::HEADS,
        details: words::DETAILS,
        examples: &[
            "resize to 800x600",
            "resize to 1200 pixels wide",
            "make it half the size",
            "fit it within 1000x1000",
        ],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        words::read(clause)
    }
}

impl Operation for Resize {
    fn words(&self) -> String {
        match self {
            Self::Exact { width, height } => format!("resize to exactly {width}x{height} pixels"),
            Self::Width { width } => format!("resize to {width} pixels wide"),
            Self::Height { height } => format!("resize to {height} pixels high"),
            Self::Percent { percent } => format!("resize to {percent}%"),
            Self::Fit { width, height } => format!("resize to fit within {width}x{height} pixels"),
            Self::Fill { width, height } => format!("resize to fill {width}x{height} pixels"),
        }
    }

    fn check(&self) -> Result<(), String> {
        let sides = match self {
            Self::Percent { percent } => {
                return within("a size", *percent, (0.1, 10_000.0), "% of the present one");
            }
            Self::Width { width } => [*width, 1],
            Self::Height { height } => [1, *height],
            Self::Exact { width, height }
            | Self::Fit { width, height }
            | Self::Fill { width, height } => [*width, *height],
        };
        let longest = f64::from(crate::limits::SIDE_PX_MAX);
        sides
            .iter()
            .try_for_each(|side| within("a side", f64::from(*side), (1.0, longest), " pixels"))
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        Ok(self.target(inputs.first().copied().unwrap_or((1, 1))))
    }

    /// The resizer keeps a premultiplied copy of the source and the half-done picture of the
    /// result's width and the source's height.
    fn scratch_bytes(&self, input: Size, result: Size) -> u64 {
        let pixels = |width: u32, height: u32| u64::from(width) * u64::from(height);
        (2 * pixels(input.0, input.1) + pixels(result.0, input.1)) * crate::limits::PIXEL_BYTES
    }

    fn apply(&self, pictures: Vec<Picture>, _: &mut Vec<String>) -> Result<Picture, ExecuteError> {
        let picture = only(pictures)?;
        let (width, height) = self.target(picture.size());
        let size = (to_u32(width), to_u32(height));
        if size == picture.size() {
            return Ok(picture);
        }
        if matches!(self, Self::Fill { .. }) {
            // Cutting the covering part first gives the same picture with less work and memory.
            let part = largest(picture.size(), f64::from(size.0) / f64::from(size.1));
            let from = Place::Centre.offset(picture.size(), part);
            let part = canvas::part(&picture, from, part)?;
            drop(picture);
            return lanczos(&part, size);
        }
        lanczos(&picture, size)
    }
}

impl Resize {
    /// The size that comes out.
    fn target(&self, from: Size) -> (u64, u64) {
        let by = |factor: f64| {
            let side = |side: u32| whole(f64::from(side) * factor).max(1);
            (side(from.0), side(from.1))
        };
        let ratio = |to: u32, from: u32| f64::from(to) / f64::from(from);
        match *self {
            Self::Exact { width, height } | Self::Fill { width, height } => {
                (u64::from(width), u64::from(height))
            }
            Self::Width { width } => (u64::from(width), by(ratio(width, from.0)).1),
            Self::Height { height } => (by(ratio(height, from.1)).0, u64::from(height)),
            Self::Percent { percent } => by(percent / 100.0),
            Self::Fit { width, height } => by(ratio(width, from.0).min(ratio(height, from.1))),
        }
    }
}

/// Resizes to any size.
pub(crate) fn lanczos(picture: &Picture, size: Size) -> Result<Picture, ExecuteError> {
    let failed = |error: &dyn std::fmt::Display| {
        ExecuteError::Impossible(format!("resizing failed: {error}"))
    };
    let source =
        ImageRef::new(picture.width(), picture.height(), picture.pixels(), PixelType::U8x4)
            .map_err(|error| failed(&error))?;
    let mut result = Image::new(size.0, size.1, PixelType::U8x4);
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
    Resizer::new().resize(&source, &mut result, &options).map_err(|error| failed(&error))?;
    Ok(Picture::from_rgba(size.0, size.1, result.into_vec())?)
}
