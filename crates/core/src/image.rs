//! Aspect ratios and sizes, as callers write them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The minimum length of a requested side, in pixels.
pub const SIZE_SIDE_PX_MIN: u32 = 64;
/// The maximum length of a requested side, in pixels.
pub const SIZE_SIDE_PX_MAX: u32 = 4096;
/// How far the shape of a size may differ from a ratio and still count as that ratio, in percent.
const RATIO_TOLERANCE_PERCENT: u64 = 2;
/// The maximum number of digits in each side of a ratio.
const RATIO_DIGITS_MAX: usize = 4;

/// The shape of the result: a ratio of width to height, or the shape of the first input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum AspectRatio {
    /// The aspect ratio of the image.
    Auto,
    /// Width to height.
    Ratio(u32, u32),
}

/// A text that is neither `auto` nor a ratio such as `3:2`.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("not an aspect ratio; use WIDTH:HEIGHT in whole numbers, such as 3:2, or auto")]
pub struct NotARatio;

impl FromStr for AspectRatio {
    type Err = NotARatio;

    fn from_str(text: &str) -> Result<Self, NotARatio> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let (width, height) = text.split_once(':').ok_or(NotARatio)?;
        Ok(Self::Ratio(ratio_part(width)?, ratio_part(height)?))
    }
}

fn ratio_part(text: &str) -> Result<u32, NotARatio> {
    let digits = !text.is_empty()
        && text.len() <= RATIO_DIGITS_MAX
        && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits && number > 0 => Ok(number),
        _ => Err(NotARatio),
    }
}

impl AspectRatio {
    /// Whether an image of this width and height has the shape, within 2% or one pixel. Every image
    /// has the shape `auto`.
    pub fn is_of(self, (width, height): (u32, u32)) -> bool {
        let Self::Ratio(wide, high) = self else { return true };
        let ours = u64::from(width) * u64::from(high);
        let theirs = u64::from(height) * u64::from(wide);
        let pixel = u64::from(wide.max(high));
        ours.abs_diff(theirs) * 100 <= (theirs * RATIO_TOLERANCE_PERCENT).max(pixel * 100)
    }
}

impl fmt::Display for AspectRatio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Ratio(width, height) => write!(f, "{width}:{height}"),
        }
    }
}

impl TryFrom<String> for AspectRatio {
    type Error = NotARatio;

    fn try_from(text: String) -> Result<Self, NotARatio> {
        text.parse()
    }
}

impl From<AspectRatio> for String {
    fn from(ratio: AspectRatio) -> String {
        ratio.to_string()
    }
}

/// The file formats of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OutputFormat {
    /// PNG, without loss.
    #[default]
    Png,
    /// JPEG, without transparency.
    Jpeg,
    /// WebP, without loss.
    WebP,
}

impl OutputFormat {
    /// All formats, the default first.
    pub const ALL: [Self; 3] = [Self::Png, Self::Jpeg, Self::WebP];

    /// The name in requests.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::WebP => "webp",
        }
    }

    /// The format with this name in requests.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }
}

/// The background of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// Transparent.
    Transparent,
    /// Without transparency.
    Opaque,
}

impl Background {
    /// The name in requests.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Transparent => "transparent",
            Self::Opaque => "opaque",
        }
    }
}

/// How a result is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// The file format.
    pub format: OutputFormat,
    /// The quality from 1 to 100, for formats with loss. `None`: the default.
    pub compression: Option<u8>,
}

/// A size that a caller asks for, each side within 64 to 4096 pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    width: u32,
    height: u32,
}

/// Why a text is not a size.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum NotASize {
    /// It does not have the form of one.
    #[error("not a size; use WIDTHxHEIGHT in pixels, such as 1024x768, or auto")]
    Form,
    /// A side is too short or too long.
    #[error("{width}x{height}; each side must be {SIZE_SIDE_PX_MIN} to {SIZE_SIDE_PX_MAX} pixels")]
    Range {
        /// The width that was asked for.
        width: u64,
        /// The height that was asked for.
        height: u64,
    },
}

impl Size {
    /// Width in pixels.
    pub fn width(self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub fn height(self) -> u32 {
        self.height
    }

    /// Whether the shape is that of `ratio`, within 2%; every size has the shape `auto`. One pixel is
    /// less than 2% of any side.
    pub fn has_shape(self, ratio: AspectRatio) -> bool {
        ratio.is_of((self.width, self.height))
    }
}

impl FromStr for Size {
    type Err = NotASize;

    fn from_str(text: &str) -> Result<Self, NotASize> {
        let (width, height) = text.split_once(['x', '*']).ok_or(NotASize::Form)?;
        let (width, height) = (side(width)?, side(height)?);
        let range = u64::from(SIZE_SIDE_PX_MIN)..=u64::from(SIZE_SIDE_PX_MAX);
        if !range.contains(&width) || !range.contains(&height) {
            return Err(NotASize::Range { width, height });
        }
        let narrow = |side| u32::try_from(side).map_err(|_| NotASize::Form);
        Ok(Self { width: narrow(width)?, height: narrow(height)? })
    }
}

fn side(text: &str) -> Result<u64, NotASize> {
    let digits = !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().map_err(|_| NotASize::Form) } else { Err(NotASize::Form) }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}
