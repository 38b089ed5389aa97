//! Crop: a part of the image, byte for byte.

mod crop_words;

use crate::kernels::size::{largest, to_u32};
use crate::kernels::{Size, canvas};
use crate::length::{Length, whole};
use crate::operation::{
    Capability, Control, Described, OFFSETS, Operation, Parameter, RATIO, SIDE, only,
    scaled_offset, within,
};
use crate::{ExecuteError, Picture, Place, Sample};
use serde::{Deserialize, Serialize};

/// Cuts the image to a part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum Crop {
    /// The largest part with an aspect ratio.
    Ratio {
        /// Width of the shape.
        width: f64,
        /// Height of the shape.
        height: f64,
        /// Where the part lies.
        place: Place,
    },
    /// A part with a size in pixels.
    Size {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Where the part lies.
        place: Place,
    },
    /// A part with a size in percent.
    Share {
        /// Width in percent of the width.
        width_percent: f64,
        /// Height in percent of the height.
        height_percent: f64,
        /// Where the part lies.
        place: Place,
    },
    /// A box at a position.
    Box {
        /// Pixels to the left of it.
        left_px: u32,
        /// Pixels above it.
        top_px: u32,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The rest after cutting off the sides.
    Sides {
        /// The amount cut off the left.
        left: Length,
        /// The amount cut off the top.
        top: Length,
        /// The amount cut off the right.
        right: Length,
        /// The amount cut off the bottom.
        bottom: Length,
    },
}

const SHARE: Parameter = Parameter::new("a share of a side", "%", (0.01, 100.0));

impl Described for Crop {
    const CAPABILITY: Capability = Capability {
        name: "crop",
        parameters: &[],
        controls: &[
            Control::number("width", "Ratio, width", RATIO).when("to", "ratio"),
            Control::number("height", "Ratio, height", RATIO).when("to", "ratio"),
            Control::whole("width", "Width", SIDE).when("to", "size"),
            Control::whole("height", "Height", SIDE).when("to", "size"),
            Control::whole("width", "Width", SIDE).when("to", "box"),
            Control::whole("height", "Height", SIDE).when("to", "box"),
            Control::number("width_percent", "Width", SHARE),
            Control::number("height_percent", "Height", SHARE),
            Control::place("place", "Position"),
            Control::whole("left_px", "From the left", OFFSETS[0]),
            Control::whole("top_px", "From the top", OFFSETS[0]),
            Control::length("left", "Left", OFFSETS),
            Control::length("top", "Top", OFFSETS),
            Control::length("right", "Right", OFFSETS),
            Control::length("bottom", "Bottom", OFFSETS),
        ],
        summary: "Crops the image to an aspect ratio, a size, a share or a box, or cuts off some \
                  of its sides.",
        definition: "Whole pixels. Sizes are rounded half up; if the center falls between pixels, \
                     the crop is half a pixel towards the top left.",
        examples: &[
            "crop to 16:9",
            "crop to 800x600 at the top left",
            "crop 10% off the left",
            "crop to a square",
            "crop a bit tighter",
            "crop to a 200x100 box at 50,80",
            "crop to a widescreen shape",
        ],
    };
}

impl Operation for Crop {
    fn words(&self) -> String {
        crop_words::words_of(self)
    }

    fn check(&self) -> Result<(), String> {
        match self {
            Self::Ratio { width, height, .. } => {
                RATIO.check(*width)?;
                RATIO.check(*height)
            }
            Self::Size { width: 0, .. }
            | Self::Size { height: 0, .. }
            | Self::Box { width: 0, .. }
            | Self::Box { height: 0, .. } => Err("a crop must leave at least one pixel".to_owned()),
            Self::Size { .. } | Self::Box { .. } => Ok(()),
            Self::Share { width_percent, height_percent, .. } => {
                within("a share of the width", *width_percent, (0.01, 100.0), "%")?;
                within("a share of the height", *height_percent, (0.01, 100.0), "%")
            }
            Self::Sides { left, top, right, bottom } => {
                let each = |length: &Length| {
                    within("the amount cut off a side", length.value(), (0.0, 16_384.0), "")
                };
                [left, top, right, bottom].into_iter().try_for_each(each)?;
                left_over(*left, *right).and_then(|()| left_over(*top, *bottom))
            }
        }
    }

    fn scale(&mut self, factor: f64) {
        match self {
            Self::Ratio { .. } | Self::Share { .. } => {}
            // Rounded down, so that the part stays inside the image.
            Self::Size { width, height, .. } => {
                *width = scaled_offset(*width, factor).max(1);
                *height = scaled_offset(*height, factor).max(1);
            }
            Self::Box { left_px, top_px, width, height } => {
                *left_px = scaled_offset(*left_px, factor);
                *top_px = scaled_offset(*top_px, factor);
                *width = scaled_offset(*width, factor).max(1);
                *height = scaled_offset(*height, factor).max(1);
            }
            Self::Sides { left, top, right, bottom } => {
                for length in [left, top, right, bottom] {
                    if let Length::Pixels(px) = length {
                        *px *= factor;
                    }
                }
            }
        }
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let (_, size) = self.part(inputs.first().copied().unwrap_or((1, 1)))?;
        Ok((u64::from(size.0), u64::from(size.1)))
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let picture = only(pictures)?;
        let (from, size) = self.part(picture.size()).map_err(ExecuteError::Impossible)?;
        if size == picture.size() { Ok(picture) } else { canvas::part(&picture, from, size) }
    }
}

/// Refuses cuts from opposite sides that leave nothing of any image.
fn left_over(one: Length, other: Length) -> Result<(), String> {
    match (one, other) {
        (Length::Percent(one), Length::Percent(other)) if one + other >= 100.0 => {
            Err(format!("cutting {one}% and {other}% off opposite sides would leave nothing"))
        }
        _ => Ok(()),
    }
}

impl Crop {
    /// The position and the size of the part.
    fn part(&self, from: Size) -> Result<(Size, Size), String> {
        let (size, place) = match self {
            Self::Ratio { width, height, place } => (largest(from, width / height), *place),
            Self::Size { width, height, place } => ((*width, *height), *place),
            Self::Share { width_percent, height_percent, place } => {
                ((scaled(from.0, *width_percent), scaled(from.1, *height_percent)), *place)
            }
            Self::Box { left_px, top_px, width, height } => {
                return boxed(from, (*left_px, *top_px), (*width, *height));
            }
            Self::Sides { left, top, .. } => {
                let start = (to_u32(left.px(from.0)), to_u32(top.px(from.1)));
                return self.without_sides(from).map(|size| (start, size));
            }
        };
        if size.0 > from.0 || size.1 > from.1 {
            return Err(format!(
                "the image is {}x{} pixels, so it cannot be cropped to {}x{}",
                from.0, from.1, size.0, size.1
            ));
        }
        Ok((place.offset(from, size), size))
    }

    fn without_sides(&self, from: Size) -> Result<Size, String> {
        let Self::Sides { left, top, right, bottom } = self else { return Ok(from) };
        let rest = |side: u32, first: &Length, last: &Length| {
            let cut = first.px(side).saturating_add(last.px(side));
            u64::from(side).checked_sub(cut).map(to_u32).filter(|rest| *rest > 0)
        };
        rest(from.0, left, right).zip(rest(from.1, top, bottom)).ok_or_else(|| {
            format!(
                "the crop would leave nothing of the image, which is {}x{} pixels",
                from.0, from.1
            )
        })
    }
}

/// A box at a position, if it is inside the image.
fn boxed(from: Size, at: (u32, u32), size: Size) -> Result<(Size, Size), String> {
    let ends = |at: u32, side: u32, outer: u32| u64::from(at) + u64::from(side) <= u64::from(outer);
    if ends(at.0, size.0, from.0) && ends(at.1, size.1, from.1) {
        return Ok((at, size));
    }
    Err(format!(
        "the image is {}x{} pixels, so a box of {}x{} at {},{} extends beyond its edge",
        from.0, from.1, size.0, size.1, at.0, at.1
    ))
}

fn scaled(side: u32, percent: f64) -> u32 {
    to_u32(whole(f64::from(side) * percent / 100.0)).clamp(1, side)
}
