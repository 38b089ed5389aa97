//! Pad: enlarges the canvas. The pixels of the image don't change.

mod backing;
mod pad_words;

use crate::kernels::Size;
use crate::kernels::size::to_u32;
use crate::length::{Length, whole};
use crate::operation::{
    Capability, Control, Described, OFFSETS, Operation, RATIO, SIDE, only, within,
};
use crate::{ExecuteError, Picture, Place, Sample};
use serde::{Deserialize, Serialize};

pub use backing::Backing;

/// Adds space around the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum Pad {
    /// The smallest canvas with this aspect ratio that the image fits on.
    Ratio {
        /// Width of the aspect ratio.
        width: f64,
        /// Height of the aspect ratio.
        height: f64,
        /// What fills the new space.
        #[serde(alias = "colour")]
        color: Backing,
        /// The position of the image.
        place: Place,
    },
    /// A canvas of a fixed size.
    Size {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// What fills the new space.
        #[serde(alias = "colour")]
        color: Backing,
        /// The position of the image.
        place: Place,
    },
    /// The same number of pixels on every side.
    By {
        /// Pixels on each side.
        px: u32,
        /// What fills the new space.
        #[serde(alias = "colour")]
        color: Backing,
    },
    /// A separate length for each side. Percentages refer to the width or the height.
    Sides {
        /// The space on the left.
        left: Length,
        /// The space at the top.
        top: Length,
        /// The space on the right.
        right: Length,
        /// The space at the bottom.
        bottom: Length,
        /// What fills the new space.
        #[serde(alias = "colour")]
        color: Backing,
    },
}

impl Described for Pad {
    const CAPABILITY: Capability = Capability {
        name: "pad",
        parameters: &[],
        controls: &[
            Control::number("width", "Ratio, width", RATIO).when("to", "ratio"),
            Control::number("height", "Ratio, height", RATIO).when("to", "ratio"),
            Control::whole("width", "Width", SIDE).when("to", "size"),
            Control::whole("height", "Height", SIDE).when("to", "size"),
            Control::whole("px", "Space", OFFSETS[0]),
            Control::length("left", "Left", OFFSETS),
            Control::length("top", "Top", OFFSETS),
            Control::length("right", "Right", OFFSETS),
            Control::length("bottom", "Bottom", OFFSETS),
            Control::backing("color", "Filled with", &["blurred", "edges", "mirrored"]),
            Control::place("place", "Position"),
        ],
        summary: "Adds space around the image.",
        definition: "The image's pixels do not change; the new space is transparent unless a \
                     color is given. A blurred copy is the image cropped around its center to the \
                     canvas's aspect ratio, reduced to an eighth of its size, blurred with a \
                     standard deviation of 4% of the shorter side and enlarged again (all \
                     Lanczos3).",
        examples: &[
            "pad to 16:9 with black",
            "pad to a square with a white background",
            "add 50px of padding in white",
            "pad to 16:9 with a blurred copy",
            "add 80px of white space at the top",
        ],
    };
}

impl Operation for Pad {
    fn words(&self) -> String {
        pad_words::words_of(self)
    }

    fn check(&self) -> Result<(), String> {
        match self {
            Self::Ratio { width, height, .. } => {
                RATIO.check(*width)?;
                RATIO.check(*height)
            }
            Self::Sides { left, top, right, bottom, .. } => {
                [left, top, right, bottom].iter().try_for_each(|length| {
                    within("the padding of a side", length.value(), (0.0, 16_384.0), "")
                })
            }
            _ => Ok(()),
        }
    }

    fn scale(&mut self, factor: f64) {
        match self {
            Self::Ratio { .. } => {}
            Self::Size { width, height, .. } => {
                // Rounded up, because the image must fit.
                *width = up(*width, factor);
                *height = up(*height, factor);
            }
            Self::By { px, .. } => *px = to_u32(whole(f64::from(*px) * factor)),
            Self::Sides { left, top, right, bottom, .. } => {
                for length in [left, top, right, bottom] {
                    if let Length::Pixels(px) = length {
                        *px *= factor;
                    }
                }
            }
        }
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        match self {
            Self::Ratio { width: across, height: down, .. } => {
                let (width, height) = backing::shaped((width, height), across / down);
                Ok((u64::from(width), u64::from(height)))
            }
            Self::Size { width: across, height: down, .. } if *across < width || *down < height => {
                Err(format!(
                    "the image is {width}x{height} pixels and does not fit on {across}x{down}; \
                     crop or resize it first"
                ))
            }
            Self::Size { width, height, .. } => Ok((u64::from(*width), u64::from(*height))),
            Self::By { px, .. } => {
                let grown = |side: u32| u64::from(side) + 2 * u64::from(*px);
                Ok((grown(width), grown(height)))
            }
            Self::Sides { left, top, right, bottom, .. } => Ok((
                u64::from(width) + left.px(width) + right.px(width),
                u64::from(height) + top.px(height) + bottom.px(height),
            )),
        }
    }

    fn scratch_bytes(&self, input: Size, result: Size, pixel_bytes: u64) -> u64 {
        self.backing().scratch_bytes(input, result, pixel_bytes)
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let picture = only(pictures)?;
        let size = self.result_size(&[picture.size()]).map_err(ExecuteError::Impossible)?;
        let size = (to_u32(size.0), to_u32(size.1));
        if size == picture.size() {
            return Ok(picture);
        }
        let at = match self {
            Self::Ratio { place, .. } | Self::Size { place, .. } => {
                place.offset(size, picture.size())
            }
            Self::By { px, .. } => (*px, *px),
            Self::Sides { left, top, .. } => {
                (to_u32(left.px(picture.width())), to_u32(top.px(picture.height())))
            }
        };
        self.backing().around(&picture, (size, at))
    }
}

/// A side in an image whose sides are `factor` times as long, in whole pixels, rounded up.
fn up(px: u32, factor: f64) -> u32 {
    to_u32(whole((f64::from(px) * factor).ceil()))
}

impl Pad {
    /// What fills the new space.
    pub(crate) const fn backing(&self) -> Backing {
        match self {
            Self::Ratio { color, .. }
            | Self::Size { color, .. }
            | Self::By { color, .. }
            | Self::Sides { color, .. } => *color,
        }
    }
}
